import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { normalizedValue, type UniqueValues, uniqueFields } from '../fields/unique-fields.ts';

/**
 * Releases values that others in the batch claim, because they would conflict with the current owner's row.
 * @returns the ids of the owners
 */
export async function releaseValues(
  tx: TenantTransaction,
  changes: readonly { before: CollaboratorRow; set: UniqueValues }[],
  claims: readonly UniqueValues[],
): Promise<string[]> {
  const released: string[] = [];
  for (const field of uniqueFields) {
    const movers = changes.filter(({ set }) => set[field] !== undefined);
    const claimedValues = new Set(claims.flatMap((claim) => normalizedValue(claim, field) ?? []));
    const releasing = movers.filter(({ before, set }) => {
      const currentValue = normalizedValue(before, field);
      return (
        currentValue !== undefined && claimedValues.has(currentValue) && currentValue !== normalizedValue(set, field)
      );
    });
    if (releasing.length === 0) continue;
    const ids = releasing.map(({ before }) => before.id);
    released.push(...ids);
    await tx
      .updateTable('collaborators')
      .set({ [field]: field === 'email' ? sql`id::text` : null })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
  }
  return released;
}
