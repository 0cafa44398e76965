import { hasHiddenCharacters } from '../../../src/platform/values/shown-names.ts';

test.each([
  'Shift planner',
  'Verde Logística, Ltda. — “Brasil”',
  'Œuvre & Cie / 株式会社みどり / Зелёная логистика',
  'شركة النقل', // written from right to left, without any mark that says so
  'می\u200cخواهم', // with a joiner that is part of the word
  'क्\u200dष',
  'Team ❤\ufe0f', // a picture
  '👩\u200d🚒 Fire brigade',
  'Café', // composed and not
  'Cafe\u0301',
])('%j is shown as it is written', (name) => expect(hasHiddenCharacters(name)).toBe(false));

test.each([
  ['turns the direction around', 'Payroll \u202etxt.exe'],
  ['isolates a direction', '\u2066Payroll\u2069'],
  ['marks a direction', 'Payroll\u200f'],
  ['marks an Arabic direction', 'Payroll\u061c'],
  ['has a space without width', 'Pay\u200broll'],
  ['has a joiner between Latin letters', 'Pay\u200droll'],
  ['begins with a joiner', '\u200cخواهم'],
  ['has a word joiner', 'Pay\u2060roll'],
  ['has a soft hyphen', 'Pay\u00adroll'],
  ['begins with a byte order mark', '\ufeffPayroll'],
  ['has a selector behind a letter', 'Payroll\ufe0f'],
  ['has tags', 'Payroll\u{e0041}'],
  ['has a blank of Hangul', 'Pay\u3164roll'],
  ['is a blank of Braille', '\u2800'],
  ['has the end of a line', 'Payroll\u2028Inc'],
  ['has a control', 'Payroll\u0007'],
  ['has half a character', 'Payroll\ud800'],
])('a name that %s is refused', (_what, name) => expect(hasHiddenCharacters(name)).toBe(true));
