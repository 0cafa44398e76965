/** Custom field values in the items of a bulk request. */
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lockedFields } from '../custom-fields/in-transaction.ts';
import { uniqueForms, type ValueHolders, type Values, valueHolders } from '../custom-fields/unique-values.ts';
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
