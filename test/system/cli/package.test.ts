/** The published command line: the package that the service serves, installed in an empty folder and run by name. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../helpers/eventually.ts';
import { type Received, receiver } from '../../helpers/network/receiver.ts';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

const home = join(import.meta.dirname, '../../../packages/cli');
let here: SignedIn;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  here = await signedIn();
  folder = join(here.folder, 'an empty folder');
  await mkdir(folder);
  // The machine's node, without anything of this checkout.
  const path = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'));
  env = { PATH: path.join(delimiter), ...here.env, npm_config_cache: join(here.folder, 'cache') };
  for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'DATA_DIR', 'NODE_ENV', 'PORT']) delete env[name];
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const needs = Object.keys(JSON.parse(await readFile(join(home, 'package.json'), 'utf8')).dependencies);
  // Pack the dependencies locally, so that no registry is needed.
  const sources = needs.map((name) => join(home, '../../node_modules', name));
  const packed = await npm('pack', '--silent', '--ignore-scripts', '--pack-destination', here.folder, ...sources);
  const archives = packed.trim().split('\n');
  await npm(
    'install',
    ...['--ignore-scripts', '--no-audit', '--fetch-retries', '0', '--registry', 'http://127.0.0.1:9'],
    ...archives.map((archive) => join(here.folder, archive)),
    `${here.service.base_url}/cli.tgz`,
  );
});
afterAll(() => here.close());

async function npm(...args: string[]): Promise<string> {
  return (await promisify(execFile)('npm', args, { cwd: folder, env })).stdout;
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function collaborators(args: string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...env, ...more } };
    execFile(join(folder, 'node_modules/.bin/collaborators'), args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const at = () => ({ API_URL: here.service.base_url });
const api = (...args: string[]) => collaborators(['api', ...args], at());
const person = (handle: string) =>
  ['name', 'email', 'position', 'department'].flatMap((field) => {
    const value = { name: `Person ${handle}`, email: `${handle}@verde.example` }[field] ?? 'Driver';
    return ['-f', `${field}=${value}`];
  });

const add = (handle: string) => here.cli('api', 'POST', '/v1/collaborators', ...person(handle));

test('the service serves the package with the integrity that the guide and npm show', async () => {
  const archive = await fetch(`${here.service.base_url}/cli.tgz`, { headers: { 'Accept-Encoding': 'identity' } });
  expect(archive.headers.get('content-type')).toBe('application/gzip');
  const hash = createHash('sha512').update(Buffer.from(await archive.arrayBuffer()));
  const integrity = `sha512-${hash.digest('base64')}`;
  const guide = await (await fetch(`${here.service.base_url}/docs/guides/command-line`)).text();
  expect(guide).toContain(integrity);
  expect(guide).not.toContain('sha512-…');
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  expect(packages['node_modules/@collaborator-api/cli']).toMatchObject({ integrity });
});

test('has its version and help, and asks for a service', async () => {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  expect(await collaborators(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  const help = await collaborators(['--help']);
  expect(help.stdout).toMatch(/^Usage: collaborators /);
  expect(help.stdout).not.toMatch(/npm run|database/);
  const unconfigured = await collaborators(['token']);
  expect(unconfigured).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: which service\? .*API_URL/),
  });
});

test('imports, exports, and downloads files in its folder', async () => {
  await writeFile(join(folder, 'new.csv'), 'Name,Email,Position,Department\nDora,dora@verde.example,Driver,Fleet\n');
  expect(await collaborators(['import', 'new.csv'], at())).toMatchObject({ code: 0, stdout: 'new.csv: 1 created.\n' });
  expect(await collaborators(['export', '-o', 'all.json'], at())).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(folder, 'all.json'), 'utf8'))).toContainEqual(
    expect.objectContaining({ name: 'Dora' }),
  );
  const template = await collaborators(['download', 'import-template', '--json'], at());
  const { file, bytes } = JSON.parse(template.stdout);
  expect((await readFile(join(folder, file))).length).toBe(bytes);
});

describe('listening to events', () => {
  /** The same event as a webhook subscription received it. */
  const counterpart = (requests: Received[], one: Received) =>
    requests.find((other) => header(other, 'webhook-id') === header(one, 'webhook-id'))!;
  const header = ({ headers }: Received, name: string) => headers.find(([each]) => each === name)![1];
  /** Headers that depend on the event, not on the time or the secret. */
  const names = ({ headers }: Received) =>
    headers.map(([name]) => name).filter((name) => !/^(host|connection)$/i.test(name));
  const withoutTime = ({ body }: Received) => body.toString().replace(/"timestamp":"[^"]+"/, '');

  test('forwards each event signed like a webhook across a restart of the service, without loss', async () => {
    const [forwarded, subscribed] = [await receiver(), await receiver()];
    const webhook = { url: subscribed.url, events: ['collaborator.created'] };
    expect(await api('POST', '/v1/webhooks', '--data', JSON.stringify(webhook))).toMatchObject({ code: 0 });
    const command = join(folder, 'node_modules/.bin/collaborators');
    const args = ['listen', '--forward-to', forwarded.url, '--events', 'collaborator.created,document.*'];
    const child = spawn(command, args, { cwd: folder, env: { ...env, ...at() } });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      await eventually(() =>
        expect(output.stderr).toMatch(/\nListening to \S+ for \S+ since \S+\. Press Ctrl-C to stop\.\n/),
      );
      const secret = /signed with (whsec_\S+)/.exec(output.stderr)![1]!;
      for (const handle of ['eva', 'fabio', 'gil']) await add(handle);
      await forwarded.received(3);
      const restart = await here.stopService();
      await eventually(() => expect(output.stderr).toMatch(/no response from \S+ .*Waiting; no events are lost\.\n/));
      await restart();
      for (const handle of ['hugo', 'ines', 'joana']) await add(handle);
      const requests = await forwarded.received(6);
      await subscribed.received(6);
      expect(output.stderr).toMatch(/ responds again\.\n$/);

      const listed = JSON.parse((await api('GET', '/v1/events?event=collaborator.created', '--paginate')).stdout);
      const ids = [...new Set(requests.map((one) => header(one, 'webhook-id')))]; // one may arrive twice
      expect(ids).toEqual(listed.slice(-6).map(({ id }: { id: string }) => id));
      for (const one of requests) {
        const verified = new Webhook(secret).verify(one.body, Object.fromEntries(one.headers)) as { event: string };
        expect(verified.event).toBe('collaborator.created');
        expect(withoutTime(one)).toBe(withoutTime(counterpart(subscribed.requests, one)));
        expect(names(one)).toEqual(names(counterpart(subscribed.requests, one)));
      }
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(output.stderr).toMatch(/\nStopped\. Events: 6\.\n$/);
      expect(output.stdout).toMatch(/^(\S+Z {2}collaborator\.created {2,}\S+ {2}204 in \d+ ms(, attempt \d+)?\n){6}$/);
    } finally {
      child.kill('SIGKILL');
      await Promise.all([forwarded.close(), subscribed.close()]);
    }
  });

  test('can start in the past', async () => {
    await add('karl');
    const since = new Date(0).toISOString();
    const child = spawn(
      join(folder, 'node_modules/.bin/collaborators'),
      ['listen', '--print', '--json', '--since', since],
      {
        cwd: folder,
        env: { ...env, ...at() },
      },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await eventually(() => expect(output).toContain('karl@verde.example'));
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
    const [first] = output.split('\n').map((line) => JSON.parse(line || 'null'));
    expect(first).toMatchObject({ status: null, body: { event: first.event, data: { timestamp: first.timestamp } } });
  });
});
