import { fieldValue } from '../../../../src/platform/sheets/cells/cell-values.ts';
import { matchHeaders } from '../../../../src/platform/sheets/headers/headers.ts';
import { columnLetter, columnOf } from '../../../../src/platform/sheets/model/letters.ts';

const fields = [
  { key: 'name', required: true, aliases: ['Full name'] },
  { key: 'email', required: true, aliases: ['E-mail', 'Mail'] },
  { key: 'hire_date', required: false, aliases: ['Hire date'] },
];

test.each([
  [
    ['name', 'email', 'hire_date'],
    ['name', 'email', 'hire_date'],
  ],
  [
    ['Hire date', 'FULL NAME *', ' e-mail'],
    ['hire_date', 'name', 'email'],
  ],
  [
    ['mail', 'Full\u00a0Name', 'Hire_Date'],
    ['email', 'name', 'hire_date'],
  ],
  [
    ['Name', null, 'Email'],
    ['name', undefined, 'email'],
  ],
])('matches %j', (header, keys) => {
  expect(matchHeaders(header, fields).keys).toEqual(keys);
});

test('reports and ignores other columns', () => {
  const match = matchHeaders(['name', 'email', 'Shoe size', null], fields);
  expect(match.unknown).toEqual([{ column: 2, header: 'Shoe size' }]);
  expect(match.columns.get('email')).toBe(1);
});

test('a mapping overrides the header', () => {
  const mapping = { Funcionário: 'name', name: null, Correio: 'email' };
  expect(matchHeaders(['name', 'FUNCIONÁRIO', 'correio'], fields, mapping).keys).toEqual([undefined, 'name', 'email']);
});

test('reports missing, duplicate, and wrongly mapped headers', () => {
  expect(matchHeaders(['name'], fields).missing).toEqual(['email']);
  expect(matchHeaders([], fields).missing).toEqual(['name', 'email']);
  const match = matchHeaders(['name', 'email', 'Full name'], fields);
  expect(match.doubled).toEqual([{ column: 2, key: 'name', first: 0 }]);
  expect(match.keys).toEqual(['name', 'email', undefined]);
  expect(matchHeaders(['name', 'email'], fields, { Nome: 'name', email: null })).toMatchObject({
    absent: ['Nome'],
    missing: ['email'],
    unknown: [],
  });
});

test('converts column numbers to letters', () => {
  const letters = [0, 25, 26, 51, 701, 702, 16_383].map(columnLetter);
  expect(letters).toEqual(['A', 'Z', 'AA', 'AZ', 'ZZ', 'AAA', 'XFD']);
  expect(letters.map((letter) => columnOf(`${letter}7`))).toEqual([0, 25, 26, 51, 701, 702, 16_383]);
  expect(columnOf('7')).toBe(-1);
});

test.each([
  [5_511_912_345_678, 'text', '5511912345678'],
  [1e21, 'text', '1000000000000000000000'],
  [' 68400.50 ', 'money', 68_400.5],
  ['68.400,50', 'money', 68_400.5],
  ['1,068,400.5', 'money', 1_068_400.5],
  ['1.068.400', 'money', 1_068_400],
  ['68 400,50', 'money', 68_400.5],
  ["68'400.50", 'money', 68_400.5],
  ['68\u202f400', 'money', 68_400],
  ['-68400,5', 'money', -68_400.5],
  ['68,400', 'money', '68,400'],
  ['68.400.50', 'money', '68.400.50'],
  ['6.84.00,50', 'money', '6.84.00,50'],
  ['R$ 68.400,50', 'money', 'R$ 68.400,50'],
  ['50%', 'money', '50%'],
  ['\u00a0 Ana  Maria\u200b ', 'text', 'Ana  Maria'],
  [' \u00a0', 'text', null],
  [`a${' '.repeat(32_000)}b`, 'text', `a${' '.repeat(32_000)}b`],
  ['1e3', 'number', '1e3'],
  ['2026-03-02T00:00:00', 'date', '2026-03-02'],
  ['2/3/2026', 'date', '2/3/2026'],
  ['TRUE', 'boolean', true],
  ['maybe', 'boolean', 'maybe'],
  [null, 'text', null],
  ['\u00a0 Ana  Silva\u00a0', 'text', 'Ana  Silva'],
  [' \u00a0 ', 'text', null],
  ['007', 'text', '007'],
  [1.5, 'text', '1.5'],
  [0.0000001, 'text', '0.0000001'],
  [true, 'text', 'TRUE'],
  ['50%', 'text', '50%'],
  [' 12.5 %', 'number', 0.125],
  ['50%', 'money', '50%'],
  ['\u00a068400\u00a0', 'money', 68_400],
  [' true ', 'boolean', true],
  [0, 'boolean', false],
  [2, 'boolean', 2],
] as const)('%j as %s is %j', (cell, kind, value) => {
  expect(fieldValue(cell, kind)).toBe(value);
});
