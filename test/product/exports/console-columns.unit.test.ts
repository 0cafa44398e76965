/** Compares the columns that the console offers for an export, and its names of fields, with those of files. */
import { exportColumns } from '../../../packages/console/src/screens/exports/columns.ts';
import { columnNames } from '../../../packages/console/src/screens/exports/names.ts';
import { fieldName } from '../../../packages/console/src/screens/imports/check/field-name.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { importColumns, readOnlyColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';

test('the console offers all columns of the file except the ID, in their order', () => {
  const fields = [...importColumns, ...readOnlyColumns].map(({ key }) =>
    key.startsWith('manager_') ? 'manager_id' : key.split('.')[0],
  );
  expect(exportColumns).toEqual([...new Set(fields)].filter((field) => field !== 'id'));
});

test('a field has one name, in the console and in files', () => {
  const imported = importColumns.map(({ key }) => [key, fieldName(key)]);
  const names = { ...columnNames(), ...Object.fromEntries(imported) } as Record<string, string>;
  const { manager_name: _, ...headers } = columnHeaders; // only in files
  for (const [key, header] of Object.entries(headers)) expect([key, names[key]]).toEqual([key, String(header)]);
});
