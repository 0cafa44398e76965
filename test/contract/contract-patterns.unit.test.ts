/** No pattern or format of the contract is slow on any text (ReDoS): each is tested with inputs that provoke backtracking. */

import { contractAjv } from '../../scripts/generate/contract-ajv.ts';
import { contractOperations, resolve } from '../../src/contract/contract.ts';
import { processorTime } from '../helpers/timing.ts';

/** Far longer than any text in a request; a quadratic pattern takes half a minute. */
const length = 100_000;
const maxMs = 1_000; // CPU time, because other processes may delay this one

/** Characters that the patterns repeat, and words from their alternatives. */
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
/** Prefixes that let a pattern start, and suffixes that make it fail at the end. */
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
/** Only schemas of requests, because responses are our own data. */
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

test('finds patterns and formats', () => {
  expect(found.pattern.size).toBeGreaterThan(10);
  expect([...found.format]).toEqual(expect.arrayContaining(['email', 'uri', 'date-time']));
});

/** These describe a field, and are checked by code instead of a format. */
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
      if (ms > maxMs) throw new Error(`took ${ms.toFixed(0)} ms for ${before}${piece}…${after}`);
    }
  }
});
