/**
 * The service on an unusual but legal server: few connections, a socket instead of a port, special characters in names and
 * passwords, and an owner who isn't a superuser. test/platform/connection/unusual-defaults.test.ts has odd defaults.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';
import { startService } from '../../../src/service.ts';
import { testSettings } from '../../helpers/settings.ts';

const login = 'odd "role" é@:/?#%';
const password = 'pass@:/?#%25 +&=é"\'\\';
const name = 'odd "database" é:/?#%';

let folder: string;
let server: EmbeddedPostgres;
let admin: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-'));
  await chmod(folder, 0o777);
  server = await startEmbedded(join(folder, 'postgres'), {
    fsync: 'off',
    max_connections: '20',
    unix_socket_directories: folder,
    listen_addresses: hasIPv6() ? '127.0.0.1, ::1' : '127.0.0.1',
    shared_buffers: '1MB',
    work_mem: '64kB',
  });
  admin = new pg.Client(server.url);
  await admin.connect();
  const role = pg.escapeIdentifier(login);
  await admin.query(`create role ${role} login password ${pg.escapeLiteral(password)}`);
  await admin.query(`create database ${pg.escapeIdentifier(name)} owner ${role}`);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
}

/** @param host as written in a URL */
function address(host: string, query = ''): string {
  const userInfo = `${encodeURIComponent(login)}:${encodeURIComponent(password)}`;
  return `postgres://${userInfo}@${host}/${encodeURIComponent(name)}${query && `?${query}`}`;
}

test('the service starts over a socket', async () => {
  const port = new URL(server.url).port;
  const DATABASE_URL = address('', `host=${encodeURIComponent(folder)}&port=${port}`);
  // As docs/operations/postgres.md says; 3 of the 20 are for superusers.
  const few = { DATABASE_POOL_SIZE: '3', WORKER_CONCURRENCY: '2' };
  const config = readConfig({ ...testSettings, DATABASE_URL, ...few, PORT: '0', DATA_DIR: join(folder, 'data') });
  const service = await startService(config);
  try {
    expect((await fetch(`${service.base_url}/readyz`)).status).toBe(200);
  } finally {
    await service.stop();
  }
});

test.each(['127.0.0.1', ...(hasIPv6() ? ['[::1]'] : [])])('starts over %s', async (host) => {
  const url = address(`${host}:${new URL(server.url).port}`);
  await expect(prepareDatabase({ url, pooled: false, statementTimeoutMs: 15_000 })).resolves.toEqual({
    url,
    directUrl: url,
  });
});
