import { buffer } from 'node:stream/consumers';
import * as XLSX from 'xlsx';
import { matchHeaders } from '../../../src/platform/sheets/headers/headers.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { isExample, type Template, writeTemplate } from '../../../src/platform/sheets/template.ts';
import { readAll } from './workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const template: Template = {
  title: 'Add people',
  sheet: 'Collaborators',
  version: '1',
  instructions: [['Rows', 'Fill in one row for each person.']],
  words: {
    ...{ instructions: 'Instructions', column: 'Column', rule: 'Accepted values' },
    ...{ required: 'Required', example: 'Example', yes: 'yes', no: 'no' },
  },
  fields: [
    { key: 'name', label: 'Name', required: true, kind: 'text', hint: 'Full name.', example: 'João Nogueira' },
    {
      key: 'department',
      label: 'Department',
      required: true,
      kind: 'text',
      hint: 'One of the list, or a new one.',
      example: 'Operations',
      rule: { kind: 'list', values: ['Operations', 'R&D, Lab', 'x'.repeat(200)], is_strict: false },
    },
    {
      key: 'phone',
      label: 'Phone',
      required: false,
      kind: 'text',
      hint: 'As you write it.',
      example: '+55 11 91234-5678',
    },
    {
      key: 'hire_date',
      label: 'Hire date',
      required: false,
      kind: 'date',
      hint: 'A date.',
      example: '2026-03-02',
      rule: { kind: 'date' },
    },
    {
      key: 'salary',
      label: 'Salary',
      required: false,
      kind: 'money',
      hint: 'A year.',
      example: 68_400.5,
      rule: { kind: 'number', minimum: 0, maximum: 999_999_999.99 },
    },
  ],
};

test('has headers, an example, instructions, and hidden lists and version', async () => {
  const bytes = await buffer(writeTemplate(template));
  const book = XLSX.read(bytes, { bookProps: false });
  expect(book.SheetNames).toEqual(['Collaborators', 'Instructions', 'Lists']);
  expect(book.Workbook?.Sheets?.map(({ Hidden }) => Hidden)).toEqual([0, 0, 1]);
  expect(book.Custprops).toEqual({ template_version: '1' });
  const [header] = XLSX.utils.sheet_to_json<string[]>(book.Sheets.Collaborators!, { header: 1 });
  expect(header).toEqual(['Name *', 'Department *', 'Phone', 'Hire date', 'Salary']);
  expect(book.Sheets.Lists!.A3.v).toBe('R&D, Lab');
});

test('the importer finds columns, version, and example', async () => {
  const { info, rows } = await readAll(reader, await buffer(writeTemplate(template)));
  expect(info).toMatchObject({ sheet: 'Collaborators', properties: { template_version: '1' } });
  const match = matchHeaders(rows[0]!.cells, template.fields);
  expect(match.keys).toEqual(['name', 'department', 'phone', 'hire_date', 'salary']);
  expect(rows).toHaveLength(2);
  expect(isExample(rows[1]!.cells, match, template.fields)).toBe(true);
  expect(isExample(['Ana', ...rows[1]!.cells.slice(1)], match, template.fields)).toBe(false);
});

test('the example is recognized in a CSV file with fewer columns in another order', async () => {
  const csv = 'Salary;Name *;Department *\n68400.50;João Nogueira;Operations\n68400.50;Ana;Operations\n';
  const { rows } = await readAll(reader, Buffer.from(csv));
  const match = matchHeaders(rows[0]!.cells, template.fields);
  expect(rows.slice(1).map(({ cells }) => isExample(cells, match, template.fields))).toEqual([true, false]);
});

test('the rules describe what a cell may contain', async () => {
  const { rows } = await readAll(reader, await buffer(writeTemplate(template)), { sheet: 'Instructions' });
  expect(rows.map(({ cells }) => cells[0])).toContain('Hire date');
  const archive = XLSX.CFB.read(await buffer(writeTemplate(template)), { type: 'buffer' });
  const sheet = Buffer.from(XLSX.CFB.find(archive, '/xl/worksheets/sheet1.xml')!.content as Uint8Array).toString();
  expect(sheet).toContain('<formula1>Lists!$A$2:$A$4</formula1>');
  const prose = Buffer.from(XLSX.CFB.find(archive, '/xl/worksheets/sheet2.xml')!.content as Uint8Array).toString();
  expect(prose).toContain('<c r="A4" s="16" t="inlineStr"><is><t xml:space="preserve">Column</t>');
  expect(sheet).toContain('type="date"');
  expect(sheet).toContain('<formula2>999999999.99</formula2>');
  expect(sheet).toContain('state="frozen"');
});
