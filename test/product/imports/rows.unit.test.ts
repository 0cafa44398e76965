/** Rows and columns as far as they don't depend on the people of the company. */
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { workbook } from '../../platform/sheets/workbooks.ts';
import { fileReader } from './file-reader.ts';

const read = fileReader();

type Line = (string | number | null)[];

const person = (name: string, ...more: Line): Line => [name, `${name.toLowerCase()}@example.com`, 'x', 'y', ...more];

test('only the email column is required to update people', async () => {
  const file = csv([['phone'], ['+1 555']]);
  expect((await read(file, { mode: 'upsert' })).errors).toEqual(['-1 email required']);
});

test('a salary column needs a scope only if it has values, or clears them', async () => {
  const file = (salary: number | null) => csv([[...requiredHeaders, 'salary'], person('Ana', salary)]);
  const without = { may_write_salary: false };
  expect((await read(file(null), without)).errors).toEqual([]);
  expect((await read(file(1), without)).errors).toEqual(['E1 salary field_not_allowed']);
  const clearing = { ...without, mode: 'upsert', empty_cells: 'clear' };
  expect((await read(file(null), clearing)).errors).toEqual(['E1 salary field_not_allowed']);
});

test('a manager’s email takes precedence over an id', async () => {
  const header = [...requiredHeaders, 'manager_id', 'manager_email'];
  const { people } = await read(csv([header, person('Mina', 'of-elsewhere', 'rui.almeida@example.com')]));
  expect(people[0]!.manager).toEqual({ field: 'manager_email', value: 'rui.almeida@example.com' });
});

test('every error of a row is reported by column, in file order', async () => {
  const { errors } = await read(
    csv([
      [...requiredHeaders, 'phone', 'hire_date', 'salary', 'emergency_contact.phone'],
      ['A', 'no address', null, 'x'.repeat(201), 'x'.repeat(101), '2026-02-30', '1,234', 'x'.repeat(101)],
      [null, null, null, null, null, null, null, null],
      person('Good', '+1 234'),
      person('Bad', null, '2026-13-02', -1),
    ]),
  );
  expect(errors).toEqual([
    'A2 name too_short',
    'B2 email invalid_format',
    'C2 position required',
    'D2 department too_long',
    'E2 phone too_long',
    'F2 hire_date invalid_format',
    'H2 emergency_contact.phone too_long',
    'F5 hire_date invalid_format',
    'G5 salary out_of_range',
  ]);
});

test('a formula without a result, an error, or a day before 1900 is an error of its row only', async () => {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const line = (row: number, email: string, more = '') =>
    `<row r="${row}">${text(`A${row}`, 'Name')}${text(`B${row}`, email)}${text(`C${row}`, 'x')}${text(`D${row}`, 'y')}${more}</row>`;
  const header = [...requiredHeaders, 'hire_date', 'salary'];
  const head = `<row r="1">${header.map((value, at) => text(`${'ABCDEF'[at]}1`, value)).join('')}</row>`;
  const rows = [
    line(2, 'f1@example.com', '<c r="F2"><f>SUM(A1:A9)</f></c>'),
    line(3, 'f2@example.com', '<c r="E3" s="1"><v>-5</v></c><c r="F3" t="e"><v>#REF!</v></c>'),
    line(4, 'f3@example.com', '<c r="E4" s="1"><v>46083</v></c>'),
  ];
  const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const { errors, people } = await read(await workbook(head + rows.join(''), { 'xl/styles.xml': styles }));
  expect(errors).toEqual(['F2 salary formula', 'E3 hire_date out_of_range', 'F3 salary invalid_format']);
  expect(people[2]!.fields.hire_date).toBe('2026-03-02');
});

test('the example row of the template and empty rows aren’t people', async () => {
  const example = ['Whoever', ' Ada@Company.Example ', null, null];
  const { table } = await read(csv([requiredHeaders, example, [null, null, null, null], person('Only')]));
  expect(table.rows.map(({ row }) => row)).toEqual([4]);
});
