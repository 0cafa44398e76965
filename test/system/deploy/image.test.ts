/** The Dockerfile: executes its steps in an empty folder, and starts the result like a container. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { admits, build, type Image, instructionsOf, pathIn, userIds } from './dockerfile.ts';
import { generateSecrets, root, text } from './files.ts';

let folder: string;
let image: Image;
let database: TestDatabase;
let node: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
  await chmod(folder, 0o755);
  // Readable by the service's user, whatever the permissions of this checkout.
  node = join(folder, 'bin/node');
  await mkdir(dirname(node));
  await copyFile(process.execPath, node);
  const [dockerfile, dockerignore] = [await text('Dockerfile'), await text('.dockerignore')];
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH: [dirname(node), PATH].join(delimiter), HOME };
  image = await build({ context: fileURLToPath(root), dockerfile, dockerignore, folder, env });
  database = await testDatabase(1);
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a container: variables of the image and of an installation. */
function environment(port: number, metricsPort: number): Record<string, string> {
  const { DATA_DIR, NODE_COMPILE_CACHE, ...env } = image.env;
  const { ENCRYPTION_KEY, SMTP_URL } = secrets;
  return {
    ...env,
    PATH: dirname(node),
    DATA_DIR: pathIn(image, DATA_DIR!),
    NODE_COMPILE_CACHE: pathIn(image, NODE_COMPILE_CACHE!),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: database.url,
    BASE_URL: 'https://people.example.com',
    MAIL_FROM: 'People <people@example.com>',
    TRUST_PROXY: '10.244.0.0/16,127.0.0.1',
    ENCRYPTION_KEY: ENCRYPTION_KEY!,
    SMTP_URL: SMTP_URL!,
  };
}
const secrets = generateSecrets();

function start(env: Record<string, string>, command: string[]): { child: ChildProcess; output: () => string } {
  const [program, ...args] = command;
  expect(program).toBe('node');
  const child = spawn(node, args, { cwd: image.cwd, env, ...userIds(image.user) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return { child, output: () => output };
}

async function commandOutput(env: Record<string, string>, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(node, args, { cwd: image.cwd, env, ...userIds(image.user) });
  return stdout;
}

test('parses a Dockerfile and .dockerignore', () => {
  expect(instructionsOf('# no\nRUN a \\\n  b\n\nCMD ["x"]')).toEqual([
    { name: 'RUN', text: 'a    b' },
    { name: 'CMD', text: '["x"]' },
  ]);
  const ignore = '*\n!src\n!packages/cli/src\nsrc/secret';
  const admitted = ['src/a.ts', 'packages/cli/src/b/c.ts'].filter((path) => admits(ignore, path));
  expect(admitted).toHaveLength(2);
  const refused = ['test/a.ts', '.env', 'packages/cli/test/a.ts', 'src/secret/a'].filter((path) =>
    admits(ignore, path),
  );
  expect(refused).toEqual([]);
});

test('compares its migrations like the chart, responds, is healthy, and exits with 0', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = environment(port, metricsPort);
  if (userIds(image.user).uid !== undefined) await promisify(execFile)('chown', [image.user!, env.DATA_DIR!]);
  expect(await commandOutput(env, ['src/cli.ts', 'database', 'migrate'])).toMatch(/The database is up to date: \d{4}_/);
  const { child, output } = start(env, [...image.entrypoint, ...image.command]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(output());
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
    for (const path of ['/docs', '/cli.tgz', '/schemas/contract-diff-report-1.json', '/console']) {
      const { status } = await fetch(url + path, { headers: { 'x-forwarded-proto': 'https' } });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    const [, ...check] = image.healthcheck;
    await commandOutput(env, check);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('database_up 1');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect(commandOutput(env, check)).rejects.toThrow(); // nothing responds anymore
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});

test('contains every file that production loads, compiled, so that no process loads the library that removes types', async () => {
  const env = environment(0, 0);
  const atExit = `data:text/javascript,process.on('exit', () => console.log('types removed: ' +
    process.moduleLoadList.some((name) => name.includes('amaro'))))`;
  const loaded = ['platform/sheets/read-task', 'api/cli/backup', 'worker/worker', 'platform/observe/otlp'].map(
    (name) => `./src/${name}.ts`,
  );
  const loading = (files: string[]) => {
    const load = `await Promise.all(${JSON.stringify(files)}.map((file) => import(file)))`;
    return ['--import', atExit, '--input-type=module', '-e', load];
  };
  expect(await commandOutput(env, loading(loaded))).toBe('types removed: false\n');
  const uncompiled = { ...env, NODE_COMPILE_CACHE: join(folder, 'no cache') };
  expect(await commandOutput(uncompiled, loading(['./src/platform/config/config-error.ts']))).toBe(
    'types removed: true\n',
  );
});

test('has every file outside the console that the console is built from', async () => {
  const source = join(folder, 'console/app/packages/console/src');
  const names = (await readdir(source, { recursive: true })).filter((name) => /\.(tsx?|css)$/.test(name));
  const imported = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(source, name), 'utf8');
      const paths = content.matchAll(/^(?!.*import type).*(?:from |import |import\()['"](\.[^'"?]+)/gm);
      return [...paths].map(([, path]) => join(source, dirname(name), path!));
    }),
  );
  const outside = imported.flat().filter((path) => !path.startsWith(join(folder, 'console/app/packages')));
  expect(outside.length).toBeGreaterThan(10);
  expect(outside.filter((path) => !existsSync(path))).toEqual([]);
});
