/** Collects the fields of people that a transaction changes, for its audit entry. */
import type { TenantTransaction } from '../../platform/db/tenant.ts';

const changedFieldsByTransaction = new WeakMap<TenantTransaction, Set<string>>();

export function noteChangedFields(tx: TenantTransaction, changes: readonly { field: string }[]): void {
  if (changes.length === 0) return;
  const fields = changedFieldsByTransaction.get(tx) ?? new Set();
  for (const { field } of changes) for (const name of auditedNames(field)) fields.add(name);
  changedFieldsByTransaction.set(tx, fields);
}

/** A custom field has its own name and that of all custom fields, so that a filter finds both. @param path in the history */
export function auditedNames(path: string): string[] {
  const [first] = path.split('.') as [string];
  return first === 'custom_fields' ? [first, path] : [first];
}

export function changedFields(tx: TenantTransaction): string[] {
  return [...(changedFieldsByTransaction.get(tx) ?? [])].sort();
}
