import { findHeaderRow } from '../../../../src/platform/sheets/headers/header-row.ts';
import { headerMeaning } from '../../../../src/platform/sheets/headers/headers.ts';
import type { Cell } from '../../../../src/platform/sheets/model/types.ts';

const fields = [
  { key: 'name', required: true, aliases: ['Name', 'Nome'] },
  { key: 'email', required: true, aliases: ['E-mail'] },
  { key: 'department', required: true, aliases: ['Department', 'Service', 'Team'] },
  { key: 'location', required: false, aliases: ['Location', 'Office'] },
  { key: 'phone', required: false, aliases: ['Phone'] },
  { key: 'contact.name', required: false, aliases: ['Emergency contact name', 'Emergency contact'] },
  { key: 'contact.phone', required: false, aliases: ['Emergency contact phone'] },
];

/** @param rows by row number, with cells separated by a bar */
function find(rows: Record<number, string>, mapping: Record<string, string | null> = {}) {
  const head = Object.entries(rows).map(([row, text]) => {
    const cells = text.split('|').map((cell): Cell => (cell === '' ? null : /^\d+$/.test(cell) ? Number(cell) : cell));
    return { row: Number(row), cells };
  });
  return findHeaderRow(head, headerMeaning(fields, mapping));
}

test.each<[string, Record<number, string>, number]>([
  ['the first row', { 1: 'Name|E-mail', 2: 'Ann|ann@x.example' }, 1],
  ['below a title and empty rows', { 1: 'Staff list', 4: 'Name|E-mail', 5: 'Ann|ann@x.example' }, 4],
  ['below a title that is a name of a field', { 1: 'Team', 2: 'Name|E-mail|Team', 3: 'Ann|a@x.example|Office' }, 2],
  ['above people with words that are names of fields', { 1: 'Nome|Mail adress|Where|What', 2: 'Ann|a@x.example|Office|Service' }, 1],
  ['headers that are almost names', { 1: 'Our people', 2: 'Place|E-mail (work)|Departmnet', 3: 'x|y|Fleet' }, 2],
  ['one known header, in the first row', { 1: 'E-mail|Shoe size', 2: 'ann@x.example|38' }, 1],
])('finds %s', (_, rows, row) => {
  expect(find(rows)).toMatchObject({ row, rows: [row] });
}); // biome-ignore format: a table

test.each<[string, Record<number, string>]>([
  ['nothing that is known', { 1: 'Staff list', 2: 'a|b|c' }],
  ['people only', { 1: 'Ann|ann@x.example|Office|Service' }],
  ['one known word, and not in the first row', { 1: 'Staff list', 2: 'Ann|Fleet|Office' }],
  [
    'headers behind the tenth row',
    Object.fromEntries([...Array(10).keys()].map((at) => [at + 1, `note ${at}`]).concat([[11, 'Name|E-mail']])),
  ],
])('finds none: %s', (_, rows) => {
  expect(find(rows)).toBeUndefined();
});

test('mapped headers count, including ignored ones', () => {
  expect(find({ 1: 'Staff', 2: 'Who|Where|Badge' }, { Who: 'name', Badge: null })).toMatchObject({ row: 2 });
});

describe('in two rows', () => {
  test('finds a group above some of the headers', () => {
    const found = find({ 1: '|||Emergency contact', 2: 'Name|E-mail|Phone|Name|Phone', 3: 'Ann|a@x.example|1|Bob|2' });
    expect(found).toMatchObject({ row: 2, rows: [1, 2], next: 2 });
    expect(found!.cells).toEqual(['Name', 'E-mail', 'Phone', 'Emergency contact Name', 'Emergency contact Phone']);
  });

  test('finds headers that span both', () => {
    const found = find({ 3: 'Name|E-mail|Emergency contact', 4: '||Name|Phone', 5: 'Ann|a@x.example|Bob|2' });
    expect(found).toMatchObject({ row: 4, rows: [3, 4] });
    expect(found!.cells).toEqual(['Name', 'E-mail', 'Emergency contact Name', 'Emergency contact Phone']);
  });

  test('a title directly above isn’t a group', () => {
    expect(find({ 1: 'Staff list', 2: 'Name|E-mail' })).toMatchObject({ row: 2, rows: [2], cells: ['Name', 'E-mail'] });
  });
});

test.each([
  ['dd/mm/yyyy|(text)|', true],
  ['R$ / ano|required|—', true],
  ['TT.MM.JJJJ|Pflichtfeld', true],
  ['Ann|(text)', false],
  ['-|ann@x.example', false],
  ['(text)|38', false],
])('%s below the headers is a row of units: %s', (below, isOne) => {
  const found = find({ 1: 'Name|E-mail', 2: below, 3: 'Ann|ann@x.example' });
  expect(found).toMatchObject({ row: 1, next: isOne ? 2 : 1 });
  expect(found!.units).toBe(isOne ? 2 : undefined);
  expect(find({ 1: 'Name|E-mail', 4: below })!.units).toBeUndefined();
});
