import { hiddenCharacter, oneLine, refusedCharacter } from '../../../src/contract/texts/one-line.ts';
import fc from '../../helpers/property.ts';
import { processorTime } from '../../helpers/timing.ts';

describe('a single-line text', () => {
  const unseen = [
    ...[
      '\t',
      '\n',
      '\u000b',
      '\f',
      '\r',
      ' ',
      '\u0085',
      '\u00a0',
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u115f',
      '\u1160',
      '\u1680',
    ],
    ...[
      '\u17b4',
      '\u180b',
      '\u180e',
      '\u2003',
      '\u200b',
      '\u200c',
      '\u200d',
      '\u200e',
      '\u2028',
      '\u2029',
      '\u202a',
      '\u202e',
    ],
    ...[
      '\u202f',
      '\u205f',
      '\u2060',
      '\u2066',
      '\u2069',
      '\u206a',
      '\u2800',
      '\u3000',
      '\u3164',
      '\ufe0e',
      '\ufe0f',
      '\ufeff',
    ],
    ...['\uffa0', '\ufff9', '\u{1d173}', '\u{e0001}', '\u{e0061}', '\u{e0100}'],
  ];

  test.each(unseen)('has no %j at its ends, and is blank without anything else', (character) => {
    for (const text of ['Ana', 'Ána Ção', '山田']) {
      // After an ideograph, a variation selector picks its shape.
      const isShape = text === '山田' && /\p{Variation_Selector}/u.test(character);
      const behind = isShape ? '' : character;
      expect(oneLine(`${character} ${character}${text}${behind} ${character}`)).toBe(text);
    }
    expect(oneLine(character)).toBe('');
    expect(oneLine(character + character)).toBe('');
  });

  test.each([
    ['composes', 'Opera\u0063\u0327o\u0303es', 'Operações'],
    ['keeps a picture in color', ' Team ❤\ufe0f ', 'Team ❤\ufe0f'],
    ['keeps joined pictures', '👩\u200d🚒', '👩\u200d🚒'],
    ['keeps a keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    [
      'keeps the flag of Scotland',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u200b',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    ['keeps the joiner of a Persian word', '\u200cمی\u200cخواهم\u200c', 'می\u200cخواهم'],
    ['keeps the joiner of a half form', 'क\u094d\u200dष', 'क\u094d\u200dष'],
    ['keeps a chillu of Malayalam as it was once written', 'രാജന\u0d4d\u200d', 'രാജന\u0d4d\u200d'],
    ['keeps the shape of an ideograph', '葛\u{e0100}', '葛\u{e0100}'],
    ['keeps white space inside', ' Field  Operations\u00a0South ', 'Field  Operations\u00a0South'],
    ['keeps a pair of surrogates', '𝒜𝒷', '𝒜𝒷'],
  ])('%s', (_, text, form) => expect(oneLine(text)).toBe(form));

  /** Letters, marks, joiners, spaces, fillers, selectors, tags, and emoji, mixed with everything else. */
  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...unseen, 'a', 'e\u0301', '\u0327', '\u0301', 'ក', '山', '❤', '1', '👩'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  });

  test('is idempotent, and equal for canonically equivalent texts', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const form = oneLine(text);
        expect(oneLine(form)).toBe(form);
        expect(form).toBe(form.normalize('NFC'));
        expect(oneLine(text.normalize('NFD'))).toBe(form);
        expect(oneLine(`\u200b ${text}\n`)).toBe(form);
      }),
      { numRuns: 300 },
    );
  });

  test('takes a fast path with the same result', () => {
    for (let code = 0; code < 0x2b0; code++) {
      const character = String.fromCodePoint(code);
      const slow = oneLine(`山${character}山`); // the ideograph forces the slow path
      const fast = oneLine(`x${character}x`);
      expect(fast.slice(1, -1)).toBe(slow.slice(1, -1));
      if (/^[ -~¡-¬®-ʯ]$/.test(character)) expect(slow).toBe(`山${character}山`);
    }
    expect(oneLine('a b')).toBe('a b');
  });

  test('takes no longer for adversarial texts', async () => {
    const marks = '\u0315\u0300\u05ae\u0327'.repeat(250_000);
    const [slow, control] = ['e'.repeat(500_000), 'e\u0301'.repeat(500_000)];
    for (const text of [
      marks,
      `${'\u200b'.repeat(500_000)}x${'\u200b'.repeat(500_000)}x`,
      ' '.repeat(1_000_000),
      slow,
    ]) {
      const ms = await processorTime(() => oneLine(text));
      expect(ms).toBeLessThan(100 * (await processorTime(() => [...control].join(''))));
    }
  });
});

test.each([
  ['\0', 'U+0000'],
  ['\t', 'U+0009'],
  ['\n', 'U+000A'],
  ['\u0007', 'U+0007'],
  ['\u001b', 'U+001B'],
  ['\u009b', 'U+009B'],
  ['\u2028', 'U+2028'],
  ['\u202e', 'U+202E'],
  ['\u2066', 'U+2066'],
  ['\ud800', 'U+D800'],
])('a single-line text can’t contain %j', (character, code) => {
  expect(refusedCharacter(oneLine(`Ana${character}Luz`))).toBe(code);
});

test.each(['Ana\u200dLuz', 'Ana\u00a0Luz', 'Ana\u200bLuz', 'می\u200cخواهم', 'Team ❤\ufe0f now', '\u200eAna'])(
  'a single-line text can contain %j',
  (text) => expect(refusedCharacter(oneLine(text))).toBeUndefined(),
);

test.each([
  'Shift planner',
  'Verde Logística, Ltda. — “Brasil”',
  'Œuvre & Cie / 株式会社みどり / Зелёная логистика',
  'شركة النقل', // right-to-left without marks
  'می\u200cخواهم', // with a joiner inside the word
  'क्\u200dष',
  'Team ❤\ufe0f', // an emoji
  '👩\u200d🚒 Fire brigade',
  'Café', // composed and decomposed
  'Cafe\u0301',
])('%j displays as written', (name) => expect(hiddenCharacter(name)).toBeUndefined());

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
])('a name that %s is rejected', (_name, name) => expect(hiddenCharacter(name)).toMatch(/^U\+[0-9A-F]{4,6}$/));
