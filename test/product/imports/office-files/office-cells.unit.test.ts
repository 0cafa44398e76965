/** Cells as offices write them: the value that is stored, or a rejection. */
import { csv } from '../../../helpers/resources/imports.ts';
import { fileReader } from '../file-reader.ts';
import { type CellCase, cellCases } from './cells.ts';

const read = fileReader();

/** One person per cell. */
function fileOf({ header, field, delimiter, cells }: CellCase): Buffer {
  const person = { name: 'Ana Prado', email: 'ana@cells.example', position: 'Planner', department: 'Fleet' };
  const others = Object.entries(person).filter(([name]) => name !== field);
  const rows = cells.map(([cell]) => [...others.map(([, value]) => value), cell]);
  return csv([[...others.map(([name]) => name), header], ...rows], delimiter);
}

test.each(cellCases.map((each) => [each.title, each] as const))('%s', async (_title, table) => {
  const file = fileOf(table);
  const { questions } = await read(file);
  expect(questions.map(({ id }) => id)).toEqual(Object.keys(table.answers ?? {}));
  const { people, errors } = await read(file, table.answers);
  const found = table.cells.map(([written], at) => {
    const refused = errors.some((error) => /\d+ \w+/.exec(error)![0] === `${at + 2} ${table.field}`);
    return [written, refused ? 'refused' : (people[at]!.fields[table.field] ?? null)];
  });
  expect(found).toEqual(table.cells);
});
