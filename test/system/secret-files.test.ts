/** Secrets from files, and the settings table. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/platform/config/config.ts';
import { ConfigError } from '../../src/platform/config/config-error.ts';
import { developmentEnvironment } from '../../src/platform/config/development.ts';
import { settingsTable } from '../../src/platform/config/settings-table.ts';
import { run, temporaryFolder } from '../helpers/command.ts';

const key = Buffer.alloc(32, 9);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'key');
  await writeFile(file, `${key.toString('base64')}\n`);
});
afterAll(() => folder.remove());

const read = (settings: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...settings });

test('a secret can come from a file, ignoring a trailing line break', async () => {
  expect(read({ ENCRYPTION_KEY_FILE: file }).encryption_keys).toEqual([key]);
  const url = join(folder.path, 'url');
  await writeFile(url, 'postgres://app:hush@host/app\r\n');
  const config = read({ ENCRYPTION_KEY_FILE: file, FILE_KEYS_FILE: file, DATABASE_URL_FILE: url, ENCRYPTION_KEY: '' });
  expect(config.database.url).toBe('postgres://app:hush@host/app');
  expect(config.fileKeys).toEqual([key]);
});

test.each([
  [
    'given twice',
    () => ({ ENCRYPTION_KEY: key.toString('base64'), ENCRYPTION_KEY_FILE: file }),
    /ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set/,
  ],
  [
    'not there',
    () => ({ ENCRYPTION_KEY_FILE: '/nowhere/key' }),
    /ENCRYPTION_KEY_FILE: \/nowhere\/key can't be read \(ENOENT\)/,
  ],
  ['empty', () => ({ ENCRYPTION_KEY_FILE: '/dev/null' }), /ENCRYPTION_KEY_FILE: \/dev\/null is empty/],
])('rejects a file that is %s without showing the secret', (_, settings, message) => {
  const reading = () => read(settings());
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(message);
  expect(reading).not.toThrow(key.toString('base64'));
});

test('development generates no key if a file is set', async () => {
  const environment = await developmentEnvironment({ DATA_DIR: folder.path, ENCRYPTION_KEY_FILE: file });
  expect(environment).not.toHaveProperty('ENCRYPTION_KEY');
  expect(readConfig(environment).encryption_keys).toEqual([key]);
  await rm(join(folder.path, 'development.env'), { force: true });
});

test('reads several keys, and rejects an invalid one without showing it', () => {
  const other = Buffer.alloc(32, 10);
  const both = `${key.toString('base64')}, ${other.toString('base64')}`;
  expect(read({ ENCRYPTION_KEY: both }).encryption_keys).toEqual([key, other]);
  expect(read({ ENCRYPTION_KEY: both }).fileKeys).toHaveLength(2);
  expect(() => read({ ENCRYPTION_KEY: `${key.toString('base64')},c2hvcnQ=` })).toThrow(/ENCRYPTION_KEY.*32 bytes/);
  expect(() => read({ ENCRYPTION_KEY: `${key.toString('base64')},c2hvcnQ=` })).not.toThrow(/c2hvcnQ/);
});

test('the settings table describes each, and the command line prints it', async () => {
  const table = settingsTable();
  expect(table.filter(({ description }) => description.length < 10)).toEqual([]);
  expect(table.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_REPLICA_URL',
    'ENCRYPTION_KEY',
    'STORAGE_URL',
    'FILE_KEYS',
    'SMTP_URL',
  ]);
  expect(table.find(({ name }) => name === 'PORT')).toMatchObject({ default: '8080', values: '0–65535' });
  const { stdout, code } = await run('src/cli.ts', ['settings'], { ENCRYPTION_KEY: 'never-shown' });
  expect(code).toBe(0);
  for (const { name } of table) expect(stdout).toContain(`${name}`);
  expect(stdout).not.toContain('never-shown');
  const page = await readFile(new URL('../../docs/operations/settings.md', import.meta.url), 'utf8');
  expect(page.match(/^\| `[A-Z_]+` \|/gm)).toHaveLength(table.length);
});
