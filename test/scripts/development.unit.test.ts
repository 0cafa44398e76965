import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  developmentEnvironment,
  developmentSettings,
  rememberSettings,
  removeRunningService,
  runningService,
  writeRunningService,
} from '../../src/platform/config/development.ts';
import { temporaryFolder } from '../helpers/command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let environment: { DATA_DIR: string };

beforeEach(async () => {
  folder = await temporaryFolder();
  environment = { DATA_DIR: join(folder.path, 'data') };
});

afterEach(() => folder.remove());

test('creates settings once, readable only by the user', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, () => developmentSettings(environment)));
  const [first] = many;
  expect(Buffer.from(first!.ENCRYPTION_KEY, 'base64')).toHaveLength(32);
  expect(first!.DEMO_PASSWORD).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/);
  for (const settings of many) expect(settings).toEqual(first);
  expect(await readdir(environment.DATA_DIR)).toEqual(['development.env']);
  expect((await stat(join(environment.DATA_DIR, 'development.env'))).mode & 0o777).toBe(0o600);

  await rememberSettings(environment, { LAST_PORT: '8081' });
  expect(await developmentSettings(environment)).toEqual({ ...first, LAST_PORT: '8081' });
  expect((await stat(join(environment.DATA_DIR, 'development.env'))).mode & 0o777).toBe(0o600);
});

test('the environment takes precedence, and production gets nothing', async () => {
  const { ENCRYPTION_KEY } = await developmentSettings(environment);
  expect(await developmentEnvironment({ ...environment, PORT: '' })).toEqual({
    ...environment,
    NODE_ENV: 'development',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ENCRYPTION_KEY,
  });
  const set = { ...environment, NODE_ENV: 'test', ENCRYPTION_KEY: 'own' };
  expect(await developmentEnvironment(set)).toEqual(set);
  const production = { ...environment, NODE_ENV: 'production' };
  expect(await developmentEnvironment(production)).toBe(production);
});

test('reports a damaged file instead of replacing it, because its key may be needed', async () => {
  const file = join(environment.DATA_DIR, 'development.env');
  await mkdir(environment.DATA_DIR);
  await writeFile(file, 'DEMO_PASSWORD=x\n');
  await expect(developmentSettings(environment)).rejects.toThrow(`${file} lacks ENCRYPTION_KEY`);
  expect(await readFile(file, 'utf8')).toBe('DEMO_PASSWORD=x\n');
});

test('tracks a running service until it stops or its process is gone', async () => {
  expect(await runningService(environment)).toBeUndefined();
  await developmentSettings(environment);
  const service = { base_url: 'http://127.0.0.1:1', pid: process.pid, key_id: 'k' };
  await writeRunningService(environment, service);
  expect(await runningService(environment)).toEqual(service);
  await removeRunningService(environment, 1);
  expect(await runningService(environment)).toEqual(service);
  await removeRunningService(environment, process.pid);
  expect(await runningService(environment)).toBeUndefined();
  await writeRunningService(environment, { ...service, pid: 2 ** 30 });
  expect(await runningService(environment)).toBeUndefined();
});
