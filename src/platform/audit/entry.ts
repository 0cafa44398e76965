/** Audit log entries: who did what, from where. They never contain request data, such as secrets, bodies, or salaries. */
import { isIP } from 'node:net';
import { oneLine, withoutRefused } from '../../contract/texts/one-line.ts';
import { insertEach, rowWrite } from '../db/insert-each.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { newId } from '../values/ids.ts';

/** A user (through a client or a page), an installed app, an identity provider, the operator, or anyone with a file's link. */
export type AuditActor =
  | { type: 'user'; user_id: string; client_id?: string | null | undefined }
  | { type: 'installation'; installation_id: string; client_id: string }
  | { type: 'directory'; directory_id: string }
  | { type: 'operator' }
  | { type: 'link' };

export interface Origin {
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

export interface AuditEntry {
  /** An operationId, or a value that the contract lists for `action`. */
  action: string;
  actor: AuditActor;
  origin?: Origin | undefined;
  target?: { type: string; id: string } | undefined;
  outcome?: 'succeeded' | 'refused';
  /** Only names, ids, numbers, and codes. */
  details?: Record<string, unknown>;
}

const maxUserAgent = 256;

/** @param requestId the response's request id, if any */
export function originOf(
  request: { ip?: string | undefined; headers: { 'user-agent'?: string | undefined } },
  requestId: string | undefined,
): Origin {
  const sent = request.headers['user-agent']?.slice(0, maxUserAgent) ?? '';
  const userAgent = oneLine(withoutRefused(sent)) || null; // a header may contain control characters beyond ASCII
  return { ip: addressOf(request.ip), user_agent: userAgent, request_id: requestId ?? null };
}

/** A trusted proxy may send something that isn't an address. */
function addressOf(ip = ''): string | null {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(plain) ? plain : null;
}

export function recordAudit(tx: TenantTransaction, entry: AuditEntry): void {
  insertEntry(tx, columnsOf(auditRow(entry)));
}

/** Writes prepared rows, up to about a thousand at a time. */
export function recordAuditRows(tx: TenantTransaction, rows: readonly AuditRow[]): void {
  tx.write(insertEach(tx, 'audit_log', columns, rows.map(columnsOf)).compile(tx.raw));
}

const columns = {
  id: 'uuid',
  at: 'timestamptz',
  action: 'text',
  actor_type: 'text',
  actor_id: 'uuid',
  client_id: 'text',
  ip: 'inet',
  user_agent: 'text',
  request_id: 'text',
  target_type: 'text',
  target_id: 'text',
  outcome: 'text',
  details: 'jsonb',
};

const insertEntry = rowWrite('audit_log', Object.keys(columns));

export type AuditRow = ReturnType<typeof auditRow>;

function columnsOf(row: AuditRow) {
  return { ...row, details: row.details && JSON.stringify(row.details) };
}

export function auditRow({ action, actor, origin, target, outcome = 'succeeded', details }: AuditEntry) {
  const id = newId();
  return {
    id,
    at: timeOf(id),
    action,
    actor_type: actor.type,
    actor_id: idOf(actor),
    client_id: 'client_id' in actor ? (actor.client_id ?? null) : null,
    ip: origin?.ip ?? null,
    user_agent: origin?.user_agent ?? null,
    request_id: origin?.request_id ?? null,
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    outcome,
    details: details && Object.keys(details).length > 0 ? details : undefined,
  };
}

function idOf(actor: AuditActor): string | null {
  if (actor.type === 'installation') return actor.installation_id;
  if (actor.type === 'directory') return actor.directory_id;
  return actor.type === 'user' ? actor.user_id : null;
}

/** The list is sorted by id and filtered by time, so both must be the same time (RFC 9562, section 5.7). */
function timeOf(id: string): string {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
}
