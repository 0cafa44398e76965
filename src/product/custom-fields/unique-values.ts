/** Unique field values of people who aren't deleted: a narrow table whose primary key rejects duplicates. */
import { sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../contract/problem.ts';
import type { CompanyFields, FieldDefinition } from '../../identity/members/company-fields.ts';
import { isBroken } from '../../platform/db/broken-constraint.ts';
import { insertEach } from '../../platform/db/insert-each.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';

/** The limit of the index. */
export const maxUnique = 200;

export type Values = Readonly<Record<string, unknown>>;

/** Holders by field and normalized value. */
export type ValueHolders = Map<string, string>;

export interface Owner {
  id: string;
  custom_fields: unknown;
  deleted_at?: string | null;
}

function comparedForm({ type }: FieldDefinition, value: unknown): string {
  return type === 'email' ? String(value).toLowerCase() : String(value);
}

export function uniqueForms({ active }: CompanyFields, values: unknown): [key: string, form: string][] {
  if (!values) return [];
  return active.flatMap((field) => {
    const value = field.unique ? (values as Values)[field.key] : undefined;
    return value === undefined || value === null ? [] : [[field.key, comparedForm(field, value)] as [string, string]];
  });
}

export function holderKey([key, form]: readonly [key: string, form: string]): string {
  return `${key} ${form}`;
}

export const takenError = { code: 'taken' as const, message: t`Another collaborator has this value.` };

export async function valueHolders(tx: Tenant, lookup: readonly [key: string, form: string][]): Promise<ValueHolders> {
  if (lookup.length === 0) return new Map();
  const keys = lookup.map(([key]) => key);
  const forms = lookup.map(([, form]) => form);
  const rows = await tx
    .selectFrom('custom_field_values')
    .select(['key', 'value_text', 'collaborator_id'])
    .where(sql<boolean>`(key, value_text) in (select * from unnest(${keys}::text[], ${forms}::text[]))`)
    .execute();
  return new Map(rows.map((row) => [holderKey([row.key, row.value_text]), row.collaborator_id]));
}

export function takenValues(
  owners: ValueHolders,
  forms: readonly [key: string, form: string][],
  except?: string,
): FieldErrors {
  const taken = forms.filter((form) => (owners.get(holderKey(form)) ?? except) !== except);
  return Object.fromEntries(taken.map(([key]) => [`custom_fields.${key}`, [takenError]]));
}

export async function takenValueErrors(
  tx: Tenant,
  fields: CompanyFields,
  before: { id: string; custom_fields: unknown },
  { custom_fields: column }: { custom_fields?: unknown },
): Promise<FieldErrors> {
  if (typeof column !== 'string') return {};
  const forms = without(uniqueForms(fields, JSON.parse(column)), uniqueForms(fields, before.custom_fields));
  return takenValues(await valueHolders(tx, forms), forms, before.id);
}

/** Updates the table. Called for every written row, in its transaction. @throws an error that `tryAcquire` recognizes */
export async function reserveUniqueValues(
  tx: TenantTransaction,
  fields: CompanyFields,
  rows: readonly { before?: Owner | undefined; after: Owner }[],
): Promise<void> {
  if (!fields.active.some(({ unique }) => unique)) return;
  // A row may be written several times, as when a person is restored and changed.
  const changes = [...Map.groupBy(rows, ({ after }) => after.id)].map(([id, writes]) => ({
    id,
    had: formsOf(fields, writes[0]!.before),
    has: formsOf(fields, writes.at(-1)!.after),
  }));
  const removed = changes.flatMap(({ id, had, has }) => without(had, has).map((form) => ({ id, form })));
  const inserted = changes.flatMap(({ id, had, has }) => without(has, had).map((form) => ({ id, form })));
  if (removed.length > 0) {
    const [keys, forms] = [removed.map(({ form }) => form[0]), removed.map(({ form }) => form[1])];
    await tx
      .deleteFrom('custom_field_values')
      .where(sql<boolean>`(key, value_text) in (select * from unnest(${keys}::text[], ${forms}::text[]))`)
      .execute();
  }
  if (inserted.length === 0) return;
  const added = inserted.map(({ id, form: [key, form] }) => ({ key, value_text: form, collaborator_id: id }));
  await insertEach(tx, 'custom_field_values', columns, added).execute(tx.raw);
}

const columns = { key: 'text', value_text: 'text', collaborator_id: 'uuid' };

function formsOf(fields: CompanyFields, owner: Owner | undefined): [string, string][] {
  return owner && !owner.deleted_at ? uniqueForms(fields, owner.custom_fields) : [];
}

function without(forms: [string, string][], others: [string, string][]): [string, string][] {
  const otherKeys = new Set(others.map(holderKey));
  return forms.filter((form) => !otherKeys.has(holderKey(form)));
}

export function isTaken(error: unknown): boolean {
  return isBroken(error, 'custom_field_values_pkey');
}

/** Adds everyone's values when a field becomes unique. @throws 400 for duplicates, or a value that is too long */
export async function fillUniqueValues(tx: TenantTransaction, field: FieldDefinition): Promise<void> {
  const { key, type } = field;
  const form = type === 'email' ? sql<string>`lower(custom_fields ->> ${key})` : sql<string>`custom_fields ->> ${key}`;
  const people = () => tx.selectFrom('collaborators').where('deleted_at', 'is', null).where(form, 'is not', null);
  const tooLong = await people()
    .select('id')
    .where(sql<boolean>`${form} ~ ${`.{${maxUnique + 1}}`}`)
    .limit(1)
    .execute();
  if (tooLong.length > 0) {
    const message = t`Somebody has a value of more than ${maxUnique} characters.`;
    throw validationError({ unique: [{ code: 'too_long', message }] });
  }
  const found = people().select(form.as('form')).as('found');
  const duplicates = await tx.raw
    .selectFrom(found)
    .select('form')
    .groupBy('form')
    .having(sql<boolean>`count(*) > 1`)
    .limit(1)
    .execute();
  if (duplicates.length > 0) {
    throw validationError({
      unique: [{ code: 'taken', message: t`Several people have the same value. Change that first.` }],
    });
  }
  await sql`
    insert into custom_field_values (company_id, key, value_text, collaborator_id)
    select ${tx.company_id}::uuid, ${key}::text, ${form}, id from collaborators
    where company_id = ${tx.company_id}::uuid and deleted_at is null and ${form} is not null`.execute(tx.raw);
}

export async function forgetUniqueValues(tx: TenantTransaction, key: string): Promise<void> {
  await tx.deleteFrom('custom_field_values').where('key', '=', key).execute();
}
