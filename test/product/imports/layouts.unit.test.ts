/** Files of well-known tools, read as is: the questions asked and the people. */
import { firstsOf } from '../../../src/product/imports/rows/check-rows.ts';
import { managerInFile } from '../../../src/product/imports/rows/find-managers.ts';
import { fileReader } from './file-reader.ts';
import { type LayoutCase, layoutCases } from './layouts/layouts.ts';
import { fullName, type Person, people } from './layouts/people.ts';

const read = fileReader();

function fileOf({ columns, delimiter: semicolon, encoding, above }: LayoutCase, people: readonly Person[]): Buffer {
  const delimiter: string = semicolon ?? ',';
  const cell = (text = '') =>
    text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  const header = Object.keys(columns).map((name) => (name.startsWith('"') ? name : cell(name)));
  const rows = people.map((person) => Object.values(columns).map((write) => cell(write(person))));
  const lines = [...(above === undefined ? [] : [above]), ...[header, ...rows].map((row) => row.join(delimiter))];
  const text = `${lines.join('\r\n')}\r\n`;
  return Buffer.from(encoding ? text.replaceAll('€', '\x80') : text, encoding); // the windows-1252 byte
}

const whole = layoutCases.filter(({ lacks }) => !lacks);

test.each(whole.map((each) => [each.title, each] as const))('%s', async (_title, layout) => {
  const file = fileOf(layout, people);
  const { questions } = await read(file);
  expect(questions.map(({ id }) => id)).toEqual(layout.questions ?? []);
  const answers = Object.fromEntries(questions.map(({ id, choices }) => [id, choices[0]!.answer]));
  const { table, errors, preview: rows, people: found } = await read(file, answers);
  expect([table.layout, errors]).toEqual([layout.tool ?? null, []]);
  expect(rows.map(({ name }) => name!.toLowerCase())).toEqual(people.map((person) => fullName(person).toLowerCase()));
  const { first = {}, hasManagers } = layout;
  const texts = Object.fromEntries(Object.entries(first).map(([field, value]) => [field, String(value)]));
  expect(rows[0]).toMatchObject({ position: 'Planner', department: 'Fleet', ...texts });
  const firsts = await firstsOf(table);
  const managers = found.map(({ manager }) => managerInFile(manager, firsts));
  expect(managers).toEqual([undefined, ...Array(3).fill(hasManagers ? 0 : undefined)]);
  const { status, termination_date: lastDay } = rows[3]!;
  expect(status === 'inactive' || lastDay !== undefined).toBe(/payroll|ADP|Bamboo|salaries/.test(layout.title));
});

const lacking = layoutCases.filter(({ lacks }) => lacks);

test.each(lacking.map((each) => [each.title, each] as const))(
  '%s is rejected with the missing fields',
  async (_title, layout) => {
    const { messages } = await read(fileOf(layout, people));
    for (const field of layout.lacks!) expect(messages).toContain(`There is no column for ${field}.`);
  },
);
