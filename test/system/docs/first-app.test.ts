/** The guide "Your first app in five minutes", pasted into a shell from top to bottom, against `make run`. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walkPages } from '../../../scripts/run/sign-in.ts';
import { type Running, start, temporaryFolder } from '../../helpers/command.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const guide = fileURLToPath(new URL('../../../docs/guides/first-app.md', import.meta.url));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Running;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = {
    HOME: folder.path,
    TMPDIR: folder.path,
    XDG_CONFIG_HOME: join(folder.path, 'config'),
    DATA_DIR: join(folder.path, 'data'),
  };
  service = start('scripts/run/run.ts', [], env);
  await service.waitForOutput(/Ctrl-C stops it/);
});

afterAll(async () => {
  process.kill(service.pid, 'SIGTERM');
  await service.ended;
  await folder.remove();
});

const printed = async (pattern: RegExp) => (await service.waitForOutput(pattern))[1]!;

test('works when pasted, and each step prints what the guide says', async () => {
  const baseUrl = await printed(/^ {2}Console +(\S+)\/console$/m);
  const credentials = { email: await printed(/admin +(\S+@\S+)/), password: await printed(/Password +(\S+)/) };
  const text = (await readFile(guide, 'utf8')).replaceAll('http://127.0.0.1:8080', baseUrl);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  const { code, stdout, stderr } = await pasted(['set -e', ...blocks].join('\n'), credentials);
  expect({ code, stderr: stderr.replace(/Open this in a browser:\n\S+\n/g, '') }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Mariana Duarte, admin of Verde Logística\n');
  expect(stdout).toMatch(/The app is \S{36}\n/);
  expect(stdout).toMatch(/"position":/);
  expect(stdout).toContain('My first app, allowed by Mariana Duarte\n');
  expect(stdout).toContain('"ended":true');
  expect(stdout).toMatch(/\ninvalid_token: \S/);
  expect(stdout).toContain('"kind":"installation"');
  expect(stdout).toMatch(/"deleted":true.*\n$/);
});

test('avoids history expansion and comments, which not every interactive shell accepts', async () => {
  const text = await readFile(guide, 'utf8');
  for (const [, code] of text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)) {
    expect(code).not.toMatch(/![^= (\n]/);
    expect(code).not.toMatch(/^#|\s#\s/m);
  }
});

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs it in a shell in this checkout, and opens the requested URL in "a browser". */
function pasted(script: string, credentials: { email: string; password: string }): Promise<Outcome> {
  const shell = spawn('bash', [], { cwd: checkout, env: { ...env, PATH: process.env.PATH! }, timeout: 120_000 });
  const output = { stdout: '', stderr: '' };
  let opened = 0;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
    const addresses = [...output.stderr.matchAll(/Open this in a browser:\n(\S+)\n/g)].slice(opened);
    opened += addresses.length;
    for (const [, address] of addresses) {
      completeSignIn(new URL(address!), credentials).catch((error) => {
        output.stderr += `${error}`;
        shell.kill();
      });
    }
  });
  shell.stdin.end(script);
  return new Promise((resolve) => {
    shell.once('close', (code) => resolve({ code, ...output }));
  });
}

/** Signs in, allows the app, and follows the final redirect to it. */
async function completeSignIn(address: URL, credentials: { email: string; password: string }): Promise<void> {
  const end = new URL(address.searchParams.get('redirect_uri')!);
  end.search = (await walkPages(address, credentials)).toString();
  const response = await fetch(end);
  if (!response.ok) throw new Error(`the app responded ${response.status}`);
}
