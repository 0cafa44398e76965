import { canonicalJson } from '../../../src/platform/values/canonical-json.ts';

test('matches the example of RFC 8785, section 3.2.2', () => {
  const value = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`);
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('sorts names by UTF-16 code units, including numeric ones (section 3.2.3)', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', '10', '2'];
  const sorted = ['\r', '1', '10', '2', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  const value = Object.fromEntries(names.map((name) => [name, 0]));
  expect(canonicalJson(value)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
});

test('ignores the order of members at any depth, but not that of lists', () => {
  expect(canonicalJson({ a: [{ c: 1, b: 2 }], d: undefined })).toBe(canonicalJson({ a: [{ b: 2, c: 1 }] }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('includes a member named __proto__', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
});
