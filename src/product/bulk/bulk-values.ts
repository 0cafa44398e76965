/** Custom field values in the items of a bulk request. */
import type { Updateable } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import type { FieldErrors } from '../../contract/problem.ts';
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { lockedFields } from '../custom-fields/in-transaction.ts';
import {
  holderKey,
  takenValues,
  uniqueForms,
  type ValueHolders,
  type Values,
  valueHolders,
} from '../custom-fields/unique-values.ts';
import { checkValues, requireWritable } from '../custom-fields/write-values.ts';
import type { Item } from './bulk-items.ts';

/** @throws 401 and 403 as for a single request: one item with a field the caller may not write rejects the whole request */
export async function writableFields(
  tx: TenantTransaction,
  viewer: Pick<Viewer, 'caller' | 'member'>,
  items: readonly Item[],
): Promise<CompanyFields> {
  const fields = await lockedFields(tx);
  const bodies = items.flatMap((item, at) => {
    const sent = valuesOf(item);
    return sent ? [{ sent, pathPrefix: `items.${at}.` }] : [];
  });
  requireWritable(fields, viewer, bodies);
  return fields;
}

export function valuesOf({ fields: { custom_fields: sent } }: Pick<Item, 'fields'>): Values | undefined {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Values) : undefined;
}

export interface UniqueValues {
  values: ValueHolders;
  fields: CompanyFields;
}

/** @returns errors of unique fields whose new values are in use */
export function takenValueErrors(
  { values, fields }: UniqueValues,
  before: CollaboratorRow,
  set: Updateable<Collaborators>,
): FieldErrors {
  return typeof set.custom_fields === 'string'
    ? takenValues(values, uniqueForms(fields, JSON.parse(set.custom_fields)), before.id)
    : {};
}

export async function readValueHolders(
  tx: TenantTransaction,
  fields: CompanyFields,
  viewer: Omit<Viewer, 'tenant'>,
  items: readonly Item[],
): Promise<ValueHolders> {
  if (!fields.active.some(({ unique }) => unique)) return new Map();
  const forms = items.flatMap((item) => uniqueForms(fields, checkValues(fields, viewer, valuesOf(item)).values));
  return valueHolders(tx, forms);
}

export function updateValueHolders(
  { values, fields }: UniqueValues,
  id: string,
  before: unknown,
  after: unknown,
): void {
  for (const form of uniqueForms(fields, before))
    if (values.get(holderKey(form)) === id) values.delete(holderKey(form));
  for (const form of uniqueForms(fields, after)) values.set(holderKey(form), id);
}
