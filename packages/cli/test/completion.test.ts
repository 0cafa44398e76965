import { createProgram } from '../src/program.ts';
import { testContext } from './helpers.ts';

let printed: jest.SpyInstance;
beforeEach(() => {
  printed = jest.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => printed.mockRestore());

async function run(...args: string[]): Promise<string> {
  printed.mockClear();
  await createProgram(testContext('/nowhere'), '1.0.0').parseAsync(args, { from: 'user' });
  return printed.mock.calls.map(([line]) => `${line}\n`).join('');
}

test('completes commands, options, and values', async () => {
  expect(await run('complete', '--', '')).toMatch(/^listen\t/m);
  expect(await run('complete', '--', 'import', '--mo')).toMatch(/^--mode\t/m);
  expect(await run('complete', '--', 'export', '--format', '')).toMatch(/^csv\t/m);
});

test.each(['bash', 'zsh', 'fish'])('prints the script for %s', async (shell) => {
  expect(await run('completion', shell)).toContain('collaborators complete');
});
