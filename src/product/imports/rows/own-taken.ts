import { say } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Row } from '../../../platform/sheets/model/types.ts';
import { placeOf, takenFault, uniqueForms, valueHolders } from '../../custom-fields/unique-values.ts';
import type { ImportFault } from '../state/row-errors.ts';
import type { PeopleTable } from './people/people-table.ts';
import { faultOf, type RowFields } from './people/row-fields.ts';

interface JudgedRow {
  index: number;
  row: Row;
  said: RowFields;
  before: { id: string } | undefined;
  faults: ImportFault[];
}

/** Adds errors to rows whose unique values are in use, in the company or in a row above. */
export async function refuseTaken(
  tenant: Tenant,
  table: PeopleTable,
  judged: readonly JudgedRow[],
  met: Map<string, number>,
): Promise<void> {
  const { fields } = table;
  if (!fields.active.some(({ unique }) => unique)) return;
  const forms = judged.map(({ said }) => uniqueForms(fields, said.fields.custom_fields));
  const holders = await valueHolders(tenant, forms.flat());
  for (const [at, { index, row, before, faults }] of judged.entries()) {
    for (const form of forms[at]!) {
      const place = placeOf(form);
      const first = met.get(place) ?? index;
      met.set(place, first);
      const path = `custom_fields.${form[0]}`;
      if (first !== index) {
        const message = say`Row ${table.rows[first]!.row} has this value already.`;
        faults.push(faultOf(table, row, path, 'duplicate', message));
      } else if ((holders.get(place) ?? before?.id) !== before?.id) {
        faults.push(faultOf(table, row, path, 'taken', takenFault.message));
      }
    }
  }
}
