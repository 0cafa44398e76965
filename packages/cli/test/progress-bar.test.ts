import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { progressBar } from '../src/terminal/progress-bar.ts';
import { promptConfirmation } from '../src/terminal/prompt.ts';

function output(terminal: { isTTY?: true; columns?: number }) {
  const written: string[] = [];
  const write = (piece: string) => written.push(piece) > 0;
  return { written, output: { ...terminal, write } as unknown as NodeJS.WriteStream };
}

test('on a terminal, one line is drawn over and over, and gone in the end', () => {
  const { written, output: terminal } = output({ isTTY: true, columns: 46 });
  const bar = progressBar(terminal);
  bar.update(0, 'Checking');
  bar.update(50.7, 'Writing (507 of 1000), and more than fits into the line');
  bar.end();
  expect(written).toEqual([
    `\r\u001b[K${'░'.repeat(24)}   0 % Checking`,
    `\r\u001b[K${'█'.repeat(12)}${'░'.repeat(12)}  50 % Writing (507 o`,
    '\r\u001b[K',
  ]);
  expect(written.join('')).not.toContain('\n');
});

test('elsewhere, a line for every tenth', () => {
  const { written, output: log } = output({});
  const bar = progressBar(log);
  for (let percent = 0; percent <= 100; percent += 0.5) bar.update(percent, 'Writing');
  bar.end();
  expect(written).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((percent) => `${percent} % Writing\n`));
});

test.each([
  ['y\n', true],
  ['Yes\n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  ['', false],
])('a question that is answered with %j', async (answer, expected) => {
  const [input, promptOutput] = [new PassThrough(), new PassThrough()];
  input.end(answer);
  expect(await promptConfirmation('Write them? [y/N] ', input, promptOutput)).toBe(expected);
  promptOutput.end();
  expect(await text(promptOutput)).toMatch(/^Write them\? \[y\/N\] /);
});
