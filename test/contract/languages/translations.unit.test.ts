/** Everything is translated, in the files that translators edit. */
import { readFileSync } from 'node:fs';
import { po } from 'gettext-parser';

/** The same in English: names and punctuation. */
const same = new Set([
  'null',
  'no',
  'Error: {1}',
  'Console',
  'Webhooks',
  'Endpoint',
  'Error',
  '{1} error',
  'No',
  'ID',
  'URL',
  'OpenID Connect',
  'SAML 2.0',
]);

describe.each([
  ['pt', 'pt_BR'],
  ['es', 'es'],
])('%s.po', (language, locale) => {
  const file = po.parse(
    readFileSync(new URL(`../../../src/contract/languages/${language}.po`, import.meta.url), 'utf8'),
    { validation: true },
  );
  const entries = Object.values(file.translations['']!).filter(({ msgid }) => msgid !== '');

  test('has the right language, and lists words that are the same everywhere', () => {
    expect(file.headers.Language).toBe(locale);
    expect(file.translations['']!['']!.comments!.translator).toMatch(/collaborator = .*company = /s);
  });

  test('misses no translation', () => {
    expect(entries.filter(({ msgstr }) => msgstr.some((form) => form === '')).map(({ msgid }) => msgid)).toEqual([]);
  });

  test('has no fuzzy entries', () => {
    expect(entries.filter(({ comments }) => comments?.flag?.includes('fuzzy'))).toEqual([]);
  });

  test('has the placeholders of the English text in every form', () => {
    const wrong = entries.filter(({ msgid, msgid_plural: msgidPlural, msgstr }) => {
      const placeholders = placeholdersOf(msgidPlural ?? msgid);
      const ofOne = placeholdersOf(msgid);
      return msgstr.some((form, index) => {
        const found = placeholdersOf(form);
        return found !== placeholders && !(index === 0 && found === ofOne);
      });
    });
    expect(wrong.map(({ msgid, msgstr }) => [msgid, ...msgstr])).toEqual([]);
  });

  test('repeats the English text only where listed', () => {
    const repeated = entries.filter(({ msgid, msgstr }) => msgstr[0] === msgid && !same.has(msgid));
    expect(repeated.map(({ msgid }) => msgid)).toEqual([]);
  });

  test('starts and ends like the English text', () => {
    // A greeting ends with a comma in English and a colon in Spanish.
    const edges = (text: string) => [/^\s*/.exec(text)![0], /[.:?…,]?\s*$/.exec(text)![0].replace(',', ':')];
    const wrong = entries.filter(({ msgid, msgstr }) => msgstr.some((form) => `${edges(form)}` !== `${edges(msgid)}`));
    expect(wrong.map(({ msgid, msgstr }) => [msgid, msgstr[0]])).toEqual([]);
  });
});

function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\d+\}/g))].sort().join();
}
