/** Cells as programs and people write them: interpreted by column, asked about, or rejected; never silently changed. */
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { workbook } from '../../platform/sheets/workbooks.ts';
import { fileReader } from './file-reader.ts';

const read = fileReader();

const table = (header: string[], ...rows: (string | number | null)[][]) => {
  const person = (at: number) => [`Someone ${at}`, `someone${at}@cells.example`, 'x', 'y'];
  return csv([[...requiredHeaders, ...header], ...rows.map((row, at) => [...person(at), ...row])]);
};

describe('numbers', () => {
  test('with thousands separators follow other numbers of the column', async () => {
    const { preview, errors, warnings } = await read(
      table(['Salário'], ['68.400'], ['3.500'], ['54.000,00'], ['1.250.000,00']),
    );
    expect(preview.map(({ salary }) => salary)).toEqual(['68400', '3500', '54000', '1250000']);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      {
        code: 'decimal',
        message: 'Numbers are read with a decimal comma, as row 4 shows; the one in row 2 is ambiguous.',
        column: 'E',
      },
    ]);
  });

  test('that stay ambiguous are asked about in a dry run with both readings, and an error of the column without one', async () => {
    const file = table(['salary'], ['68.400'], ['3.500']);
    expect((await read(file)).questions).toEqual([
      {
        ...{ id: 'decimal', kind: 'decimal', column: null },
        message: 'How are the numbers written? The one in row 2 can be read in two ways.',
        choices: [
          { answer: 'comma', label: 'The comma is before the decimals', example: '68.400 = 68400' },
          { answer: 'point', label: 'The point is before the decimals', example: '68.400 = 68.4' },
        ],
      },
    ]);
    const { preview } = await read(file, { decimal: 'comma' });
    expect(preview.map(({ salary }) => salary)).toEqual(['68400', '3500']);
    const refused = await read(file, { dry_run: false });
    expect(refused.errors).toEqual(['E1 salary unclear_numbers']);
    expect(refused.messages[0]).toMatch(
      /can be read in two ways, as in row 2: with a decimal comma, or with a decimal point/,
    );
  });

  test('drop currencies with a warning, and anything else is an error of the row', async () => {
    const found = await read(table(['salary'], ['R$ 3.500,00'], ['R$ 68.400,50'], ['a combinar']));
    expect(found.preview.map(({ salary }) => salary)).toEqual(['3500', '68400.5', 'a combinar']);
    expect(found.warnings).toEqual([expect.objectContaining({ code: 'currency', column: 'E' })]);
    expect(found.errors).toEqual(['E4 salary invalid_type']);
  });
});

describe('names', () => {
  const namesOf = async (headers: string[], rows: string[][], settings: Parameters<typeof read>[1] = {}) => {
    const lines = rows.map((row, at) => [...row, `n${at}@cells.example`, 'x', 'y']);
    const found = await read(csv([[...headers, 'email', 'position', 'department'], ...lines]), settings);
    return { ...found, names: found.preview.map(({ name }) => name), codes: found.warnings.map(({ code }) => code) };
  };

  test.each([
    [['Nome', 'Sobrenome'], ['Ana', 'Prado']],
    [['Name', 'Vorname'], ['Prado', 'Ana']],
  ])('are joined from %j', async (headers, row) => {
    expect(await namesOf(headers, [row])).toMatchObject({ names: ['Ana Prado'], codes: ['names_joined'] });
  });

  test('a full name column takes precedence over its parts', async () => {
    const { names, table } = await namesOf(['Nome', 'Sobrenome'], [['Ana Maria Prado', 'Prado'], ['Rui', '']]);
    expect(names).toEqual(['Ana Maria Prado', 'Rui']);
    expect(table.columns[1]).toMatchObject({ field: null });
  });

  test('two columns mapped to the name are joined in the order of the mapping', async () => {
    const mapping = { Second: 'name', First: 'name' };
    expect((await namesOf(['First', 'Second'], [['a', 'b']], { mapping })).names).toEqual(['b a']);
  });

  test('an ignored part of the name is reported', async () => {
    const { warnings } = await namesOf(['Nome', 'Sobrenome'], [['Ana', 'Prado']], { mapping: { Sobrenome: null } });
    expect(warnings).toEqual([expect.objectContaining({ code: 'half_name', column: 'B' })]);
  });

  test('a partial name is never taken for the full one', async () => {
    const { questions } = await namesOf(['Vorname'], [['Ana']]);
    expect(questions).toMatchObject([{ id: 'column:name', kind: 'column', choices: [{ answer: 'A' }] }]);
  });

  test('with the family name first are swapped if all are, asked about if some are, and kept if it means something else', async () => {
    const all = await namesOf(['Name'], [['Prado, Ana'], ['Reis, Rui']]);
    expect(all.names).toEqual(['Ana Prado', 'Rui Reis']);
    expect(all.warnings).toEqual([expect.objectContaining({ code: 'names_turned', column: 'A' })]);
    const some = [['Prado, Ana'], ['Rui Reis']];
    expect((await namesOf(['Name'], some)).questions).toMatchObject([{ id: 'name_order', choices: [{ answer: 'family_first', example: 'Ana Prado' }, { answer: 'as_written' }] }]);
    expect((await namesOf(['Name'], some, { name_order: 'family_first' })).names).toEqual(['Ana Prado', 'Rui Reis']);
    expect((await namesOf(['Name'], [['Ana Prado, Jr.']])).names).toEqual(['Ana Prado, Jr.']);
  });
}); // biome-ignore format: short

