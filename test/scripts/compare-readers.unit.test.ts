/** Differences between our reader and others, and their explanations. */
import { differences } from '../../scripts/proof/compare-readers/compare.ts';
import type { OurCell } from '../../scripts/proof/compare-readers/own-reader.ts';
import { rules } from '../../scripts/proof/compare-readers/rules.ts';
import { cellName, type FoundCell, positionOf, type Value } from '../../scripts/proof/compare-readers/table.ts';

/** Compares one cell as read by us and by others. */
function compared(ours: OurCell | undefined, theirs: Record<string, Value | undefined>, format = 'xlsx') {
  const sheet = { name: 'A', cells: new Map(ours && [[positionOf(0, 0), ours]]) };
  const cellsOf = (value: Value | undefined): FoundCell[] => (value ? [[0, 0, ...value]] : []);
  const peers = Object.entries(theirs).map(([peer, value]) => [peer, [{ name: 'A', cells: cellsOf(value) }]]);
  return differences(format, [sheet], Object.fromEntries(peers)).found;
}

const problem = (code: 'formula' | 'cell_error' | 'not_finite', text: string): OurCell => ({
  problem: { column: 0, code, text },
});

test.each<[string, OurCell | undefined, Value | undefined]>([
  ['the same text', { value: 'Ana' }, ['text', 'Ana']],
  ['a number to 15 digits', { value: 0.3 }, ['number', 0.30000000000000004]],
  ['a date', { value: '2024-02-29' }, ['date', '2024-02-29']],
  ['a time to the millisecond', { value: '2024-02-29T08:30:00' }, ['date', '2024-02-29T08:29:59.999']],
  ['a formula by its result', problem('formula', '42'), ['number', 42]],
  ['a formula without a result', problem('formula', ''), undefined],
  ['an error', problem('cell_error', '#N/A'), ['error', '#N/A']],
  ['what is no number', problem('not_finite', 'NaN'), ['error', '#NUM!']],
])('agrees on %s', (_, ours, theirs) => {
  expect(compared(ours, { calamine: theirs })).toEqual([]);
});

test.each<[string, OurCell | undefined, Value | undefined]>([
  ['a value that we do not have', undefined, ['text', 'Ana']],
  ['a value that we alone have', { value: 'Ana' }, undefined],
  ['a number as text', { value: '1' }, ['number', 1]],
  ['a date as its number', { value: '2024-02-29' }, ['number', 45_351]],
  ['the day after', { value: '2024-02-29' }, ['date', '2024-03-01']],
  ['a line end', { value: 'a\r\nb' }, ['text', 'a\nb']],
])('reports an unexplained difference: %s', (_, ours, theirs) => {
  const [found] = compared(ours, { calamine: theirs });
  expect(found).toMatchObject({ sheet: 'A', cell: 'A1', peer: 'calamine', withUs: 0, againstUs: 1 });
  expect(rules.filter((rule) => rule.explains(found!, 'people.xlsx'))).toEqual([]);
});

test('outvotes a reader with a unique result, unless ours is built on one that agrees', () => {
  const theirs = { xlsx: ['text', 'Ana'], calamine: ['text', 'Bob'] } satisfies Record<string, Value>;
  const [outvoted] = compared({ value: 'Ana' }, theirs);
  expect(rules.find((rule) => rule.explains(outvoted!, 'people.xlsx'))?.name).toBe('outvoted');
  const [found] = compared({ value: 'Ana' }, theirs, 'xls');
  expect(rules.find((rule) => rule.explains(found!, 'people.xls'))).toBeUndefined();
});

test('names cells as spreadsheet programs do', () => {
  expect([positionOf(0, 0), positionOf(6, 25), positionOf(6, 26), positionOf(1_048_575, 16_383)].map(cellName)).toEqual(
    [...['A1', 'Z7', 'AA7', 'XFD1048576']],
  );
});
