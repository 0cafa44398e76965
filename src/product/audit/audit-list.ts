/** Lists the audit log. */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { directoriesAmong } from '../../identity/directories/directory-names.ts';
import { clientNames, installationsAmong } from '../../identity/installations/installation-names.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { isId } from '../access/records.ts';
import { plainId } from './audited-operations.ts';

interface AuditFilters {
  action?: string | undefined;
  actor_id?: string | undefined;
  actor_collaborator_id?: string | undefined;
  target_id?: string | undefined;
  changed_field?: string | undefined;
  outcome?: string | undefined;
  /** Comma-separated names of `quiet`. */
  exclude?: string | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/** Frequent entries that change nothing, by their names in the contract. */
const quiet: Readonly<Record<string, readonly string[]>> = {
  reads: ['salary.read', 'custom_field.read', 'file.fetched', 'getDocument', 'listDocuments'],
  sign_ins: ['sign_in', 'sign_out', 'token.issued'],
};

const lastMs = 2 ** 48 - 1;

const entryColumns = [
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

export async function newestAuditEntries(
  tenant: Tenant,
  {
    action,
    actor_id: actorId,
    actor_collaborator_id: actorCollaboratorId,
    target_id: targetId,
    changed_field: changedField,
    outcome,
    exclude,
    since,
    until,
  }: AuditFilters,
  count: number,
  after: string | undefined,
) {
  if ([actorId, actorCollaboratorId].some((id) => id !== undefined && !isId(id))) return [];
  // Postgres rejects texts with NUL, so no entry has one.
  if ([action, targetId, changedField].some((text) => text?.includes('\0'))) return [];
  const excludedActions = exclude?.split(',').flatMap((kind) => quiet[kind] ?? []) ?? [];
  return (
    tenant
      .selectFrom('audit_log')
      .select(entryColumns)
      .$if(action !== undefined, (query) => query.where('action', '=', action!))
      .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId!))
      .$if(actorCollaboratorId !== undefined, (query) =>
        query.where('actor_id', '=', userOf(tenant, actorCollaboratorId!)),
      )
      .$if(targetId !== undefined, (query) => query.where('target_id', '=', plainId(targetId!)))
      .$if(changedField !== undefined, (query) => query.where(hasChanged(tenant, changedField!)))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome!))
      .$if(excludedActions.length > 0, (query) =>
        query.where(({ or, eb }) => or([eb('action', 'not in', excludedActions), eb('outcome', '=', 'refused')])),
      )
      .$if(since !== undefined, (query) => query.where('id', '>=', firstIdOf(since!)))
      .$if(until !== undefined, (query) => query.where('id', '<', firstIdOf(until!)))
      .$if(after !== undefined, (query) => query.where('id', '<', after!))
      // Few entries have a given field, which Postgres can't estimate: sorting by an expression makes it use the field index.
      .orderBy(changedField === undefined ? sql`id` : sql`id::text`, 'desc')
      .limit(sql.lit(count))
      .execute()
  );
}

/** The first two conditions match the index expressions; the last one distinguishes fields with the same key. */
function hasChanged({ company_id: companyId }: Tenant, field: string) {
  const fieldJson = sql`${JSON.stringify([field])}::jsonb`;
  return sql<boolean>`details -> 'changed_fields' is not null
    and audit_field_keys(company_id, details -> 'changed_fields') @> audit_field_keys(${companyId}::uuid, ${fieldJson})
    and details -> 'changed_fields' @> ${fieldJson}`;
}

/** The user of a collaborator, even a deleted one; erased ones have no user. */
function userOf(tenant: Tenant, collaboratorId: string) {
  return tenant.selectFrom('collaborators').select('user_id').where('id', '=', collaboratorId);
}

type Row = Awaited<ReturnType<typeof newestAuditEntries>>[number];
type Entry = components['schemas']['AuditEntry'];

