import { note, printJson, printText, table } from '../src/terminal/output.ts';
import { printable, printableLine } from '../src/terminal/printable.ts';

/** Sets the window title, clears the line, and switches to red. */
const hostile = '\u001b]0;owned\u0007\u001b[2K\u009b31m\u007f\u202eX';
const escaped = '\\u001b]0;owned\\u0007\\u001b[2K\\u009b31m\\u007f\\u202eX';

function captureOutput(stream: 'log' | 'error', action: () => void): string {
  const lines: string[] = [];
  jest.spyOn(console, stream).mockImplementation((...args: unknown[]) => void lines.push(args.join(' ')));
  action();
  return lines.join('\n');
}

test('wide, combined, and invisible characters leave the columns of a table aligned', () => {
  const names = ['山田太郎', '김민준', 'ｆｕｌｌ', '👩‍👩‍👧 Ana', '🇧🇷', '❤️', 'Jose\u0301', '\u200bAna'];
  const widths = [8, 6, 8, 6, 2, 2, 4, 3];
  const [header, ...rows] = table(
    ['NAME', 'ROLE'],
    names.map((name) => [name, 'admin']),
    '',
  ).split('\n');
  expect(header).toBe('NAME      ROLE');
  expect(rows).toEqual(names.map((name, i) => `${name}${' '.repeat(8 - widths[i]!)}  admin`));
});

test('cells of a table show what a terminal would obey, and stand in their columns', () => {
  expect(
    table(
      ['NAME', 'ROLE'],
      [
        [hostile, 'admin'],
        ['Ana\nLuz\tGil', 'employee'],
      ],
      '',
    ).split('\n'),
  ).toEqual([
    `${'NAME'.padEnd(escaped.length)}  ROLE`,
    `${escaped}  admin`,
    `${'Ana\\u000aLuz\\u0009Gil'.padEnd(escaped.length)}  employee`,
  ]);
});

test('text, errors and notes keep their lines, and nothing else that a terminal obeys', () => {
  expect(captureOutput('log', () => printText(`Name  ${hostile}\nId    1`))).toBe(`Name  ${escaped}\nId    1`);
  expect(captureOutput('error', () => note(`error: ${hostile}`))).toBe(`error: ${escaped}`);
});

test('JSON is escaped, and reads as it was', () => {
  const data = { [hostile]: [hostile, 'é😀 ‍\u200b'] };
  const json = captureOutput('log', () => printJson(data, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(JSON.parse(json)).toEqual(data);
});

test('letters of all scripts stay', () => {
  const text = 'João می\u200cخواهم 👩\u200d🚒 株式会社';
  expect([printable(text), printableLine(text)]).toEqual([text, text]);
});
