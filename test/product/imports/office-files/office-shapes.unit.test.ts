/** Real-world office files read as is: people, messages, and errors. */
import { written } from '../../../platform/sheets/other-workbooks.ts';
import { fileReader } from '../file-reader.ts';
import { shapeCases } from './shapes.ts';

const read = fileReader();

test.each(shapeCases.map((each) => [each.title, each] as const))('%s', async (_title, shape) => {
  const found = await read(await shape.file());
  if (shape.message) {
    expect(found.questions[0]?.message ?? found.messages[0]).toMatch(shape.message);
    return;
  }
  const { people = [], warnings = [], errors = [] } = shape;
  expect(found.errors).toEqual(errors);
  expect(found.preview).toEqual(people);
  expect(found.warnings.map(({ code }) => code)).toEqual(warnings);
});

test('sheets with the same headers are combined on request', async () => {
  const file = await shapeCases.find(({ title }) => title.startsWith('a sheet for each department'))!.file();
  const { questions } = await read(file);
  expect(questions[0]!.choices.map(({ answer }) => answer)).toEqual(['Port', 'Lista', '*']);
  const { table, preview, warnings } = await read(file, { sheet: '*' });
  expect(preview.map(({ name }, at) => [table.rows[at]!.row, name])).toEqual([
    [3, 'Rui Reis'],
    [4, 'Maëlle Roux'],
    [5, 'Eva Prado'],
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(['sheets_joined', 'rows_left_out']);
});

test('a sheet without people is ignored beside combined ones, and none of these is said to be', async () => {
  const sheet = (...rows: string[][]) => rows.map((row) => row.map((v) => ({ t: 's' as const, v })));
  const headers = ['Name', 'Email', 'Position', 'Department'];
  const file = written('xlsx', {
    January: sheet(headers, ['Ana Prado', 'ana@sheets.example', 'Driver', 'Fleet']),
    February: sheet(headers, ['Rui Reis', 'rui@sheets.example', 'Driver', 'Fleet']),
    Notes: sheet(['Ask Ana.']),
  });
  const { warnings } = await read(file, { sheet: '*' });
  expect(warnings.map(({ message }) => message)).toEqual([
    'These sheets are read as one list, with continuous row numbers: “January”, “February”',
    'These sheets are ignored: “Notes”',
  ]);
});
