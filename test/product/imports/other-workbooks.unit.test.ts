/** People in other workbook formats, and in CSV files with legacy encodings. */
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { encoded } from '../../platform/sheets/older-encodings.ts';
import { type Cells, kinds, odsOf, odsTable, written } from '../../platform/sheets/other-workbooks.ts';
import { workbook } from '../../platform/sheets/workbooks.ts';
import { fileReader } from './file-reader.ts';

const read = fileReader();

const text = (v: string) => ({ t: 's' as const, v });
const headers = [...requiredHeaders, 'hire_date', 'salary', 'phone', 'employee_number'];
const person = (name: string, email: string): Cells[number] => [
  text(name),
  text(email),
  text('Planner'),
  text('Operations'),
  { t: 'n', v: 46_083, z: 'yyyy-mm-dd' },
  { t: 'n', v: 1_234.56, z: '#,##0.00' },
  { t: 'n', v: 5_511_912_345_678 },
  { t: 'n', v: 7, z: '0000' },
];

test.each(kinds)('%s: dates, numbers, and texts are those of the spreadsheet, and a sheet can be selected', async (kind) => {
  const sheets = { Notes: [[text('nothing here')]], Collaborators: [headers.map(text), person('João Łukasz', 'joao@kinds.example'), person('Ann', 'bad'), []] };
  const { errors, preview } = await read(written(kind, sheets));
  expect(errors).toEqual(['B3 email invalid_format']);
  const numbers = { hire_date: '2026-03-02', salary: '1234.56', phone: '5511912345678', employee_number: '0007' };
  expect(preview).toMatchObject([{ name: 'João Łukasz', ...numbers }, { name: 'Ann', ...numbers }]);
  const { messages } = await read(written(kind, sheets), { sheet: 'Notes' });
  expect(messages[0]).toMatch(/^The file has no headers: row 1 has “nothing here”\./);
}); // biome-ignore format: short

test('formulas are read by result', async () => {
  const cells = requiredHeaders.map((name) => `<table:table-cell office:value-type="string"><text:p>${name}</text:p></table:table-cell>`);
  const formula = '<table:table-cell table:formula="of:=1+2" office:value-type="float" office:value="345"/>';
  const ods = odsTable(cells.join('')).replace('</table:table>', `<table:table-row>${formula}</table:table-row></table:table>`);
  const { warnings, preview } = await read(await odsOf(ods));
  expect(warnings).toEqual([expect.objectContaining({ code: 'formula_results', column: 'A' })]);
  expect(preview).toEqual([{ name: '345' }]);
}); // biome-ignore format: XML

test('accepts a workbook with leftover links and trailing bytes', async () => {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [requiredHeaders, ['Ann', 'ann@links.example', 'Planner', 'Operations']];
  const sheet = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  const bytes = await workbook(sheet, { 'xl/externalLinks/externalLink1.xml': '<x/>' });
  const { errors, preview } = await read(Buffer.concat([bytes, Buffer.alloc(3_000)]));
  expect([errors, preview.length]).toEqual([[], 1]);
});

test('a NUL byte in CSV is an error of its row', async () => {
  const rows = ['A\0nn', 'Bob'].map((name, at) => [name, `zero${at}@zero.example`, 'Planner', 'Operations']);
  const { table, errors } = await read(csv([requiredHeaders, ...rows]));
  expect([table.encoding.encoding, errors]).toEqual(['utf-8', ['A2 name invalid_format']]);
});

describe('CSV in a legacy encoding', () => {
  const file = (encoding: string, ...names: string[]) => {
    const rows = names.map((name, at) => `${name},${at}@encoding.example,Planner,Operations\n`);
    return encoded(`${requiredHeaders.join(',')}\n${rows.join('')}`, encoding);
  };

  test('is detected', async () => {
    const polish = ['Łukasz Wójcik', 'Małgorzata Kamińska', 'Paweł Dąbrowski'];
    const { table, errors, preview } = await read(file('windows-1250', ...polish), { dry_run: false });
    expect([table.encoding, errors]).toEqual([{ encoding: 'windows-1250' }, []]);
    expect(preview.map(({ name }) => name)).toEqual(polish);
  });

  test('is an error without a dry run if uncertain, unless specified', async () => {
    const doubtful = file('windows-1252', 'Begoña');
    const { table, errors, messages } = await read(doubtful, { dry_run: false });
    const guess = { sample: 'Begoña', other_encoding: 'windows-1250', other_sample: 'Begońa' };
    expect(table.encoding).toEqual({ encoding: 'windows-1252', encoding_guess: guess });
    expect(errors).toEqual(['-1 - invalid_format']);
    expect(messages[0]).toMatch(/Begoña.*Begońa.*encoding/);
    const declared = await read(doubtful, { dry_run: false, encoding: 'windows-1250' });
    expect([declared.errors, declared.preview[0]!.name]).toEqual([[], 'Begońa']);
  });

  test('fails with advice if undetectable', async () => {
    const row = 'Jo\xc6o,a@b.example,Gerente de Opera\x87\xe4es,X\n';
    const bytes = Buffer.from(`${requiredHeaders.join()}\n${row}`, 'latin1');
    await expect(read(bytes)).rejects.toMatchObject({ message: expect.stringContaining('UTF-8') });
  });
});
