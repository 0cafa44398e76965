/** The history of a collaborator: append-only, written in the transaction of the change. */

import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { CollaboratorHistory } from '../../../../generated/db.ts';
import { contract } from '../../../contract/contract.ts';
import { listFromStored } from '../../../contract/stored.ts';
import { directoriesAmong } from '../../../identity/directories/directory-names.ts';
import { installationsAmong } from '../../../identity/installations/installation-names.ts';
import type { Member, Viewer } from '../../../identity/members/member.ts';
import { insertEach, rowWrite } from '../../../platform/db/insert-each.ts';
import { keyset } from '../../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { newId } from '../../../platform/values/ids.ts';
import { hiddenTypes } from '../../access/document-visibility.ts';
import { canUseField, fieldRules, readersOf } from '../../access/permissions.ts';
import { type CollaboratorRow, reachableUsers } from '../../access/records.ts';
import { noteChangedFields } from '../../audit/changed-fields.ts';
import { changedPaths } from '../../custom-fields/write-values.ts';

export const maxChanges = 200;

export interface HistoryEntry {
  collaborator_id: string;
  /** One word, for example `created`. */
  action: string;
  /** A sentence for people, without values that some readers may not see. */
  description: string;
  changes?: FieldChange[];
  /** The type of the document it is about: readers who may not see that type don't see the entry. */
  document_type?: string;
  /** The author: the token's user; null for the operator's command line. */
  user_id: string | null;
}

export interface FieldChange {
  /** A path with dots. Its first part decides who sees the values. */
  field: string;
  from: unknown;
  to: unknown;
}

export function recordHistory(tx: TenantTransaction, entry: HistoryEntry): void {
  noteChangedFields(tx, entry.changes ?? []);
  insertEntry(tx, historyRow(entry));
}

/** About a thousand at a time. */
export function recordEach(tx: TenantTransaction, entries: readonly HistoryEntry[]): void {
  if (entries.length === 0) return;
  for (const { changes = [] } of entries) noteChangedFields(tx, changes);
  tx.write(insertEach(tx, 'collaborator_history', historyColumns, entries.map(historyRow)).compile(tx.raw));
}

const historyColumns = {
  id: 'uuid',
  collaborator_id: 'uuid',
  action: 'text',
  description: 'text',
  changes: 'jsonb',
  document_type: 'text',
  user_id: 'uuid',
};

const insertEntry = rowWrite('collaborator_history', Object.keys(historyColumns));

function historyRow(entry: HistoryEntry) {
  return { id: newId(), ...entry, changes: JSON.stringify(entry.changes ?? []) };
}

/** The changed fields as visible in the API. @param sent fields that count as changed anyway */
export function changesBetween(
  before: CollaboratorRow,
  after: CollaboratorRow,
  sent: readonly string[] = [],
): FieldChange[] {
  const standardChanges = visibleFields
    .map((field) => ({ field, from: visibleValue(before, field), to: visibleValue(after, field) }))
    .filter(({ field, from, to }) => sent.includes(field) || !isDeepStrictEqual(from, to));
  const paths = changedPaths(before.custom_fields, after.custom_fields);
  return [...standardChanges, ...paths.map((path) => valueChange(path, before, after))];
}

function valueChange(path: string, before: CollaboratorRow, after: CollaboratorRow): FieldChange {
  const key = path.slice('custom_fields.'.length);
  const valueIn = (values: unknown) => (values as Record<string, unknown> | null)?.[key] ?? null;
  return { field: path, from: valueIn(before.custom_fields), to: valueIn(after.custom_fields) };
}

const visibleFields = [
  'name',
  'email',
  'phone',
  'position',
  'department',
  'status',
  'role',
  'hire_date',
  'termination_date',
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
  'emergency_contact',
] as const satisfies (keyof CollaboratorRow)[];

function visibleValue(row: CollaboratorRow, field: (typeof visibleFields)[number]): unknown {
  const value = row[field];
  if (field === 'salary') return value === null ? null : Number(value);
  if (field === 'emergency_contact') return value && { ...noContact, ...(value as object) };
  return value;
}

const noContact = { name: null, phone: null, relationship: null };

const entryColumns = [
  'id',
  'action',
  'description',
  'timestamp',
  'user_id',
  'collaborator_id',
  'changes',
] as const satisfies (keyof CollaboratorHistory)[];

type HistoryRow = Pick<Selectable<CollaboratorHistory>, (typeof entryColumns)[number]>;

/** The entries that the reader may see. */
export async function newestEntries(
  tenant: Tenant,
  member: Member,
  collaboratorId: string,
  count: number,
  after: [timestamp: string, id: string] | undefined,
): Promise<HistoryRow[]> {
  const hidden = hiddenTypes(member, collaboratorId);
  return tenant
    .selectFrom('collaborator_history')
    .select(entryColumns)
    .where('collaborator_id', '=', collaboratorId)
    .$if(hidden.length > 0, (query) =>
      query.where((eb) => eb.or([eb('document_type', 'is', null), eb('document_type', 'not in', hidden)])),
    )
    .$call(keyset(['timestamp', 'id'], 'desc', after))
    .limit(count)
    .execute();
}

type HistoryEntryResponse = components['schemas']['HistoryEntry'];

/** Shows that a hidden field changed, without its values. */
export async function historyViews(
  tenant: Tenant,
  rows: readonly HistoryRow[],
  viewer: Viewer,
): Promise<HistoryEntryResponse[]> {
  const userIds = rows.map(({ user_id: userId }) => userId);
  const [installations, directories, actors] = await Promise.all([
    installationsAmong(tenant, userIds),
    directoriesAmong(tenant, userIds),
    reachableUsers(tenant, viewer.member, userIds),
  ]);
  return rows.map(
    ({ id, action, description, timestamp, user_id: userId, collaborator_id: collaboratorId, changes }) => ({
      id,
      action,
      description,
      timestamp,
      user_id: userId,
      actor: actors.get(userId ?? '') ?? null,
      installation: installations.get(userId ?? '') ?? null,
      directory: directories.get(userId ?? '') ?? null,
      changes: listFromStored('HistoryChange', changes).map((change) =>
        isHidden(change.field, collaboratorId, viewer) ? { field: change.field, redacted: true as const } : change,
      ),
    }),
  );
}

function isHidden(field: string, collaboratorId: string, { caller, member }: Viewer): boolean {
  const [first, key] = field.split('.');
  if (first === 'custom_fields') {
    const readers = member.fields?.byKey.get(key!)?.readers;
    return !readers || !canUseField(readers, caller, member, collaboratorId);
  }
  const rule = readRules.get(first!);
  return rule !== undefined && !canUseField(rule, caller, member, collaboratorId);
}

/** Preferences and documents have the same readers here as in their own operations. */
const readRules = new Map([
  ...fieldRules(contract.components.schemas.Collaborator!, 'x-read-access'),
  ['notifications', readersOf('getNotifications')] as const,
  ['documents', readersOf('listDocuments')] as const,
]);
