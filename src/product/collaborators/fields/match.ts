/** Matches people of bulk requests and imports. The address comes last, because it may change in the source. */
import { sql } from 'kysely';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import { hasOneOf, normalizedValue, type UniqueLookup, uniqueFields } from './unique-fields.ts';

/** In order of precedence. */
export const matchFields = ['id', 'external_id', 'employee_number', 'email'] as const;

export type MatchField = (typeof matchFields)[number];

export interface MatchKey {
  field: MatchField;
  /** Normalized for comparison; ids are UUIDs in lower case. */
  value: string;
}

export function keyText({ field, value }: MatchKey): string {
  return `${field} ${value}`;
}

/** Finds and locks people who aren't deleted, like `lockCollaborators`. @returns rows by id */
export async function lockMatched(
  tx: TenantTransaction,
  keys: readonly MatchKey[],
): Promise<Map<string, CollaboratorRow>> {
  const rows = keys.length > 0 ? await matched(tx, keys).forNoKeyUpdate().execute() : [];
  return new Map(rows.map((row) => [row.id, row]));
}

/** People with one of the keys who aren't deleted, by id; some hundreds at a time. */
export function matched(tenant: Tenant, keys: readonly MatchKey[]) {
  return tenant
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where(isMatched(keys))
    .where('deleted_at', 'is', null)
    .orderBy('id');
}

export function finderOf(rows: readonly CollaboratorRow[]): (key: MatchKey) => CollaboratorRow | undefined {
  const found = new Map<string, CollaboratorRow>();
  for (const row of rows) {
    found.set(keyText({ field: 'id', value: row.id }), row);
    for (const field of uniqueFields) {
      const value = normalizedValue(row, field);
      if (value !== undefined) found.set(keyText({ field, value }), row);
    }
  }
  return (key) => found.get(keyText(key));
}

function isMatched(keys: readonly MatchKey[]) {
  const values = (target: MatchField) => keys.flatMap(({ field, value }) => (field === target ? [value] : []));
  const ids = values('id');
  const target: UniqueLookup = Object.fromEntries(uniqueFields.map((field) => [field, values(field)]));
  if (ids.length === 0) return hasOneOf(target);
  return sql<boolean>`(id = any(${ids}::uuid[]) or ${hasOneOf(target)})`;
}