describe('cells', () => {
  test('placeholders are empty, with one warning', async () => {
    const found = await read(table(['phone', 'salary', 'hire_date'], ['NULL', 'NA', 'NaT'], ['-', '\\N', 'N/A'], ['n/d', '-', '-']));
    expect(found.errors).toEqual([]);
    expect(found.preview[0]).not.toHaveProperty('phone');
    expect(found.warnings).toEqual([{ code: 'placeholders', message: 'These are read as empty cells: NULL  NA  NaT  -  \\N', column: null }]);
  });

  test('formula errors, rounded numbers, and lost characters are errors', async () => {
    const file = table(['phone', 'employee_number'], ['#REF!', '1'], ['5,51199E+12', '2'], ['x', 'N\ufffd1'], ['+55 11', '="0042"']);
    const { errors, preview } = await read(file);
    expect(errors).toEqual(['E2 phone invalid_format', 'E3 phone invalid_format', 'F4 employee_number invalid_format']);
    expect(preview[3]).toMatchObject({ employee_number: '0042' });
  });

  test('a workbook number over 15 digits has lost precision, and formulas count by result', async () => {
    const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const header = [...requiredHeaders, 'employee_number'].map((name, at) => text(`${'ABCDE'[at]}1`, name)).join('');
    const line = (row: number, number: string) =>
      `<row r="${row}"><c r="A${row}" t="str"><f>B1</f><v>Ana ${row}</v></c>${text(`B${row}`, `f${row}@cells.example`)}${text(`C${row}`, 'x')}${text(`D${row}`, 'y')}<c r="E${row}"><v>${number}</v></c></row>`;
    const rows = line(2, '1234567890123456') + line(3, '42');
    const { errors, preview, warnings } = await read(await workbook(`<row r="1">${header}</row>${rows}`));
    expect(errors).toEqual(['E2 employee_number invalid_format']);
    expect(preview[1]).toMatchObject({ name: 'Ana 3', employee_number: '42' });
    expect(warnings).toEqual([expect.objectContaining({ code: 'formula_results', column: 'A' })]);
  });

  test('garbled texts are asked about and repaired', async () => {
    const file = table(['location'], ['SÃ£o Paulo'], ['Porto']);
    expect((await read(file)).questions).toMatchObject([{ id: 'garbled_text', choices: [{ answer: 'repair', example: 'São Paulo' }, { answer: 'keep', example: 'SÃ£o Paulo' }] }]);
    expect((await read(file, { garbled_text: 'repair' })).preview[0]!.location).toBe('São Paulo');
  });
}); // biome-ignore format: short

describe('columns', () => {
  test('that are unknown are ignored in a dry run, even more than 50, and rejected without one', async () => {
    const many = Array.from({ length: 80 }, (_, at) => `Custom ${at}`);
    const file = table(many, many.map(() => 'z'));
    const { errors, warnings } = await read(file);
    expect([errors, warnings]).toEqual([[], [expect.objectContaining({ code: 'columns_left_out', column: 'E' })]]);
    expect((await read(file, { dry_run: false })).errors).toHaveLength(80);
    expect((await read(file, { dry_run: false, unknown_columns: 'ignore' })).errors).toEqual([]);
    expect((await read(file, { unknown_columns: 'refuse' })).errors).toHaveLength(80);
  });

  test('two for one field are no question if they agree', async () => {
    expect((await read(table(['Telefone', 'Celular'], ['1', '1'], ['2', null]))).errors).toEqual([]);
  });

  test('with zero dates count as empty, with one warning', async () => {
    const zeros = ['0000-00-00', '0000-00-00 00:00:00', '00/00/0000'];
    const rows = [...zeros, '2026-03-02'].map((date, at) => [date, at === 3 ? zeros[0]! : null]);
    const { errors, warnings } = await read(table(['hire_date', 'termination_date'], ...rows));
    const message = expect.stringContaining('0000-00-00');
    expect(errors).toEqual([]);
    expect(warnings).toEqual(['E', 'F'].map((column) => ({ code: 'zero_dates', message, column })));
  });
}); // biome-ignore format: short
