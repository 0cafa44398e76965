import { emailForm, invisibleCharacter, isEmail } from '../../../src/contract/texts/email.ts';

test.each([
  ['ana@verdelog.example', 'ana@verdelog.example'],
  ['  ana@verdelog.example\n', 'ana@verdelog.example'],
  ['\u202aana@verdelog.example\u202c', 'ana@verdelog.example'], // as Windows copies it to the clipboard
  ['\ufeff\u200bana@verdelog.example\u2060\u00ad', 'ana@verdelog.example'],
  ['Ana@Verdelog.Example', 'Ana@Verdelog.Example'],
  ['user@münchen.example', 'user@xn--mnchen-3ya.example'],
  ['user@mu\u0308nchen.example', 'user@xn--mnchen-3ya.example'],
  ['user@MÜNCHEN.example', 'user@xn--mnchen-3ya.example'],
  ['user@例え。テスト', 'user@xn--r8jz45g.xn--zckzah'],
])('normalizes %j to %s', (sent, form) => {
  expect(emailForm(sent)).toBe(form);
  expect(emailForm(form)).toBe(form);
  expect(isEmail(form)).toBe(true);
});

test.each([
  'user@münchen.example/path',
  'user@münchen.example:25',
  'user@münchen.example#x',
  'user@mün\u00adchen.example',
  'user@mün\u3164chen.example',
  'user@①.②.③.④',
  'user@١٢٧.٠.٠.١',
  'ü@münchen.example',
  '@münchen.example',
  'münchen.example',
  'user@ü..example',
])('%j stays invalid', (sent) => expect(isEmail(emailForm(sent))).toBe(false));

test('allows 64 characters before the @, and 63 in each label after it', () => {
  const label = 'a'.repeat(63);
  expect(isEmail(`${'a'.repeat(64)}@a.example`)).toBe(true);
  expect(isEmail(`${'a'.repeat(65)}@a.example`)).toBe(false);
  expect(isEmail(`a@${label}.example`)).toBe(true);
  expect(isEmail(`a@${label}a.example`)).toBe(false);
  expect(isEmail(`a@a.${label}`)).toBe(true);
  expect(isEmail(`a@a.${label}a`)).toBe(false);
  expect(isEmail(emailForm(`a@${'ü'.repeat(70)}.example`))).toBe(false);
});

test.each([
  ['ana\u00adluz@a.example', 'U+00AD'],
  ['ana@a\u200e.example', 'U+200E'],
  ['ana\u00a0@a.example', 'U+00A0'],
  ['ana\tluz@a.example', 'U+0009'],
  ['ana luz@a.example', undefined],
  ['ana@', undefined],
])('finds in %j the invisible character %s', (address, character) =>
  expect(invisibleCharacter(address)).toBe(character),
);
