/** Documentation search: the intended page comes first. */
import type { Excerpt } from '../../../src/api/docs/excerpt.ts';
import { search } from '../../../src/api/docs/search-index.ts';

const textOf = (excerpt: Excerpt) => excerpt.map(({ text }) => text).join('');
const titles = (query: string) => search(query).map(({ title }) => textOf(title));

test.each([
  ['createApp', 'createApp: Register an app'],
  ['register an app', 'createApp: Register an app'],
  ['collaborator.created', 'collaborator.created: Collaborator added'],
  ['insufficient_scope', 'insufficient_scope: '],
  ['INSTALLATIONS', 'Connections and installations'],
])('finds %s first', (query, first) => {
  expect(titles(query)[0]).toMatch(first);
});

test('finds sections of guides by content, with their anchors', () => {
  const found = search('verifier hash state');
  expect(found.map(({ href }) => href)).toContain('/docs/guides/authentication#sign-somebody-in');
  for (const { excerpt } of found) expect(textOf(excerpt).length).toBeLessThan(170);
});

test('matches all words regardless of case, accents, and order', () => {
  expect(titles('scope REQUIRED')).toEqual(titles('réquired scope'));
  expect(search('secret zebra')).toEqual([]);
  for (const nothing of ['', '   ', '<script>alert']) expect(search(nothing)).toEqual([]);
  expect(search('a').length).toBe(30);
});

test.each([
  ['pagnation', '/docs/guides/pagination'],
  ['webhok signature', '/docs/guides/verify-webhooks'],
  ['sdk', '/docs/guides/sdks'],
  ['changelog', '/docs/guides/changelog'],
  ['backup', '/docs/guides/backup'],
  ['refresh token', '/docs/guides/authentication#keep-access'],
])('tolerates typos and searches all groups: %s', (query, href) => {
  const found = search(query).map((each) => each.href);
  expect(found.slice(0, 8).some((each) => each.startsWith(href))).toBe(true);
});

test('marks the matches, and cuts excerpts at word boundaries', () => {
  for (const { title, excerpt } of search('rotate secret')) {
    const hits = [...title, ...excerpt].filter(({ hit }) => hit).map(({ text }) => text.toLowerCase());
    expect(hits.length).toBeGreaterThan(0);
    for (const hit of hits) expect(hit).toMatch(/^(rotat|secret)/);
  }
});
