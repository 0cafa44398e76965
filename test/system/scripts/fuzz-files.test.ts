/** `make proof NAME=fuzz-files` finds planted errors. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../helpers/command.ts';

const script = fileURLToPath(new URL('../../../scripts/proof/fuzz-files/fuzz-files.ts', import.meta.url));

function fuzz(settings: Record<string, string>): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...process.env, ...settings } }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, stdout });
    });
  });
}

test('detects a crash, an unhandled error, a memory leak, and a hang, and saves their files', async () => {
  const folder = await temporaryFolder();
  const { code, stdout } = await fuzz({ KINDS: 'broken', TIME: '0', FOUND: folder.path });
  expect(code).toBe(1);
  const found = [...stdout.matchAll(/^(\w+) \(broken, file (\d), kept as (broken-\w+\.bin)\)/gm)];
  expect(found.map(([, outcome, file]) => `${file} ${outcome}`)).toEqual(['1 crash', '2 memory', '3 hang', '4 crash']);
  expect((await readdir(folder.path)).sort()).toEqual(found.map(([, , , name]) => name).sort());
  expect(stdout).toContain('nobody hears it');
  await folder.remove();
});
