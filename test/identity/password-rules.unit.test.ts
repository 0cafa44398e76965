/** Password rules: long, and hard to guess. */
import { t } from '../../src/contract/languages/text.ts';
import { chosenPassword, passwordProblem } from '../../src/identity/passwords/password-rules.ts';
import { hashPassword, normalizePassword, verifyPassword } from '../../src/identity/passwords/passwords.ts';

const known = ['Mariana Duarte', 'mariana.duarte@verde.example', 'Verde Logística'];

test.each([
  'correct horse battery staple',
  'monkey dragon football',
  'k7m2-pq9x-4rt8-vbn3',
  'the dog of mariana barks at night',
  'zwölf Boxkämpfer jagen Viktor',
  '長いパスワードは良いものですよね本当',
  '🐎🔋📎✅🐎🔋📎✅🐎🔋📎✅🐈🚲🌧',
  '               a b c d e',
  Array.from({ length: 60 }, (_, i) => `w${i * 37}`)
    .join(' ')
    .slice(0, 200),
])('accepts %s', (password) => {
  expect(passwordProblem(password, known)).toBeUndefined();
});

test.each([
  ['', 'at least 15 characters; this one has 0'],
  ['fourteen chars', 'at least 15 characters; this one has 14'],
  ['🐎🔋📎✅🐎🔋📎✅', 'at least 15 characters; this one has 8'],
  ['e\u0301'.repeat(14), 'at least 15 characters; this one has 14'],
  ['ab '.repeat(67), 'at most 200 characters; this one has 201'],
  ['password1234567', 'one of the most common ones'],
  ['P@ssw0rd1234567', 'one of the most common ones'],
  ['1234567890password', 'one of the most common ones'],
  ['passwordpassword', 'one of the most common ones'],
  ['1qaz2wsx3edc4rfv', 'one of the most common ones'],
  ['aaaaaaaaaaaaaaaaaa', 'repeated characters or a keyboard pattern'],
  ['abcabcabcabcabcab', 'repeated characters or a keyboard pattern'],
  ['dragondragondragon', 'repeated characters or a keyboard pattern'],
  ['123123123123123123', 'repeated characters or a keyboard pattern'],
  ['abcdefghijklmnopqrst', 'repeated characters or a keyboard pattern'],
  ['987654321abcdefgh', 'repeated characters or a keyboard pattern'],
  ['poiuytrewqasdfgh', 'repeated characters or a keyboard pattern'],
  ['                    ', 'repeated characters or a keyboard pattern'],
  ['Mariana Duarte 2024', 'your name, your email address or your company’s name'],
  ['marianaduarte!!!', 'your name, your email address or your company’s name'],
  ['Mariana.Duarte@verde.example', 'your name, your email address or your company’s name'],
  ['verde-logistica-2025', 'your name, your email address or your company’s name'],
  ['VERDELOGÍSTICA123', 'your name, your email address or your company’s name'],
  ['colaboradores2025', 'your name, your email address or your company’s name'],
  ['collaborators2025', 'your name, your email address or your company’s name'],
])('rejects %s', (password, reason) => {
  expect(String(passwordProblem(password, known))).toContain(reason);
});

test('a new password must be typed twice', () => {
  const password = 'correct horse battery staple';
  expect(chosenPassword(password, password, [])).toEqual({ password });
  expect(chosenPassword(password, `${password} `, [])).toEqual({ problem: t`The two passwords are not the same.` });
});

test('a password is the same in every Unicode form', async () => {
  const composed = 'crème brûlée à la carte';
  const decomposed = composed.normalize('NFD').replaceAll(' ', '\u00a0');
  expect(decomposed).not.toBe(composed);
  expect(normalizePassword(decomposed)).toBe(composed);
  expect(await verifyPassword(await hashPassword(composed), decomposed)).toBe(true);
  expect(await verifyPassword(await hashPassword(decomposed), composed)).toBe(true);
  expect(await verifyPassword(await hashPassword(composed), 'creme brulee a la carte')).toBe(false);
});
