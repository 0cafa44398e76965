import {
  allOf,
  anyOf,
  asIs,
  fromContract,
  say,
  sayMany,
  sentences,
  Text,
} from '../../../src/contract/languages/text.ts';

const characters = (count: number) =>
  sayMany(count, say`Must have at most ${count} character.`, say`Must have at most ${count} characters.`);

test('is English by default', () => {
  const text = say`Must be at most ${5}.`;
  expect(`${text}`).toBe('Must be at most 5.');
  expect(JSON.stringify({ message: text })).toBe('{"message":"Must be at most 5."}');
});

test('is translated with its values', () => {
  expect(say`Must be at most ${5}.`.in('pt')).toBe('Deve ser no máximo 5.');
  expect(say`Must be at most ${5}.`.in('es')).toBe('Debe ser como máximo 5.');
});

test.each([
  [1, 'Must have at most 1 character.', 'Deve ter no máximo 1 caractere.', 'Debe tener como máximo 1 carácter.'],
  [2, 'Must have at most 2 characters.', 'Deve ter no máximo 2 caracteres.', 'Debe tener como máximo 2 caracteres.'],
  // Portuguese uses the singular for zero.
  [0, 'Must have at most 0 characters.', 'Deve ter no máximo 0 caractere.', 'Debe tener como máximo 0 caracteres.'],
  // Portuguese and Spanish have a separate form for a million, with the same wording as the plural.
  [1e6, 'Must have at most 1000000 characters.', 'Deve ter no máximo 1000000 caracteres.', /1000000 caracteres/],
])('pluralizes %d by the rules of each language', (count, en, pt, es) => {
  expect(characters(count).in('en')).toBe(en);
  expect(characters(count).in('pt')).toBe(pt);
  expect(characters(count).in('es')).toMatch(es);
});

test('translates nested texts into the language of the whole', () => {
  const text = say`Must be ${anyOf([say`a text`, say`a number`, say`null`])}.`;
  expect(text.in('en')).toBe('Must be a text, a number, or null.');
  expect(text.in('pt')).toBe('Deve ser um texto, um número ou null.');
  expect(text.in('es')).toBe('Debe ser un texto, un número o null.');
  expect(allOf(['name', 'email']).in('es')).toBe('name y email');
  expect(sentences(say`This field is required.`, say`Must be ${1}.`).in('en')).toBe(
    'This field is required. Must be 1.',
  );
});

test('treats values neither as placeholders nor as known texts', () => {
  expect(say`Must be ${'{1} {2}'}.`.in('pt')).toBe('Deve ser {1} {2}.');
  expect(asIs('This field is required.').in('pt')).toBe('This field is required.');
});

test('a name can’t change the direction of the text around it', () => {
  const name = 'Ana\u202e \u2067Sá\u2069';
  expect(say`Must be ${name}, or ${say`at most ${name}`}.`.in('en')).toBe('Must be Ana Sá, or at most Ana Sá.');
  expect(say`Must be ${'\u200fأنا\u200e'}.`.in('en')).toBe('Must be \u200fأنا\u200e.'); // marks don't change the direction
});

test.each(['no such text', 'constructor', '__proto__', ''])('a text without a translation, %j, is English', (text) => {
  expect(fromContract(text).in('pt')).toBe(text);
});

test('survives storage in a database in every language', () => {
  const inner = sayMany(2, say`${2} item`, say`${2} items`);
  const text = sentences(characters(1), say`Must be ${anyOf([inner, 3, 'a'])}.`);
  const again = Text.from(JSON.parse(JSON.stringify(text.stored())));
  for (const language of ['en', 'pt', 'es'] as const) expect(again.in(language)).toBe(text.in(language));
  expect(say`This field is required.`.stored()).toEqual({ key: 'This field is required.' });
  // From a truncated file: jsonb accepts neither.
  expect(say`Has ${'a\0b\ud83d'}.`.stored()).toEqual({ key: 'Has {1}.', values: ['ab\ufffd'] });
});