/** Uses the names in the company's own records, because people's names and addresses elsewhere are hidden from the company. */
export async function auditViews(tenant: Tenant, rows: readonly Row[]): Promise<Entry[]> {
  const ids = rows.flatMap(({ actor_id: actorId }) => actorId ?? []);
  const installations = await installationsAmong(tenant, ids);
  const installers = [...installations.values()].map(({ installed_by: installedBy }) => installedBy);
  const targets = (type: string) => rows.flatMap((row) => (row.target_type === type ? (row.target_id ?? []) : []));
  const names: Names = {
    installations,
    directories: await directoriesAmong(tenant, [...ids, ...targets('directory')].filter(isId)),
    clients: await clientNames(tenant, [
      ...rows.map(({ client_id: clientId }) => clientId),
      ...targets('client'),
      ...targets('app'),
    ]),
    users: await peopleBy(tenant, 'user_id', [...ids, ...installers, ...targets('user')]),
    records: await peopleBy(tenant, 'id', targets('collaborator')),
  };
  return rows.map((row) => auditResponse(row, names));
}

interface Names {
  installations: Awaited<ReturnType<typeof installationsAmong>>;
  directories: Awaited<ReturnType<typeof directoriesAmong>>;
  clients: Map<string, string>;
  users: Map<string | null, Person>;
  records: Map<string | null, Person>;
}

type Person = Awaited<ReturnType<typeof selectPeople>>[number];

async function peopleBy(tenant: Tenant, column: 'id' | 'user_id', ids: readonly string[]) {
  const known = [...new Set(ids)].filter(isId);
  const people = known.length === 0 ? [] : await selectPeople(tenant, column, known);
  return new Map(people.map((person) => [person[column], person]));
}

function selectPeople(tenant: Tenant, column: 'id' | 'user_id', ids: readonly string[]) {
  return tenant
    .selectFrom('collaborators')
    .select(['id', 'user_id', 'name', 'email', 'deleted_at'])
    .where(column, '=', sql<string>`any(${ids}::uuid[])`)
    .where('erased_at', 'is', null)
    .orderBy(sql`deleted_at nulls last`) // the current record comes last, and wins
    .execute();
}

function auditResponse(row: Row, names: Names): Entry {
  const { target_type: targetType, target_id: targetId } = row;
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    actor: actorResponse(row, names),
    ip: row.ip,
    user_agent: row.user_agent,
    request_id: row.request_id,
    target: targetType === null ? null : { type: targetType, id: targetId!, name: targetName(row, names) },
    outcome: row.outcome,
    details: (row.details ?? {}) as Record<string, unknown>,
  };
}

function actorResponse({ actor_type: type, actor_id: userId, client_id: clientId }: Row, names: Names): Entry['actor'] {
  const installation = names.installations.get(userId ?? '');
  const person = installation ? undefined : names.users.get(userId);
  return {
    type,
    user_id: userId,
    collaborator_id: person?.deleted_at === null ? person.id : null,
    name: installation?.name ?? person?.name ?? names.directories.get(userId ?? '')?.name ?? null,
    email: person?.email ?? null,
    client_id: clientId,
    client_name: names.clients.get(clientId ?? '') ?? null,
    installed_by: installation?.installed_by ?? null,
    installed_by_name: names.users.get(installation?.installed_by ?? '')?.name ?? null,
  };
}

function targetName(
  { target_type: targetType, target_id: targetId }: Row,
  { users, records, clients, directories }: Names,
): string | null {
  switch (targetType) {
    case 'collaborator':
      return records.get(targetId)?.name ?? null;
    case 'user':
      return users.get(targetId)?.name ?? null;
    case 'directory':
      return directories.get(targetId!)?.name ?? null;
    case 'app':
    case 'client':
      return clients.get(targetId!) ?? null;
    default:
      return null;
  }
}

/** The smallest possible id for a time: ids start with it, in milliseconds. */
function firstIdOf(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), lastMs);
  const hex = ms.toString(16).padStart(12, '0').padEnd(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
