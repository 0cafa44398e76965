/**
 * Unique fields among people who aren't deleted: the email address (case-insensitive), and external identifiers (case-sensitive).
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import type { FieldError, FieldErrors } from '../../../contract/problem.ts';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';

export const uniqueFields = ['email', 'external_id', 'employee_number'] as const;

export type UniqueField = (typeof uniqueFields)[number];

/** Current or new values of the unique fields; undefined and null for none. */
export type UniqueValues = { readonly [F in UniqueField]?: unknown };

/** Values to look up by field, normalized. */
export type UniqueLookup = { readonly [F in UniqueField]?: readonly string[] };

/** Ids of people by field and normalized value. */
export type Owners = Record<UniqueField, Map<string, string>>;

export const takenErrors: Record<UniqueField, FieldError> = {
  email: { code: 'taken', message: t`Another collaborator already uses this address.` },
  external_id: { code: 'taken', message: t`Another collaborator already has this external id.` },
  employee_number: { code: 'taken', message: t`Another collaborator already has this employee number.` },
};

function normalize(field: UniqueField, value: string): string {
  return field === 'email' ? value.toLowerCase() : value;
}

export function lookupOf(people: readonly UniqueValues[]): Record<UniqueField, string[]> {
  const valuesOf = (field: UniqueField) => [...new Set(people.flatMap((each) => normalizedValue(each, field) ?? []))];
  return {
    email: valuesOf('email'),
    external_id: valuesOf('external_id'),
    employee_number: valuesOf('employee_number'),
  };
}

export function normalizedValue(values: UniqueValues, field: UniqueField): string | undefined {
  const value = values[field];
  return typeof value === 'string' ? normalize(field, value) : undefined;
}

export function hasOneOf(lookup: UniqueLookup): Expression<SqlBool> {
  const conditions = uniqueFields
    .filter((field) => lookup[field]?.length)
    .map((field) => sql<SqlBool>`${comparedExpressions[field]} = any(${lookup[field]}::text[])`);
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`;
}

/** As in the indexes. */
const comparedExpressions: Record<UniqueField, RawBuilder<string>> = {
  email: sql`lower(email)`,
  external_id: sql`external_id`,
  employee_number: sql`employee_number`,
};

/** Finds the people with these values. The result also contains their other unique values. */
export async function ownersOf(tenant: Tenant, lookup: UniqueLookup): Promise<Owners> {
  const owners: Owners = { email: new Map(), external_id: new Map(), employee_number: new Map() };
  if (!uniqueFields.some((field) => lookup[field]?.length)) return owners;
  const rows = await tenant
    .selectFrom('collaborators')
    .select(['id', ...uniqueFields])
    .where(hasOneOf(lookup))
    .where('deleted_at', 'is', null)
    .execute();
  for (const row of rows) addOwner(owners, row.id, row);
  return owners;
}

function addOwner(owners: Owners, id: string, values: UniqueValues): void {
  for (const field of uniqueFields) {
    const form = normalizedValue(values, field);
    if (form !== undefined) owners[field].set(form, id);
  }
}

export async function takenFields(tx: TenantTransaction, values: UniqueValues, except?: string): Promise<FieldErrors> {
  return takenFieldErrors(await ownersOf(tx, lookupOf([values])), values, except);
}

function takenFieldErrors(owners: Owners, values: UniqueValues, except?: string): FieldErrors {
  return Object.fromEntries(takenFieldNames(owners, values, except).map((field) => [field, [takenErrors[field]]]));
}

export function takenFieldNames(owners: Owners, values: UniqueValues, except?: string): UniqueField[] {
  return uniqueFields.filter((field) => {
    const holder = owners[field].get(normalizedValue(values, field) ?? '');
    return holder !== undefined && holder !== except;
  });
}

/** The field of a unique violation: someone may have taken the value since the check. */
export function violatedField(error: unknown): UniqueField | undefined {
  return uniqueFields.find((field) => isBroken(error, `collaborators_${field}_key`));
}
