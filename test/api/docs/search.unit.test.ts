/** Searching the documentation: the thing that is meant comes first, whatever it is. */
import { search } from '../../../src/api/docs/search-index.ts';

const titles = (query: string) => search(query).map(({ title }) => title);

test.each([
  ['createApp', 'createApp: Register an app'],
  ['register an app', 'createApp: Register an app'],
  ['collaborator.created', 'collaborator.created: A collaborator was added'],
  ['insufficient_scope', 'insufficient_scope: '],
  ['INSTALLATIONS', 'Connections and installations'],
])('%s', (query, first) => {
  expect(titles(query)[0]).toMatch(first);
});

test('parts of guides are found by what stands in them, with their address', () => {
  const found = search('verifier hash state');
  expect(found.map(({ href }) => href)).toContain('/docs/guides/authentication#sign-somebody-in');
  for (const { excerpt } of found) expect(excerpt.length).toBeLessThan(170);
});

test('every word has to be there, in whatever case, accents and order', () => {
  expect(titles('scope REQUIRED')).toEqual(titles('réquired scope'));
  expect(search('secret zebra')).toEqual([]);
  for (const nothing of ['', '   ', '<script>alert']) expect(search(nothing)).toEqual([]);
  expect(search('a').length).toBe(30);
});
