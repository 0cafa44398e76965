import { t } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Row } from '../../../platform/sheets/model/types.ts';
import { type UniqueValue, uniqueValue } from '../../collaborators/fields/moved-values.ts';
import { holderKey, uniqueForms, valueHolders } from '../../custom-fields/unique-values.ts';
import type { RowError } from '../state/row-errors.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf, type RowFields } from './people/row-fields.ts';

interface CheckedRow {
  index: number;
  row: Row;
  input: RowFields;
  before: { id: string } | undefined;
  taken: UniqueValue[];
  errors: RowError[];
}

/** Adds values that others have, and errors to rows with the value of a row above. */
export async function findTaken(
  tenant: Tenant,
  table: PeopleTable,
  checkedRows: readonly CheckedRow[],
  indexByValue: Map<string, number>,
): Promise<void> {
  const { fields } = table;
  if (!fields.active.some(({ unique }) => unique)) return;
  const forms = checkedRows.map(({ input }) => uniqueForms(fields, input.fields.custom_fields));
  const owners = await valueHolders(tenant, forms.flat());
  for (const [at, { index, row, before, taken, errors }] of checkedRows.entries()) {
    for (const form of forms[at]!) {
      const valueKey = holderKey(form);
      const first = indexByValue.get(valueKey) ?? index;
      indexByValue.set(valueKey, first);
      const path = `custom_fields.${form[0]}`;
      if (first !== index) {
        const message = t`Row ${table.rows[first]!.row} has this value already.`;
        errors.push(errorOf(table, row, path, 'duplicate', message));
      } else if ((owners.get(valueKey) ?? before?.id) !== before?.id) {
        taken.push(uniqueValue(path, form[1]));
      }
    }
  }
}
