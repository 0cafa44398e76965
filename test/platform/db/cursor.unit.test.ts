import { randomBytes } from 'node:crypto';
import { Problem } from '../../../src/contract/problem.ts';
import { createCursors, keysetPage } from '../../../src/platform/db/cursor.ts';

const cursors = createCursors([Buffer.alloc(32, 7)]);
const binding = { operation: 'listThings', company_id: 'a', filters: { status: 'active', search: undefined } };
const position = ['2026-03-02T09:15:00.000Z', 42, null, '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30'];

const refused = (cursor: string, to: unknown = binding, by = cursors) => {
  expect(() => by.open(cursor, to)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_cursor' }));
  expect(() => by.open(cursor, to)).toThrow(Problem);
};

test('opens to the sealed position', () => {
  expect(cursors.open(cursors.seal(position, binding), binding)).toEqual(position);
  expect(cursors.open(cursors.seal([], null), null)).toEqual([]);
});

test('a binding is compared by content in any order, ignoring undefined', () => {
  const same = { filters: { status: 'active' }, company_id: 'a', operation: 'listThings' };
  expect(cursors.open(cursors.seal(position, binding), same)).toEqual(position);
});

test.each([
  ['another company', { ...binding, company_id: 'b' }],
  ['other filters', { ...binding, filters: { status: 'inactive' } }],
  ['one filter more', { ...binding, sort: 'name' }],
  ['a list with the same values', Object.values(binding)],
  ['nothing', null],
])('rejects another binding: %s', (_, other) => {
  refused(cursors.seal(position, binding), other);
});

test('rejects any modified character and any truncation', () => {
  const cursor = cursors.seal(position, binding);
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    refused(cursor.slice(0, at) + other + cursor.slice(at + 1));
    refused(cursor.slice(0, at));
  }
});

test.each(['x', '.', '~~~~', 'eyJ2IjoxfQ', 'A'.repeat(1024), randomBytes(200).toString('base64url')])(
  'rejects garbage: %s',
  (garbage) => refused(garbage),
);

test('rejects characters that decoding would ignore', () => {
  const cursor = cursors.seal(position, binding);
  for (const altered of [`${cursor}=`, `${cursor}~`, `.${cursor}`, cursor.replaceAll('_', '/')]) {
    if (altered !== cursor) refused(altered);
  }
});

test('rejects a cursor of a service with another key', () => {
  refused(createCursors([randomBytes(32)]).seal(position, binding));
});

test('hides the position, and whether two are equal', () => {
  const salaries = ['salary', 48_000];
  const cursor = cursors.seal(salaries, binding);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('salary');
  expect(cursors.seal(salaries, binding)).not.toBe(cursor);
});

test('stays within the alphabet and length of the contract in any script', () => {
  for (const letter of ['x', 'é', '漢', '🌊', '"']) {
    const cursor = cursors.seal([letter.repeat(200), letter.repeat(200), position[3]], binding);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,8192}$/);
    expect(cursors.open(cursor, binding)[0]).toBe(letter.repeat(200));
  }
});

describe('keysetPage', () => {
  const after = (row: number) => `after ${row}`;

  test.each([
    [[], 2, [], null],
    [[1, 2], 2, [1, 2], null],
    [[1, 2, 3], 2, [1, 2], 'after 2'],
  ])('splits %j into pages of %i', (rows, limit, expectedRows, nextCursor) => {
    const pagination = { hasMore: nextCursor !== null, nextCursor };
    expect(keysetPage(rows, limit, after)).toEqual({ rows: expectedRows, pagination });
  });
});
