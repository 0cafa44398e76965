/**
 * Unique fields among people who aren't deleted: the email address (case-insensitive), and external identifiers (case-sensitive).
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { say } from '../../../contract/languages/text.ts';
import type { FieldError, FieldErrors } from '../../../contract/problem.ts';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';

export const uniqueFields = ['email', 'external_id', 'employee_number'] as const;

export type UniqueField = (typeof uniqueFields)[number];

/** Current or new values of the unique fields; undefined and null for none. */
type UniqueValues = { readonly [F in UniqueField]?: unknown };

/** Values to look up by field, normalized. */
export type Wanted = { readonly [F in UniqueField]?: readonly string[] };

/** Ids of people by field and normalized value. */
export type Holders = Record<UniqueField, Map<string, string>>;

export const takenFaults: Record<UniqueField, FieldError> = {
  email: { code: 'taken', message: say`Another collaborator already uses this address.` },
  external_id: { code: 'taken', message: say`Another collaborator already has this external id.` },
  employee_number: { code: 'taken', message: say`Another collaborator already has this employee number.` },
};

function comparedForm(field: UniqueField, value: string): string {
  return field === 'email' ? value.toLowerCase() : value;
}

export function wantedOf(people: readonly UniqueValues[]): Record<UniqueField, string[]> {
  const valuesOf = (field: UniqueField) => [...new Set(people.flatMap((each) => formOf(each, field) ?? []))];
  return {
    email: valuesOf('email'),
    external_id: valuesOf('external_id'),
    employee_number: valuesOf('employee_number'),
  };
}

export function formOf(values: UniqueValues, field: UniqueField): string | undefined {
  const value = values[field];
  return typeof value === 'string' ? comparedForm(field, value) : undefined;
}

export function hasOneOf(wanted: Wanted): Expression<SqlBool> {
  const conditions = uniqueFields
    .filter((field) => wanted[field]?.length)
    .map((field) => sql<SqlBool>`${compared[field]} = any(${wanted[field]}::text[])`);
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`;
}

/** As in the indexes. */
const compared: Record<UniqueField, RawBuilder<string>> = {
  email: sql`lower(email)`,
  external_id: sql`external_id`,
  employee_number: sql`employee_number`,
};

/** Finds the people with these values. The result also contains their other unique values. */
export async function holdersOf(tenant: Tenant, wanted: Wanted): Promise<Holders> {
  const holders: Holders = { email: new Map(), external_id: new Map(), employee_number: new Map() };
  if (!uniqueFields.some((field) => wanted[field]?.length)) return holders;
  const rows = await tenant
    .selectFrom('collaborators')
    .select(['id', ...uniqueFields])
    .where(hasOneOf(wanted))
    .where('deleted_at', 'is', null)
    .execute();
  for (const row of rows) hold(holders, row.id, row);
  return holders;
}

export function hold(holders: Holders, id: string, values: UniqueValues): void {
  for (const field of uniqueFields) {
    const form = formOf(values, field);
    if (form !== undefined) holders[field].set(form, id);
  }
}

export async function takenFields(tx: TenantTransaction, values: UniqueValues, except?: string): Promise<FieldErrors> {
  return takenAmong(await holdersOf(tx, wantedOf([values])), values, except);
}

export function takenAmong(holders: Holders, values: UniqueValues, except?: string): FieldErrors {
  return Object.fromEntries(takenNames(holders, values, except).map((field) => [field, [takenFaults[field]]]));
}

export function takenNames(holders: Holders, values: UniqueValues, except?: string): UniqueField[] {
  return uniqueFields.filter((field) => {
    const holder = holders[field].get(formOf(values, field) ?? '');
    return holder !== undefined && holder !== except;
  });
}

/** The field of a unique violation: someone may have taken the value since the check. */
export function takenBy(error: unknown): UniqueField | undefined {
  return uniqueFields.find((field) => isBroken(error, `collaborators_${field}_key`));
}
