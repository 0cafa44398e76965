/** Refuses changes by imports of fields that a directory manages. */
import { t } from '../../../contract/languages/text.ts';
import { readDirectories } from '../../../identity/directories/company-directories.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { managedBy } from '../../collaborators/fields/managed-fields.ts';
import { changedNames, differences } from '../../collaborators/write/differences.ts';
import { hiddenFrom, type ImportRow } from '../state/find-import.ts';
import { managerFields } from './columns/import-fields.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

/** Adds an error to each cell that differs from a managed field. */
export async function refuseManagedRows(
  tenant: Tenant,
  table: PeopleTable,
  matchedRows: readonly MatchedRow[],
  settings: Pick<ImportRow, 'may_read_salary'>,
): Promise<void> {
  if (!matchedRows.some(({ before }) => before?.managed_by)) return;
  const directories = await readDirectories(tenant);
  for (const { before, input, manager, row, errors } of matchedRows) {
    const managed = before && managedBy(before, directories);
    if (!managed || errors.length > 0) continue;
    const changed = changedNames(before, differences(before, input.fields, hiddenFrom(settings)));
    if (isMoved(before, manager)) changed.push('manager_id');
    for (const field of managed.fields.filter((each) => changed.includes(each))) {
      const column = field === 'manager_id' ? managerFields.find((each) => table.fieldColumns.has(each))! : field;
      const message = t`${managed.directory_name} manages this field. Change it in ${managed.directory_name}.`;
      errors.push(errorOf(table, row, column, 'managed_by_directory', message));
    }
  }
}

function isMoved({ manager_id: managerId }: CollaboratorRow, manager: MatchedRow['manager']): boolean {
  if (!manager) return manager === null && managerId !== null;
  return !('id' in manager) || manager.id !== managerId;
}
