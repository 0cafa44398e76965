/**
 * How somebody is found who is to be changed by a bulk request or an import: by their id, by what others call them, or by
 * their address. Nothing that may change in the source must decide who a person is; so the address comes last.
 */
import { sql } from 'kysely';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import { formOf, hasOneOf, uniqueFields, type Wanted } from './unique-fields.ts';

/** In the order in which they count. */
export const matchFields = ['id', 'external_id', 'employee_number', 'email'] as const;

export type MatchField = (typeof matchFields)[number];

export interface MatchKey {
  field: MatchField;
  /** In the form in which it is compared; an id is a UUID in lower case. */
  value: string;
}

/** A key as one text: different keys are different texts. */
export function keyText({ field, value }: MatchKey): string {
  return `${field} ${value}`;
}

/** Finds those who are not deleted, and locks them, as `lockCollaborators` does. @returns rows by id */
export async function lockMatched(
  tx: TenantTransaction,
  keys: readonly MatchKey[],
): Promise<Map<string, CollaboratorRow>> {
  const rows = keys.length > 0 ? await matched(tx, keys).forNoKeyUpdate().execute() : [];
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those who have one of the keys and are not deleted, by id; some hundreds at a time. */
export function matched(tenant: Tenant, keys: readonly MatchKey[]) {
  return tenant
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where(isMatched(keys))
    .where('deleted_at', 'is', null)
    .orderBy('id');
}

/** Finds the one with a key among these. */
export function finderOf(rows: readonly CollaboratorRow[]): (key: MatchKey) => CollaboratorRow | undefined {
  const found = new Map<string, CollaboratorRow>();
  for (const row of rows) {
    found.set(keyText({ field: 'id', value: row.id }), row);
    for (const field of uniqueFields) {
      const value = formOf(row, field);
      if (value !== undefined) found.set(keyText({ field, value }), row);
    }
  }
  return (key) => found.get(keyText(key));
}

/** The condition that somebody has one of the keys. */
function isMatched(keys: readonly MatchKey[]) {
  const values = (wanted: MatchField) => keys.flatMap(({ field, value }) => (field === wanted ? [value] : []));
  const ids = values('id');
  const wanted: Wanted = Object.fromEntries(uniqueFields.map((field) => [field, values(field)]));
  if (ids.length === 0) return hasOneOf(wanted);
  return sql<boolean>`(id = any(${ids}::uuid[]) or ${hasOneOf(wanted)})`;
}
