import { readFile } from 'node:fs/promises';
import { examineJson, jsonLimits } from '../../../src/api/http/body/json-structure.ts';
import { contract } from '../../../src/contract/contract.ts';

const { depth, members, items, values, plain, text_bytes: textBytes } = jsonLimits;
const examine = (text: string, separateFields: string[] = [], maxBytes?: number) =>
  examineJson(Buffer.from(text), { separateFields, ...(maxBytes && { max_bytes: maxBytes }) });
const object = (count: number, value = '1') =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}" : ${value}`).join(' , ')}}`;
const list = (count: number, value = '1') => `[${Array.from({ length: count }, () => value).join(',')}]`;
const refusal = (message: RegExp) =>
  expect.objectContaining({ status: 400, code: 'malformed_json', message: expect.stringMatching(message) });

test('the contract and the guide tell how many values a bulk request can have', async () => {
  const { description } = contract.paths['/v1/collaborators/bulk']!.post as { description: string };
  const guide = await readFile(new URL('../../../docs/guides/bulk.md', import.meta.url), 'utf8');
  for (const text of [description, guide]) expect(text).toMatch(new RegExp(`${values.toLocaleString('en')}\\s+values`));
});

test.each([
  ['levels', (n: number) => '['.repeat(n) + ']'.repeat(n), depth, /deeper than 32 levels/],
  ['levels of objects', (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`, depth, /deeper than 32 levels/],
  ['members', object, members, /more than 200 members/],
  ['members further in', (n: number) => `[[{"a":${object(n)}}]]`, members, /more than 200 members/],
  ['items', list, items, /more than 2000 items/],
  ['digits of a number', (n: number) => `[1,${'9'.repeat(n)}]`, plain, /more than 10000 characters/],
  ['blanks', (n: number) => `{"a":${' '.repeat(n - 1)}1}`, plain, /more than 10000 characters/],
  ['bytes of a text', (n: number) => `{"a":"${'a'.repeat(n)}"}`, textBytes, /text of more than 100000 bytes/],
  ['bytes of a name', (n: number) => `{"${'a'.repeat(n)}":1}`, textBytes, /text of more than 100000 bytes/],
  ['items that are objects', (n: number) => list(n, '{}'), items, /more than 2000 items/],
])('limits %s: accepts the maximum and rejects one more', (_, textOf, most, message) => {
  expect(JSON.parse(textOf(most))).toBeDefined();
  expect(examine(textOf(most))).toEqual([]);
  expect(() => examine(textOf(most + 1))).toThrow(refusal(message));
});

test('limits the total number of values at any nesting', () => {
  const many = Math.floor(values / items) + 1;
  expect(() => examine(list(many, list(items)))).toThrow(refusal(/more than 50000 values/));
  expect(examine(list(many - 2, list(items)))).toEqual([]);
});

test('ignores structure inside strings', () => {
  const text = JSON.stringify({ a: '[{,:'.repeat(5_000), 'b"\\,,': '\\"{', c: ['\\\\', '"', ',]}'] });
  expect(examine(text)).toEqual([]);
  expect(() => examine(`{"a":"\\"","b":${list(items + 1)}}`)).toThrow(refusal(/items/));
});

test.each(['', '"', '"\\', '}}}]]]', ',,,', '{"a":"', ':', '{"a"', '\u{feff}{}'])(
  'leaves the invalid JSON %j to the parser',
  (text) => {
    expect(examine(text)).toEqual([]);
  },
);

describe('a long string', () => {
  const long = 'QUJD'.repeat(20_000);

  test('is skipped where it is expected', () => {
    const text = `{ "name": "file", "file" : "${long}", "other": ["file", {"file": "${long}"}] }`;
    const found = examine(text, ['file']);
    expect(found.map(({ name }) => name)).toEqual(['file']);
    expect(text.slice(found[0]!.from, found[0]!.to)).toBe(long);
  });

  test('may contain escapes', () => {
    const escaped = `${long}\\/\\"${long}`;
    const text = `{"file":"${escaped}","b":1}`;
    const [found] = examine(text, ['file']);
    expect(text.slice(found!.from, found!.to)).toBe(escaped);
  });

  test('doesn’t exempt the rest from limits', () => {
    expect(examine(`{"a":1,"file":"${long}"}`, ['file'], 100)).toHaveLength(1);
    const problem = expect.objectContaining({ status: 413 });
    expect(() => examine(`{"other":"${long}"}`, ['file'], 100)).toThrow(problem);
    expect(() => examine(`{"file":"${long}"${' '.repeat(200)}}`, ['file'], 100)).toThrow(problem);
    expect(() => examine(`{"file":"${long}`, ['file'], 100)).toThrow(problem);
  });
});

test('reports an unterminated string before parsing', () => {
  expect(() => examine(`{"a":"${'a'.repeat(textBytes + 1)}`)).toThrow(refusal(/text of more than 100000 bytes/));
});

test('stops at the first excess, wherever the file is', () => {
  const many = `${object(members + 1).slice(0, -1)},"deep":${'['.repeat(depth + 1)}`;
  const file = `"file":"${'QUJD'.repeat(5_000_000)}"`;
  for (const text of [many, `${many},${file}`, `{${file},${many.slice(1)}`]) {
    expect(() => examine(text, ['file'])).toThrow(refusal(/more than 200 members/));
  }
});
