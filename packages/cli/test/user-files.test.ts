import { spawn } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { contentOf, readableFile, suggestedName, writableFile } from '../src/sheets/user-files.ts';
import type { CliContext } from '../src/terminal/context.ts';
import { temporaryFolder, testContext } from './helpers.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let context: CliContext;
beforeAll(async () => {
  folder = await temporaryFolder();
  context = testContext(folder.path);
  await mkdir(join(folder.path, 'a folder'));
  await writeFile(join(folder.path, 'file'), 'content');
});
afterAll(() => folder.remove());

test('relative names begin at the folder of the person, others stay', async () => {
  await readableFile(context, 'file');
  await readableFile(context, join(folder.path, 'file'));
  await writableFile(context, 'a folder/new', {});
  await writableFile(context, 'file', { force: true });
});

test('the content of a file or pipe is read to its end', async () => {
  const writer = spawn('sh', ['-c', 'mkfifo pipe && touch made && printf piped > pipe'], { cwd: folder.path });
  try {
    while (!(await stat(join(folder.path, 'made')).catch(() => false))) await setImmediate();
    const contents = [await contentOf(context, 'pipe'), await contentOf(context, 'file')];
    expect(await Promise.all(contents.map((content) => content.text()))).toEqual(['piped', 'content']);
  } finally {
    writer.kill();
  }
});

test.each([
  ['none', / does not exist \(in \/.*\)$/],
  ['a folder', /^a folder is a folder: pass a file$/],
  ['file/below', / does not exist/],
])('%s cannot be read', async (file, message) => {
  await expect(readableFile(context, file)).rejects.toThrow(message);
});

test.each([
  ['file', /^file already exists: choose another name, or replace it with --force/],
  ['a folder', /^a folder is a folder/],
  ['none/new', /^none\/new can't be written: there is no folder none \(in \/.*\)$/],
  ['file/new', /there is no folder file/],
])('%s cannot be written', async (file, message) => {
  await expect(writableFile(context, file, {})).rejects.toThrow(message);
});

test('a name that the service suggests has no folder, and nothing that a terminal reads', () => {
  expect(suggestedName('../..\\a\u0007\u202eb:c.xlsx')).toBe('ab_c.xlsx');
  expect(suggestedName('..')).toBe('file');
});
