/** A Postgres with certificates of a private CA, as most self-hosted ones have. */
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { postgresRunner } from '../../../src/platform/embedded/embedded-runner.ts';
import { startProblem } from '../../../src/platform/process/start-problem.ts';
import { startService } from '../../../src/service.ts';
import { certificateAuthority } from '../../helpers/network/certificate.ts';
import { testSettings } from '../../helpers/settings.ts';

const authority = certificateAuthority();
const stranger = certificateAuthority('Another CA');

let folder: string;
let server: EmbeddedPostgres;
let owner: pg.Client;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'encrypted-'));
  await chmod(folder, 0o755);
  const { uid } = await postgresRunner(file('postgres'));
  const secret = async (name: string, content: string) => {
    await writeFile(file(name), content, { mode: 0o600 });
    if (uid !== undefined) await chown(file(name), uid, uid);
  };
  const ofServer = authority.issue({ hosts: ['localhost'] });
  const ofClient = authority.issue({ hosts: ['by_certificate'] });
  const ofStranger = stranger.issue({ hosts: ['by_certificate'] });
  await secret('server.pem', ofServer.cert);
  await secret('server.key', ofServer.key);
  await secret('ca.pem', authority.ca);
  await secret('stranger.pem', stranger.ca);
  await secret('client.pem', ofClient.cert);
  await secret('client.key', ofClient.key);
  await secret('stranger-client.pem', ofStranger.cert);
  await secret('stranger-client.key', ofStranger.key);
  await secret(
    'hba.conf',
    `host all postgres all scram-sha-256
hostssl all by_password all scram-sha-256
hostssl all by_certificate all cert
`,
  );
  server = await startEmbedded(file('postgres'), {
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: file('server.pem'),
    ssl_key_file: file('server.key'),
    ssl_ca_file: file('ca.pem'),
    hba_file: file('hba.conf'),
  });
  owner = new pg.Client(server.url);
  await owner.connect();
  await owner.query("create role by_password login password 'a b/c'; create role by_certificate login");
  await owner.query('grant create on database collaborators to by_password, by_certificate');
  await owner.query('grant create on schema public to by_password');
});
afterAll(async () => {
  await owner.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const ca = () => `sslrootcert=${encodeURIComponent(file('ca.pem'))}`;
const clientFiles = (name: string) =>
  `sslcert=${encodeURIComponent(file(`${name}.pem`))}&sslkey=${encodeURIComponent(file(`${name}.key`))}`;

function address(query: string, { host = 'localhost', login = 'by_password:a%20b%2Fc' } = {}): string {
  return `postgres://${login}@${host}:${new URL(server.url).port}/collaborators?${query}`;
}

/** @returns the error of a process that can't start */
async function refusal(DATABASE_URL: string): Promise<string> {
  try {
    const config = readConfig({ ...testSettings, DATABASE_URL, PORT: '0', DATA_DIR: file('data') });
    await (await startService(config)).stop();
    return 'it started';
  } catch (error) {
    return startProblem(error);
  }
}

test('with the CA file, all connections of API and worker are encrypted', async () => {
  const DATABASE_URL = address(`sslmode=require&${ca()}`);
  const config = readConfig({ ...testSettings, DATABASE_URL, PORT: '0', DATA_DIR: file('data') });
  const service = await startService(config);
  try {
    expect((await fetch(`${service.base_url}/readyz`)).status).toBe(200);
    const { rows } = await owner.query<{ name: string; ssl: boolean }>(
      `select distinct application_name as name, ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where usename = 'by_password' order by 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
  } finally {
    await service.stop();
  }
});

describe('startup reports', () => {
  test.each([
    [
      'no sslmode, where the server wants it',
      () => address(''),
      /^the database refused the connection: .*no encryption/,
    ],
    [
      'require without the authority',
      () => address('sslmode=require'),
      /unknown authority: set sslrootcert to the certificate file of the authority \(.*certificate.*\): see docs/,
    ],
    [
      'another authority',
      () => address(`sslmode=require&sslrootcert=${file('stranger.pem')}`),
      /from an unknown authority/,
    ],
    [
      'another host',
      () => address(`sslmode=verify-full&${ca()}`, { host: '127.0.0.1' }),
      /its certificate is for another host/,
    ],
    [
      'no such file',
      () => address(`sslmode=require&sslrootcert=${file('nowhere.pem')}`),
      /^invalid configuration: DATABASE_URL: sslrootcert: ENOENT.*nowhere\.pem/,
    ],
    [
      'no certificate of the client',
      () => address(`sslmode=require&${ca()}`, { login: 'by_certificate' }),
      /^the database refused the connection: /,
    ],
    [
      'one of another authority',
      () => address(`sslmode=require&${ca()}&${clientFiles('stranger-client')}`, { login: 'by_certificate' }),
      /^the database can't be used: it refused the client certificate \(sslcert\): unknown ca: see docs/,
    ],
  ])('%s', async (_name, url, expected) => {
    const message = await refusal(url());
    expect(message).not.toBe('it started');
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/a b|a%20b/);
  });

  test('a server without TLS', async () => {
    const message = await refusal(`${process.env.TEST_POSTGRES_URL}?sslmode=require&${ca()}`);
    expect(message).toMatch(/its URL requires TLS \(sslmode\), which the server does not support: see docs/);
  });
});

test.each([
  ['verify-ca does not mind the host', () => address(`sslmode=verify-ca&${ca()}`, { host: '127.0.0.1' })],
  ['no-verify does not mind who it is', () => address('sslmode=no-verify', { host: '127.0.0.1' })],
])('accepts %s', async (_name, url) => {
  expect(await refusal(url())).toBe('it started');
});

test('a client certificate replaces the password', async () => {
  const DATABASE_URL = address(`sslmode=verify-full&${ca()}&${clientFiles('client')}`, { login: 'by_certificate' });
  const config = readConfig({
    ...testSettings,
    DATABASE_URL,
    DATABASE_OWNER_URL: address(`sslmode=verify-full&${ca()}`),
    PORT: '0',
    DATA_DIR: file('data'),
  });
  const service = await startService(config);
  try {
    expect((await fetch(`${service.base_url}/readyz`)).status).toBe(200);
  } finally {
    await service.stop();
  }
});
