/** With an old Node, `npm start` and `npm run cli` say so in one line, because it can't even parse their first file. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../helpers/command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['prestart', 'cli'])('npm run %s', async (name) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [program, ...args] = (scripts[name] as string).split(' ');
  expect(program).toBe('node');
  const folder = await temporaryFolder();
  try {
    const older = join(folder.path, 'older.cjs');
    const versions = "{ ...process.versions, node: '20.20.2' }";
    await writeFile(older, `Object.defineProperty(process, 'versions', { value: ${versions} })`);
    const started = promisify(execFile)(process.execPath, ['--require', older, ...args], { cwd: root, env: {} });
    const ended = await started.catch((error: { code: number; stdout: string; stderr: string }) => error);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^error: Node 24 or later is needed, and \/.+ is Node 20\.20\.2: .+\n$/);
  } finally {
    await folder.remove();
  }
});
