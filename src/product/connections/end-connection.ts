import type { Transaction } from 'kysely';
import { notFound } from '../../contract/problem.ts';
import { revokeGrantForCompany } from '../../identity/grants/grants.ts';
import { type AuditRow, auditRow } from '../../platform/audit/entry.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { queueJob } from '../../platform/queue/job-versions.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';
import { emit } from '../events/emit.ts';
import type { ConnectionRow } from './connections.ts';

/** Processes reject the app's requests for this company as soon as they are notified. @throws 404 if it was ended concurrently */
export async function endConnection(tx: TenantTransaction, row: ConnectionRow, endedBy: string): Promise<string> {
  if (!(await revokeGrantForCompany(tx.global, row.id, tx.company_id))) throw notFound();
  await tx.deleteFrom('connection_uses').where('connection_id', '=', row.id).execute();
  const endedAt = new Date().toISOString();
  const { id, client_id: clientId, app_name: appName, user_id: allowedBy } = row;
  emit(tx, 'connection.ended', {
    id,
    client_id: clientId,
    app_name: appName,
    allowed_by: allowedBy,
    reason: 'ended',
    ended_by: endedBy,
    ended_at: endedAt,
  });
  return endedAt;
}

/** Connections that ended together, for one of their companies. */
export interface EndedConnections {
  company_id: string;
  client_id: string;
  app_name: string;
  reason: 'app_deleted' | 'operator' | 'ended';
  /** Set if it was a person of this company. */
  ended_by: string | null;
  ended_at: string;
  /** `event_id` makes a repeated job emit the event once; missing in jobs of older versions. */
  connections: { id: string; allowed_by: string; event_id?: string }[];
  /** The audit entry, if the operator ended them; missing in jobs of older versions. */
  entry?: AuditRow | undefined;
}

/** Per job, to keep the payload small. */
const maxPerJob = 500;

interface Ending extends Pick<EndedConnections, 'client_id' | 'app_name' | 'reason'> {
  /** Without a company: a person who belongs to all of them. */
  by?: { company_id?: string; user_id: string } | undefined;
}

/** Notifies companies, with one job each, because companies of a cluster may be on different machines. */
export async function announceEnded(
  tx: Transaction<GlobalTables>,
  grants: readonly { id: string; user_id: string; company_ids: readonly string[] }[],
  { by, ...ending }: Ending,
): Promise<void> {
  const endedAt = new Date().toISOString();
  const parts = grants.flatMap(({ id, user_id: allowedBy, company_ids: companyIds }) =>
    companyIds.map((companyId) => ({
      company_id: companyId,
      connection: { id, allowed_by: allowedBy, event_id: newId() },
    })),
  );
  for (const [companyId, companyParts] of Map.groupBy(parts, (part) => part.company_id)) {
    const endedBy = by && (by.company_id ?? companyId) === companyId ? by.user_id : null;
    for (let at = 0; at < companyParts.length; at += maxPerJob) {
      const connections = companyParts.slice(at, at + maxPerJob).map(({ connection }) => connection);
      const entry = ending.reason === 'operator' ? entryOf(ending, connections.length) : undefined;
      const times = { ended_by: endedBy, ended_at: endedAt };
      const job: EndedConnections = { company_id: companyId, ...ending, ...times, connections, entry };
      await queueJob(tx, 'notifyConnectionsRevoked', job);
    }
  }
}

/** Requests by people have their own audit entry. */
export function entryOf(
  { client_id: clientId, reason }: Pick<Ending, 'client_id' | 'reason'>,
  connectionCount: number,
): AuditRow {
  return auditRow({
    action: 'connections.ended',
    actor: { type: 'operator' },
    target: { type: 'client', id: clientId },
    details: { reason, connection_count: connectionCount },
  });
}
