/** Fields that a directory manages: only the provider changes them, unless the directory allows local changes. */
import type { components } from '../../../../generated/api.ts';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { type CompanyDirectory, readDirectories } from '../../../identity/directories/company-directories.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { VisibleRow } from '../../access/records.ts';

type ManagedBy = components['schemas']['CollaboratorManagedBy'];
type Managed = Pick<VisibleRow, 'managed_by' | 'managed_fields'>;

/** @param directories of the company @returns null for people whom no directory manages */
export function managedBy(
  { managed_by: id, managed_fields: fields }: Managed,
  directories: readonly CompanyDirectory[] = [],
): ManagedBy | null {
  const directory = id === null ? undefined : directories.find((each) => each.id === id);
  if (!directory) return null;
  const isRefused = directory.on_local_change === 'refuse';
  return { directory_id: directory.id, directory_name: directory.name, fields: isRefused ? (fields ?? []) : [] };
}

/** @param changed names of fields, as in the contract @returns the problem if a directory manages any of them */
export function managedConflict(
  row: Managed,
  changed: readonly string[],
  directories: readonly CompanyDirectory[],
): Problem | undefined {
  const managed = managedBy(row, directories);
  const fields = managed?.fields.filter((field) => changed.includes(field)) ?? [];
  if (!managed || fields.length === 0) return undefined;
  const { directory_id: directoryId, directory_name: name } = managed;
  const text = t`${name} manages fields of this person: ${fields.join(', ')}. Change them in ${name}.`;
  return new Problem(409, 'managed_by_directory', text, {
    details: { directory_id: directoryId, managed_fields: fields },
  });
}

/** @throws 409 `managed_by_directory` */
export async function refuseManaged(tx: TenantTransaction, row: Managed, changed: readonly string[]): Promise<void> {
  if (!row.managed_fields?.some((field) => changed.includes(field))) return;
  const conflict = managedConflict(row, changed, await readDirectories(tx));
  if (conflict) throw conflict;
}
