import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from '../../../src/platform/config/data-folder.ts';
import { makeFolder } from '../../../src/platform/files/store/make-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-folder-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

test('creates missing folders with the mode, and keeps existing ones', async () => {
  await makeFolder(join(folder, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700);
  await writeFile(join(folder, 'a/b/kept'), '');
  await makeFolder(join(folder, 'a/b'), 0o755);
  expect((await stat(join(folder, 'a/b'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'a/b/kept'))).isFile()).toBe(true);
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(folder, 'x/y/z'))));
});

test('fails if a file has this name', async () => {
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

// ENOENT on Linux; other systems have no such folder and can't create it either.
test('fails with the name of the setting if the folder can’t be created', async () => {
  await expect(makeFolder('/proc/none/below')).rejects.toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
  await expect(makeDataFolder('/proc/none')).rejects.toThrow(
    'invalid configuration: DATA_DIR must be a writable folder, not /proc/none: ',
  );
});
