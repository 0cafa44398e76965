/** No text makes a pattern or a format of the contract slow, however long it is: each is tried on what backtracking hates. */

import { contractAjv } from '../../scripts/generate/contract-ajv.ts';
import { contractOperations, resolve } from '../../src/contract/contract.ts';
import { processorTime } from '../helpers/pace.ts';

/** Far longer than any text a request can have in one field; a quadratic pattern needs half a minute for it. */
const length = 100_000;
const longestMs = 1_000; // of the processor: other processes may keep this one waiting

/** Characters that the patterns repeat, and words that they offer as alternatives. */
const pieces = [
  'a',
  'A',
  '0',
  '_',
  '-',
  ' ',
  '.',
  '(',
  '!',
  '"',
  '/',
  '+',
  ':',
  '%',
  '@',
  'a.',
  'a-',
  ' 0',
  '0 ',
  'a@',
  'name,',
  '-name,',
  ' x',
  '1.1',
  'ab12-',
  '\t',
  'é',
  '/a',
  '*.',
  '::',
  '%20',
];
/** In front and behind: what lets a pattern begin, and what makes it fail at the very end. */
const frames = [
  ['', '\0'],
  ['', '!'],
  ['a', '\u0001'],
  ['"', ''],
  ['+', 'x'],
  ['http://', '\0'],
  ['http://[', ']'],
  ['a@', '@'],
  ['whsec_', '!'],
];

const found = { pattern: new Set<string>(), format: new Set<string>() };
/** What requests are checked by: answers hold what we made ourselves. */
for (const { operation } of contractOperations) collect([operation.parameters, operation.requestBody]);

function collect(node: unknown, seen = new Set<unknown>()): void {
  if (typeof node !== 'object' || node === null) return;
  const target = resolve(node);
  if (seen.has(target)) return;
  seen.add(target);
  for (const [key, value] of Object.entries(target)) {
    if ((key === 'pattern' || key === 'format') && typeof value === 'string') found[key].add(value);
    else collect(value, seen);
  }
}

test('there are some', () => {
  expect(found.pattern.size).toBeGreaterThan(10);
  expect([...found.format]).toEqual(expect.arrayContaining(['email', 'uri', 'date-time']));
});

/** These say what a field is, and are checked by code, not by a format. */
const unchecked = ['binary', 'json', 'csv', 'xlsx', 'int64', 'double'];

const rules = [
  ...[...found.pattern].map((pattern) => [`pattern ${pattern}`, { type: 'string', pattern }] as const),
  ...[...found.format]
    .filter((format) => !unchecked.includes(format))
    .map((format) => [`format ${format}`, { type: 'string', format }] as const),
];

test.each(rules)('%s', async (_, rule) => {
  const validate = contractAjv().compile(rule);
  for (const piece of pieces) {
    for (const [before, after] of frames) {
      const text = before + piece.repeat(Math.floor(length / piece.length)) + after;
      const ms = await processorTime(() => validate(text));
      if (ms > longestMs) throw new Error(`took ${ms.toFixed(0)} ms for ${before}${piece}…${after}`);
    }
  }
});
