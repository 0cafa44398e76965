/** Hand-made tables: parts that are recognized or ignored, and questions. */
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { written } from '../../platform/sheets/other-workbooks.ts';
import { fileReader, type ReadFile } from './file-reader.ts';

const read = fileReader();

const headers = [...requiredHeaders, 'hire_date'];
const person = (handle: string, hireDate: string | number | null = null) => {
  return [`Person ${handle}`, `${handle}@example.com`, 'Driver', 'Fleet', hireDate];
};
const daysOf = ({ people }: ReadFile) => people.map(({ fields }) => fields.hire_date);

describe('headers', () => {
  test('can follow a title and empty rows, and row numbers refer to the file', async () => {
    const above = [['Staff list 2026'], [], ['as of', '2026-03-02']];
    const { table, errors, warnings } = await read(csv([...above, headers, person('tina'), person('bad address')]));
    expect([table.header_row, errors]).toEqual([4, ['B6 email invalid_format']]);
    expect(warnings).toEqual([
      { code: 'rows_left_out', message: 'The headers are in row 4. The rows above them are skipped.', column: null },
    ]);
  });

  test('that are missing are one error, with found and expected names', async () => {
    const found = await read(csv([['Staff list 2026'], [], ['Ann', 'ann@example.com', 'Driver']]));
    expect([found.table.header_row, found.table.columns, found.warnings]).toEqual([null, [], []]);
    expect(found.errors).toEqual(['-1 - required']);
    expect(found.messages).toEqual([
      'None of the first 2 rows has the headers: row 1 has “Staff list 2026”. Add a row with the column names, such as name, email, position, and department.',
    ]);
  });

  test('can span two rows with merged cells, and have units below', async () => {
    const { table, errors, warnings, people } = await read(
      csv([
        [null, null, null, null, 'Emergency contact', null],
        ['Name', 'Email', 'Position', 'Department', 'Name', 'Phone'],
        ['(text)', '(text)', '(text)', '(text)', null, '-'],
        ['Uma', 'uma@example.com', 'Driver', 'Fleet', 'Bob', '123'],
      ]),
    );
    expect([table.header_row, errors]).toEqual([2, []]);
    expect(table.columns.slice(4).map(({ header, field }) => [header, field])).toEqual([
      ['Emergency contact Name', 'emergency_contact.name'],
      ['Emergency contact Phone', 'emergency_contact.phone'],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'Row 3 has the units of the headers above it, and is ignored.',
    ]);
    expect(people[0]!.fields.emergency_contact).toEqual({ name: 'Bob', phone: '123' });
  });

  test('of a row number column are ignored, but not of another without a name', async () => {
    const numbered = await read(csv([[null, ...headers], ...[0, 1].map((at) => [at, ...person(`ivo${at}`)])]));
    expect(numbered.errors).toEqual([]);
    expect(numbered.warnings).toEqual([expect.objectContaining({ code: 'column_left_out', column: 'A' })]);
    const other = csv([
      [null, ...headers],
      [7, ...person('ike')],
    ]);
    expect((await read(other)).errors).toEqual(['A1 - required']);
  });

  test.each([
    ['pt', 'Nome;E-mail;Cargo;Departamento;Data de Admissao'],
    ['es', 'Nombre;Correo electrónico;Puesto;Departamento;Fecha de ingreso'],
    ['de', 'Name;E-Mail-Adresse;Stelle;Abteilung;Eintrittsdatum'],
    ['fr', "Nom;Courriel;Poste;Service;Date d'embauche"],
  ])('in %s need no mapping', async (_language, header) => {
    const { errors, warnings, people } = await read(csv([header.split(';'), person('ling', '2026-03-02')]));
    expect([errors, warnings]).toEqual([[], []]);
    const fields = { name: 'Person ling', email: 'ling@example.com', position: 'Driver', department: 'Fleet' };
    expect(people[0]!.fields).toEqual({ ...fields, hire_date: '2026-03-02' });
  });

  test('close to a known name are guessed in a dry run, and without one an error with suggestions', async () => {
    const file = csv([
      ['Name', 'E-Mail (dienstlich)', 'Stelle', 'Abteilnug'],
      ['Götz', 'goetz@example.com', 'Planer', 'Fuhrpark'],
    ]);
    const columnsOf = ({ table }: ReadFile) => table.columns.map(({ field, guessed }) => [field, guessed]);
    const dry = await read(file);
    expect(dry.errors).toEqual([]);
    expect(columnsOf(dry)).toEqual([
      ['name', false],
      ['email', true],
      ['position', false],
      ['department', true],
    ]);
    const refused = await read(file, { dry_run: false });
    expect(refused.errors).toEqual([
      'B1 - field_not_allowed',
      'D1 - field_not_allowed',
      '-1 email required',
      '-1 department required',
    ]);
    expect(refused.messages[1]).toContain('may be department');
    const committed = await read(file, { dry_run: false, committed_at: '2026-03-02T00:00:00Z' });
    expect([committed.errors, columnsOf(committed)]).toEqual([[], columnsOf(dry)]);
    const mapping = { 'E-Mail (dienstlich)': 'email', ABTEILNUG: 'department' };
    const mapped = await read(file, { dry_run: false, mapping });
    expect(mapped.errors).toEqual([]);
    expect(columnsOf(mapped).some(([, guessed]) => guessed)).toBe(false);
  });
});

