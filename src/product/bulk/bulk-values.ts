/** Values of the company's own fields in the items of a bulk request. */
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lockedFields } from '../custom-fields/in-transaction.ts';
import type { Values } from '../custom-fields/unique-values.ts';
import { requireWritable } from '../custom-fields/write-values.ts';
import type { Item } from './bulk-items.ts';

/**
 * The fields of the company, as they stay until the end of the transaction.
 * @throws 401 and 403, as a request without items would be: an item that sends what the caller may not write refuses all of them
 */
export async function writableFields(
  tx: TenantTransaction,
  viewer: Pick<Viewer, 'caller' | 'member'>,
  items: readonly Item[],
): Promise<CompanyFields> {
  const fields = await lockedFields(tx);
  const bodies = items.flatMap((item, at) => {
    const sent = valuesOf(item);
    return sent ? [{ sent, place: `items.${at}.` }] : [];
  });
  requireWritable(fields, viewer, bodies);
  return fields;
}

/** @returns undefined where there are none, and where what is sent is something else */
export function valuesOf({ fields: { custom_fields: sent } }: Pick<Item, 'fields'>): Values | undefined {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Values) : undefined;
}
