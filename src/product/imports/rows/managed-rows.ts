/** Refuses changes by imports of fields that a directory manages. */
import { t } from '../../../contract/languages/text.ts';
import { readDirectories } from '../../../identity/directories/company-directories.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { managedBy } from '../../collaborators/fields/managed-fields.ts';
import { changedNames, differences } from '../../collaborators/write/differences.ts';
import { hiddenFrom, type ImportRow } from '../state/find-import.ts';
import { managerFields } from './columns/import-fields.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

/** Adds an error to each cell that differs from a managed field. The manager is known later, in `dependencyErrors`. */
export async function refuseManagedRows(
  tenant: Tenant,
  table: PeopleTable,
  matchedRows: readonly MatchedRow[],
  settings: Pick<ImportRow, 'may_read_salary'>,
): Promise<void> {
  if (!matchedRows.some(({ before }) => before?.managed_by)) return;
  const directories = await readDirectories(tenant);
  for (const matchedRow of matchedRows) {
    const { before, input, row, errors } = matchedRow;
    const managed = before && managedBy(before, directories);
    if (!managed || errors.length > 0) continue;
    const changed = changedNames(before, differences(before, input.fields, hiddenFrom(settings)));
    const message = t`${managed.directory_name} manages this field. Change it in ${managed.directory_name}.`;
    for (const field of managed.fields.filter((each) => changed.includes(each))) {
      errors.push(errorOf(table, row, field, 'managed_by_directory', message));
    }
    const column = managerFields.find((each) => table.fieldColumns.has(each));
    if (column && managed.fields.includes('manager_id')) {
      matchedRow.managedManager = errorOf(table, row, column, 'managed_by_directory', message);
    }
  }
}
