import { note, printJson, printText, table } from '../src/terminal/output.ts';
import { printable, printableLine } from '../src/terminal/printable.ts';

/** Sets the window title, clears the line, and switches to red. */
const hostile = '\u001b]0;owned\u0007\u001b[2K\u009b31m\u007f\u202eX';
const shown = '\\u001b]0;owned\\u0007\\u001b[2K\\u009b31m\\u007f\\u202eX';

function written(stream: 'log' | 'error', act: () => void): string {
  const lines: string[] = [];
  jest.spyOn(console, stream).mockImplementation((...said: unknown[]) => void lines.push(said.join(' ')));
  act();
  return lines.join('\n');
}

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
    `${'NAME'.padEnd(shown.length)}  ROLE`,
    `${shown}  admin`,
    `${'Ana\\u000aLuz\\u0009Gil'.padEnd(shown.length)}  employee`,
  ]);
});

test('text, errors and notes keep their lines, and nothing else that a terminal obeys', () => {
  expect(written('log', () => printText(`Name  ${hostile}\nId    1`))).toBe(`Name  ${shown}\nId    1`);
  expect(written('error', () => note(`error: ${hostile}`))).toBe(`error: ${shown}`);
});

test('JSON is escaped, and reads as it was', () => {
  const data = { [hostile]: [hostile, 'é😀 ‍\u200b'] };
  const json = written('log', () => printJson(data, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(JSON.parse(json)).toEqual(data);
});

test('letters of all scripts stay', () => {
  const text = 'João می\u200cخواهم 👩\u200d🚒 株式会社';
  expect([printable(text), printableLine(text)]).toEqual([text, text]);
});
