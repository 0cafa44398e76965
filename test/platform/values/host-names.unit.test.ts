/** Valid host names, and texts that parse to the URL they look like. */
import { isHost, parseAddress } from '../../../src/platform/values/host-names.ts';

test.each([
  'planner.example',
  'planner.example.',
  'localhost',
  'a-b.example',
  'r3---sn.example',
  'project_api_1',
  'xn--mnchen-3ya.example',
  `${'a'.repeat(63)}.example`,
  '127.0.0.1',
  '[::1]',
  '1.example',
])('accepts %s', (hostname) => {
  expect(isHost(hostname)).toBe(true);
});

test.each([
  '',
  '.',
  '*',
  '*.example',
  'a..b',
  '.example',
  'planner.example..',
  "b.example';",
  'b.example;',
  'a,b.example',
  'a"b.example',
  'a!b.example',
  '-a.example',
  'a-.example',
  'xn--',
  'xn--.example',
  'xn--a.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(126)}example`,
])('rejects %j', (hostname) => {
  expect(isHost(hostname)).toBe(false);
});

test('accepts a URL only if it is what it looks like', () => {
  expect(parseAddress('https://Planner.example:443/a b')?.href).toBe('https://planner.example/a%20b');
  for (const text of [
    'https://pla\nnner.example/',
    'https://planner.example/\t',
    ' https://planner.example/',
    'callback',
  ])
    expect(parseAddress(text)).toBeUndefined();
});
