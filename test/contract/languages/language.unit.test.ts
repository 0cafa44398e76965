import { languageOfLocale, requestedLanguage } from '../../../src/contract/languages/language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['pt', 'pt'],
  ['pt-BR', 'pt'],
  ['PT-br', 'pt'],
  ['pt-PT', 'pt'],
  ['es-419', 'es'],
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['de', 'en'],
  ['de, es;q=0.1', 'es'],
  ['pt;q=0.5, es;q=0.8', 'es'],
  ['en;q=0.2, pt;q=0.2', 'en'],
  ['pt;q=0', 'en'],
  ['*, en;q=0', 'pt'],
  ['*;q=0.1, es;q=0', 'en'],
  ['en;q=0', 'en'], // a text needs some language
  ['pt;q=abc', 'en'],
  [';;;,,,=', 'en'],
  ['português', 'en'],
  [`${'de,'.repeat(100_000)}es`, 'en'], // only the beginning is parsed
  [['pt', 'es'], 'pt'],
])('Accept-Language %j selects %s', (header, language) => {
  expect(requestedLanguage(header)).toBe(language);
});

test.each([
  ['pt-BR', 'pt'],
  ['PT', 'pt'],
  ['es-AR', 'es'],
  ['en-GB', 'en'],
  ['de', undefined],
  ['est', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the locale %j selects %s', (locale, language) => {
  expect(languageOfLocale(locale)).toBe(language);
});
