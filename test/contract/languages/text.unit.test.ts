import { allOf, anyOf, asIs, fromContract, sentences, Text, t, tn } from '../../../src/contract/languages/text.ts';

const characters = (count: number) =>
  tn(count, t`Must have at most ${count} character.`, t`Must have at most ${count} characters.`);

test('is English by default', () => {
  const text = t`Must be at most ${5}.`;
  expect(`${text}`).toBe('Must be at most 5.');
  expect(JSON.stringify({ message: text })).toBe('{"message":"Must be at most 5."}');
});

test('is translated with its values', () => {
  expect(t`Must be at most ${5}.`.translate('pt')).toBe('Deve ser no máximo 5.');
  expect(t`Must be at most ${5}.`.translate('es')).toBe('Debe ser como máximo 5.');
});

test.each([
  [1, 'Must have at most 1 character.', 'Deve ter no máximo 1 caractere.', 'Debe tener como máximo 1 carácter.'],
  [2, 'Must have at most 2 characters.', 'Deve ter no máximo 2 caracteres.', 'Debe tener como máximo 2 caracteres.'],
  // Portuguese uses the singular for zero.
  [0, 'Must have at most 0 characters.', 'Deve ter no máximo 0 caractere.', 'Debe tener como máximo 0 caracteres.'],
  // Portuguese and Spanish have a separate form for a million, with the same wording as the plural.
  [1e6, 'Must have at most 1000000 characters.', 'Deve ter no máximo 1000000 caracteres.', /1000000 caracteres/],
])('pluralizes %d by the rules of each language', (count, en, pt, es) => {
  expect(characters(count).translate('en')).toBe(en);
  expect(characters(count).translate('pt')).toBe(pt);
  expect(characters(count).translate('es')).toMatch(es);
});

test('the singular form without a count is translated', () => {
  expect(t`Must have at most ${1} character.`.translate('pt')).toBe('Deve ter no máximo 1 caractere.');
  expect(t`Must have at most ${1} character.`.translate('es')).toBe('Debe tener como máximo 1 carácter.');
});

test('translates nested texts into the language of the whole', () => {
  const text = t`Must be ${anyOf([t`a text`, t`a number`, t`null`])}.`;
  expect(text.translate('en')).toBe('Must be a text, a number, or null.');
  expect(text.translate('pt')).toBe('Deve ser um texto, um número ou null.');
  expect(text.translate('es')).toBe('Debe ser un texto, un número o null.');
  expect(allOf(['name', 'email']).translate('es')).toBe('name y email');
  expect(sentences(t`This field is required.`, t`Must be ${1}.`).translate('en')).toBe(
    'This field is required. Must be 1.',
  );
});

test('treats values neither as placeholders nor as known texts', () => {
  expect(t`Must be ${'{1} {2}'}.`.translate('pt')).toBe('Deve ser {1} {2}.');
  expect(asIs('This field is required.').translate('pt')).toBe('This field is required.');
});

test('a name can’t change the direction of the text around it', () => {
  const name = 'Ana\u202e \u2067Sá\u2069';
  expect(t`Must be ${name}, or ${t`at most ${name}`}.`.translate('en')).toBe('Must be Ana Sá, or at most Ana Sá.');
  expect(t`Must be ${'\u200fأنا\u200e'}.`.translate('en')).toBe('Must be \u200fأنا\u200e.'); // marks don't change the direction
});

test.each(['no such text', 'constructor', '__proto__', ''])('a text without a translation, %j, is English', (text) => {
  expect(fromContract(text).translate('pt')).toBe(text);
});

test('survives storage in a database in every language', () => {
  const inner = tn(2, t`${2} item`, t`${2} items`);
  const text = sentences(characters(1), t`Must be ${anyOf([inner, 3, 'a'])}.`);
  const restored = Text.from(JSON.parse(JSON.stringify(text.stored())));
  for (const language of ['en', 'pt', 'es'] as const)
    expect(restored.translate(language)).toBe(text.translate(language));
  expect(t`This field is required.`.stored()).toEqual({ key: 'This field is required.' });
  // From a truncated file: jsonb accepts neither.
  expect(t`Has ${'a\0b\ud83d'}.`.stored()).toEqual({ key: 'Has {1}.', values: ['ab\ufffd'] });
});
