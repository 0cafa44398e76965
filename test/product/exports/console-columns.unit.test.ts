/** Compares the columns that the console offers for an export with those of the file. */
import { exportColumns } from '../../../packages/console/src/screens/exports/columns.ts';
import { importColumns, readOnlyColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';

test('the console offers all columns of the file except the ID, in their order', () => {
  const fields = [...importColumns, ...readOnlyColumns].map(({ key }) =>
    key.startsWith('manager_') ? 'manager_id' : key.split('.')[0],
  );
  expect(exportColumns).toEqual([...new Set(fields)].filter((field) => field !== 'id'));
});
