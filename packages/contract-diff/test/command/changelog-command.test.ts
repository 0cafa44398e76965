// The `changelog` command.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from './built-command.ts';

const command = builtCommand();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-changelog-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
};

describe('changelog', () => {
  const at = (version: string, maxLength: number) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version },
      paths: {
        '/a_name': {
          get: { responses: { '200': { content: { 'application/json': { schema: { type: 'string', maxLength } } } } } },
        },
      },
    });
  beforeAll(async () => {
    await mkdir(join(folder, 'versions'));
    await writeFile(join(folder, 'versions/1.0.0.json'), at('1.0.0', 5));
    await writeFile(join(folder, 'versions/1.0.1.json'), at('1.0.1', 5));
    await writeFile(join(folder, 'versions/2.0.0.json'), at('2.0.0', 8));
  });
  const line = 'response 200, application/json: maxLength changed from 5 to 8';

  test('prints the changes between two documents as Markdown', () => {
    expect(run('changelog', 'versions/1.0.0.json', 'versions/2.0.0.json')).toEqual({
      status: 0,
      stdout: `# Changes\n\n## 1.0.0 to 2.0.0\n\n### Interface\n\n**Breaking**\n\n- GET /a\\_name, ${line}\n`,
      stderr: '',
    });
  });

  test('writes the changes of all releases in a folder as HTML, newest first', async () => {
    expect(run('changelog', 'versions', '--output', 'out/changes.html')).toMatchObject({ status: 0, stdout: '' });
    const page = await readFile(join(folder, 'out/changes.html'), 'utf8');
    const headings = [...page.matchAll(/<h2>(\d[^<]*)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual(['1.0.1 to 2.0.0', '1.0.0 to 1.0.1']);
    expect(page).toContain('<h3>maxLength changed from 5 to 8</h3>');
    expect(page).toContain('Nothing that clients notice.');
    expect(page).not.toContain('No difference.');
  });

  test('exits with 2 for a single document or a missing file', () => {
    expect(run('changelog', 'versions/1.0.0.json')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('two releases'),
    });
    expect(run('changelog', 'versions/1.0.0.json', 'nowhere.json')).toMatchObject({ status: 2, stdout: '' });
  });
});
