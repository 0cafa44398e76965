/** Every text is there in each language, with the same places for values. */
import { readFileSync } from 'node:fs';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../src/messages/${name}.json`, import.meta.url), 'utf8')) as Record<string, string>;
const en = read('en');
const pt = read('pt-BR');

const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

test('both languages have the same texts', () => {
  expect(Object.keys(pt).sort()).toEqual(Object.keys(en).sort());
});

test.each(Object.keys(en))('%s', (key) => {
  expect(pt[key]).not.toBe('');
  // The form for one, or for none, may leave the number out.
  if (/_(zero|one)$/.test(key)) expect(places(en[key]!)).toEqual(expect.arrayContaining(places(pt[key]!)));
  else expect(places(pt[key]!)).toEqual(places(en[key]!));
});
