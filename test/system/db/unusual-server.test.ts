/**
 * Runs the demo on an unusual but legal server: few connections, a socket instead of a port, special characters in
 * names and passwords, an owner who isn't a superuser, and odd defaults.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';
import { run } from '../../helpers/command.ts';

const login = 'odd "role" é@:/?#%';
const password = 'pass@:/?#%25 +&=é"\'\\';
const name = 'odd "database" é:/?#%';

const ofRole = [
  "datestyle = 'SQL, DMY'",
  "timezone = 'Asia/Kolkata'",
  "default_transaction_isolation = 'serializable'",
  "statement_timeout = '20ms'",
  "lock_timeout = '20ms'",
  "idle_in_transaction_session_timeout = '20ms'",
  'search_path = nowhere',
  'row_security = off',
  'jit = on',
  'jit_above_cost = 0',
  'standard_conforming_strings = off',
  'bytea_output = escape',
  "client_min_messages = 'debug1'",
];

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
    default_transaction_isolation: 'serializable',
    datestyle: 'German',
    shared_buffers: '1MB',
    work_mem: '64kB',
  });
  admin = new pg.Client(server.url);
  await admin.connect();
  const role = pg.escapeIdentifier(login);
  await admin.query(`create role ${role} login password ${pg.escapeLiteral(password)}`);
  await admin.query(`create database ${pg.escapeIdentifier(name)} owner ${role}`);
  for (const setting of ofRole) await admin.query(`alter role ${role} set ${setting}`);
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

test('the demo completes over a socket, and prints each step', async () => {
  const home = await mkdtemp(join(tmpdir(), 'odd-demo-'));
  try {
    const port = new URL(server.url).port;
    const DATABASE_URL = address('', `host=${encodeURIComponent(folder)}&port=${port}`);
    // As docs/operations/postgres.md says; 3 of the 20 are for superusers.
    const few = { DATABASE_POOL_SIZE: '3', WORKER_CONCURRENCY: '2' };
    const env = { HOME: home, TMPDIR: home, DATA_DIR: `${home}/none`, DATABASE_URL, ...few };
    const { code, stdout, stderr } = await run('scripts/demo/demo.ts', [], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/On Postgres \d+\.\d+ of DATABASE_URL, in the database odd "database".*, which was empty\./);
    const numbers = [...stdout.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect(stdout).toContain(`All ${numbers.length} steps passed.`);
    const statuses = [...stdout.matchAll(/^ {3}(?:GET|POST|PUT|PATCH|DELETE) \S+ → (\d+)$/gm)].map(([, code]) => code);
    expect(statuses).toEqual(expect.arrayContaining(['200', '201', '202', '400', '401', '403', '404', '409', '412']));
    expect(await readdir(home)).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test.each(['127.0.0.1', ...(hasIPv6() ? ['[::1]'] : [])])('starts over %s', async (host) => {
  const url = address(`${host}:${new URL(server.url).port}`);
  await expect(prepareDatabase({ url, pooled: false, statementTimeoutMs: 15_000 })).resolves.toEqual({
    url,
    directUrl: url,
  });
});
