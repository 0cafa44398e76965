/** Reading the audit log. */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { isId } from '../access/records.ts';
import { plainId } from './audited-operations.ts';

interface AuditFilters {
  action?: string | undefined;
  actor_id?: string | undefined;
  target_id?: string | undefined;
  outcome?: string | undefined;
  /** That time or later. */
  since?: Date | undefined;
  /** Before that time. */
  until?: Date | undefined;
}

const last_ms = 2 ** 48 - 1;

const shownColumns = [
  'id',
  'at',
  'action',
  'actor_type',
  'actor_id',
  'client_id',
  'ip',
  'user_agent',
  'request_id',
  'target_type',
  'target_id',
  'outcome',
  'details',
] as const;

/**
 * @param after the id of the entry before these; undefined for the newest
 * @returns the newest entries first
 */
export async function newestAuditEntries(
  tenant: Tenant,
  { action, actor_id, target_id, outcome, since, until }: AuditFilters,
  count: number,
  after: string | undefined,
) {
  if (actor_id !== undefined && !isId(actor_id)) return [];
  // Postgres takes no text with a NUL, so no entry has one.
  if (action?.includes('\0') || target_id?.includes('\0')) return [];
  return tenant
    .selectFrom('audit_log')
    .select(shownColumns)
    .$if(action !== undefined, (query) => query.where('action', '=', action!))
    .$if(actor_id !== undefined, (query) => query.where('actor_id', '=', actor_id!))
    .$if(target_id !== undefined, (query) => query.where('target_id', '=', plainId(target_id!)))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome!))
    .$if(since !== undefined, (query) => query.where('id', '>=', firstIdOf(since!)))
    .$if(until !== undefined, (query) => query.where('id', '<', firstIdOf(until!)))
    .$if(after !== undefined, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(sql.lit(count))
    .execute();
}

type Row = Awaited<ReturnType<typeof newestAuditEntries>>[number];
type Entry = components['schemas']['AuditEntry'];

/**
 * @returns the entries as the API shows them, with the names that their users have in the company's own records today:
 *   what they call themselves elsewhere, and what they sign in with, is none of its business
 */
export async function auditViews(tenant: Tenant, rows: readonly Row[]): Promise<Entry[]> {
  const ids = [...new Set(rows.flatMap(({ actor_id }) => actor_id ?? []))];
  const people = await tenant
    .selectFrom('collaborators')
    .select(['user_id', 'name', 'email'])
    .where('user_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('erased_at', 'is', null)
    .orderBy(sql`deleted_at nulls last`) // the record of today comes last, and counts
    .execute();
  const known = new Map(people.map((person) => [person.user_id, person]));
  const apps = await appsOf(tenant, ids);
  return rows.map((row) =>
    auditView(row, row.actor_id ? (known.get(row.actor_id) ?? apps.get(row.actor_id)) : undefined),
  );
}

/** The apps whose installations these are, and who installed them. */
async function appsOf(tenant: Tenant, ids: readonly string[]) {
  const found = await tenant.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as app', 'app.id', 'g.client_id')
    .select(['g.id', 'g.user_id as installed_by', 'app.name'])
    .where('g.id', '=', sql<string>`any(${ids}::text[])`)
    .where('g.installation_role', 'is not', null)
    .execute();
  return new Map(found.map(({ id, name, installed_by }) => [id, { name, email: null, installed_by }]));
}

interface Shown {
  name: string;
  email: string | null;
  installed_by?: string;
}

function auditView(row: Row, actor: Shown | undefined): Entry {
  const { id, at, action, ip, user_agent, request_id, target_type, target_id, outcome, details } = row;
  const { actor_type: type, actor_id: user_id, client_id } = row;
  return {
    id,
    at,
    action,
    actor: {
      type,
      user_id,
      name: actor?.name ?? null,
      email: actor?.email ?? null,
      client_id,
      installed_by: actor?.installed_by ?? null,
    },
    ip,
    user_agent,
    request_id,
    target: target_type === null ? null : { type: target_type, id: target_id! },
    outcome,
    details: (details ?? {}) as Record<string, unknown>,
  };
}

/** The least id that an entry of this time can have: ids begin with it, in milliseconds. */
function firstIdOf(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), last_ms);
  const hex = ms.toString(16).padStart(12, '0').padEnd(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
