// Hostile values: strings, numbers, structures, and barely valid JSON.
import fc from 'fast-check';

/** XSS payload, which must always be escaped; recognized in any response. */
export const markup = '"\'><img src=x onerror=alert(1)><script>alert(2)</script>';

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0000\u0001\u001f\u007f\u0085',
  '\ud800',
  'a\udc00b',
  '\uFEFFbom',
  '\u202Egnp.exe',
  '\u200B\u200D\u2028\u2029',
  'İıßſK', // case mapping changes their length or script
  'e\u0301\u0301\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(40),
  'x'.repeat(300),
  'x'.repeat(70_000),
  "' or 1=1 --",
  "'; drop table users; --",
  '%%_\\',
  '$1',
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'C:\\Windows\\win.ini',
  'file:///etc/passwd',
  'a\r\nX-Injected: yes\r\n\r\n<html>',
  markup,
  'javascript:alert(1)',
  "=cmd|'/c calc'!A1",
  '@SUM(1)',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '1e400',
  '9007199254740993',
  '0x10',
  '٣',
  '00000000-0000-0000-0000-000000000000',
  '\\u0000',
  '\\ud800',
  '((((((((((((((((((((((((a',
  `${'a'.repeat(40)}!`,
];

const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 + 2,
  2 ** 63,
  1e21,
  1e300,
  -1e300,
  Number.MAX_VALUE,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);

/** An object with own members that shadow built-in ones, as `JSON.parse` creates them. */
const polluted = (text: string) => JSON.parse(text) as unknown;

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...hostileNumbers, null, true, false) },
  fc.constantFrom(
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    polluted('{"toString": "x", "valueOf": "x", "then": "x", "toJSON": "x"}'),
    polluted('{"__proto__": {"isAdmin": true}}'),
    polluted('{"constructor": {"prototype": {"isAdmin": true}}}'),
    nested(60),
    Array.from({ length: 1_200 }, () => 'x'),
    Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`k${n}`, n])),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : { a: [nested(depth - 1)] };
}

/** Makes JSON text questionable, malformed, or invalid as text. */
export const tampering: fc.Arbitrary<(json: string) => Buffer> = fc.constantFrom<((json: string) => Buffer)[]>(
  (json) => Buffer.from(`\uFEFF${json}`),
  (json) => Buffer.from(json.slice(0, -1)),
  (json) => Buffer.from(json.slice(0, json.length / 2)),
  (json) => Buffer.from(`${json}${json}`),
  (json) => Buffer.from(`${json},`),
  (json) => Buffer.from(json.replace(/:[^,}\]]+/, ':NaN')),
  (json) => Buffer.from(json.replace(/:[^,}\]]+/, ':1e400')),
  (json) => Buffer.from(json.replace(/:[^,}\]]+/, ':-0')),
  (json) => Buffer.from(json.replace(/^\{("[^"]*":)/, '{$1 1, $1')), // duplicate name
  (json) => Buffer.from(json.replace(/^\{/, '{"__proto__": {"role": "admin"}, "constructor": 1, ')),
  (json) => Buffer.from(json.replaceAll('"', "'")),
  (json) => Buffer.from(`//\n${json}`),
  (json) =>
    Buffer.concat([Buffer.from(json.slice(0, 2)), Buffer.from([0xff, 0xfe, 0xc0, 0xaf]), Buffer.from(json.slice(2))]),
  (json) => Buffer.from(json, 'utf16le'),
  (json) => Buffer.from(json.replace(/"([^"]*)"/, '"\\ud800$1"')),
  (json) => Buffer.from(json.replace(/"([^"]*)"/, '"\\u0000$1"')),
  () => Buffer.from('['.repeat(100_000)),
  () => Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  () => Buffer.from('null'),
  () => Buffer.from('0'),
  () => Buffer.from('""'),
  () => Buffer.from('[]'),
  () => Buffer.from(' '),
  () => Buffer.from([0]),
  () => Buffer.alloc(0),
  (json) => Buffer.from(`${json}${' '.repeat(1_100_000)}`),
);
