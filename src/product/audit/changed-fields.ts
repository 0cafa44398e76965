/** Collects the fields of people that a transaction changes, for its audit entry. */
import type { TenantTransaction } from '../../platform/db/tenant.ts';

const changedFieldsByTransaction = new WeakMap<TenantTransaction, Set<string>>();

export function noteChangedFields(tx: TenantTransaction, changes: readonly { field: string }[]): void {
  if (changes.length === 0) return;
  const fields = changedFieldsByTransaction.get(tx) ?? new Set();
  for (const { field } of changes) fields.add(field.split('.')[0]!);
  changedFieldsByTransaction.set(tx, fields);
}

export function changedFields(tx: TenantTransaction): string[] {
  return [...(changedFieldsByTransaction.get(tx) ?? [])].sort();
}