describe('dates as text', () => {
  const file = csv([headers, person('dana', '03/02/2024'), person('dirk', '29/02/2024')]);

  test('without a dry run, the assumed order is an error of the column until specified', async () => {
    expect((await read(file, { dry_run: false })).errors).toEqual(['E1 hire_date unclear_dates']);
    const specified = await read(file, { dry_run: false, date_order: 'dmy' });
    expect([specified.warnings, daysOf(specified)]).toEqual([[], ['2024-02-03', '2024-02-29']]);
  });

  test('two possible orders are asked about in a dry run, and an error with both readings without one', async () => {
    const ambiguous = csv([headers, person('edda', '03/02/24')]);
    const { questions } = await read(ambiguous);
    expect(questions).toMatchObject([{ id: 'date_order' }]);
    expect(questions[0]!.choices).toMatchObject([
      { answer: 'dmy', example: '03/02/24 = 2024-02-03' },
      { answer: 'mdy', example: '03/02/24 = 2024-03-02' },
      { answer: 'ymd', example: '03/02/24 = 2003-02-24' },
    ]);
    const refused = await read(ambiguous, { dry_run: false });
    expect(refused.errors).toEqual(['E1 hire_date unclear_dates']);
    expect(refused.messages[0]).toMatch(
      /2024-02-03 with the day first, and 2024-03-02 with the month first.*`date_order`/,
    );
    expect(daysOf(await read(ambiguous, { date_order: 'mdy' }))).toEqual(['2024-03-02']);
  });

  test('month names, year first, and a midnight time need no question', async () => {
    const days = ['3 Feb 2024', '3 de fevereiro de 2024', '2024/02/03', '2024-02-03 00:00:00', '20240203'];
    const found = await read(csv([headers, ...days.map((day, at) => person(`fay${at}`, day))]));
    expect([found.errors, found.warnings]).toEqual([[], []]);
    expect(daysOf(found)).toEqual(days.map(() => '2024-02-03'));
  });

  test('invalid dates and times are one error of the row', async () => {
    const rows = [person('gus', '29/02/2024 08:30'), person('gil', 'soon'), person('no address', '29/02/2024')];
    const { errors } = await read(csv([headers, ...rows]), { date_order: 'dmy' });
    expect(errors).toEqual(['E2 hire_date invalid_format', 'E3 hire_date invalid_format', 'B4 email invalid_format']);
  });
});

test.each([
  ['xlsx', false],
  ['ods', true],
] as const)('serial dates in an %s that counts from 1904: %s', async (kind, from1904) => {
  const cells = person('serial', from1904 ? 43_889 : 45_351).map((v) => ({ t: typeof v === 'number' ? 'n' : 's', v }) as never);
  const file = written(kind, { People: [headers.map((v) => ({ t: 's', v })), cells] }, from1904);
  expect((await read(file, { dry_run: false })).errors).toEqual(['E1 hire_date unclear_dates']);
  const dry = await read(file);
  expect(dry.warnings).toEqual([expect.objectContaining({ code: 'serial_dates', column: 'E' })]);
  expect(daysOf(dry)).toEqual(['2024-02-29']);
}); // biome-ignore format: short
