/** Compares the columns that the console offers for an export, and its names of fields, with those of files. */
import { readFileSync } from 'node:fs';
import { exportColumns } from '../../../packages/console/src/screens/exports/columns.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { importColumns, readOnlyColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';

test('the console offers all columns of the file except the ID, in their order', () => {
  const fields = [...importColumns, ...readOnlyColumns].map(({ key }) =>
    key.startsWith('manager_') ? 'manager_id' : key.split('.')[0],
  );
  expect(exportColumns).toEqual([...new Set(fields)].filter((field) => field !== 'id'));
});

/** Read as text: the modules need a browser. */
function namesIn(file: string, constant: string): [string, string][] {
  const source = readFileSync(new URL(`../../../packages/console/src/${file}`, import.meta.url), 'utf8');
  const [, body] = source.split(`export const ${constant} = () => ({`);
  return [...body!.split('});')[0]!.matchAll(/^ {2}(\w+): t`(.+)`,$/gm)].map(([, key, name]) => [key!, name!]);
}

test('a field has one name, in the console and in files', () => {
  const names = Object.fromEntries([
    ...namesIn('parts/names.ts', 'fieldLabels'),
    ...namesIn('screens/exports/names.ts', 'columnNames'),
  ]);
  const { manager_name: _, ...headers } = columnHeaders; // only in files
  for (const [key, header] of Object.entries(headers)) {
    const label = key === 'manager_id' ? 'manager_key' : key.replace('emergency_contact.', 'contact_');
    expect([key, names[label]]).toEqual([key, String(header)]);
  }
});
