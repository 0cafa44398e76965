import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { isUnavailable } from '../../../src/contract/problem.ts';
import { storeRoleSettings } from '../../../src/platform/connection/role-settings.ts';
import { workerSessionTo } from '../../../src/platform/connection/session.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

const limits = { statementTimeoutMs: 7_000, lockTimeoutMs: 300, idleTransactionTimeoutMs: 9_000 };
const expected = {
  statement_timeout: '7s',
  lock_timeout: '300ms',
  idle_in_transaction_session_timeout: '9s',
  TimeZone: 'UTC',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const question = `select name, current_setting(name) as value
  from unnest(array['${Object.keys(expected).join("', '")}']) as name`;

interface Setting {
  name: string;
  value: string;
}

const asObject = (rows: Setting[]) => Object.fromEntries(rows.map(({ name, value }) => [name, value]));

describe.each([
  ['startup', false],
  ['role', true],
])('by %s', (_way, pooled) => {
  test('every connection has the limits from the start', async () => {
    const { url } = database;
    if (pooled) {
      await Promise.all(Array.from({ length: 3 }, () => storeRoleSettings(url, limits))); // like processes that start together
    }
    const db = openDatabase({ url, poolSize: 1, connectTimeoutMs: 30_000, pooled, ...limits });
    try {
      const { rows } = await db.global.executeQuery<Setting>(CompiledQuery.raw(question));
      expect(asObject(rows)).toEqual(expected);
    } finally {
      await db.close();
    }
  });
});

test('stored with the role, they apply to connections without options, such as a pooler’s', async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  expect(asObject((await client.query<Setting>(question)).rows)).toEqual(expected);
  await client.end();
});

test('a worker that vanishes in a transaction loses its locks', async () => {
  const vanished = new pg.Client(workerSessionTo(database.url, { socketTimeout: { limitMs: 200 } }) as pg.ClientConfig);
  vanished.on('error', () => {});
  const waiter = new pg.Client(database.url);
  await Promise.all([vanished.connect(), waiter.connect()]);
  await vanished.query('begin; lock table companies in access exclusive mode');
  await waiter.query('set lock_timeout = 0; set statement_timeout = 0');
  expect((await waiter.query('select 1 from companies')).rows).toEqual([]);
  await Promise.all([vanished.end(), waiter.end()]);
});

test('a lock timeout is reported as retryable', async () => {
  const [holder, waiter] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([holder.connect(), waiter.connect()]);
  await holder.query('begin; lock table companies in access exclusive mode');
  const refused = await waiter.query('select 1 from companies').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: '55P03' });
  expect(isUnavailable(refused)).toBe(true);
  await Promise.all([holder.end(), waiter.end()]);
});

test.each([
  ['a login that is gone', { username: 'nobody_here', password: 'x' }],
  ['a database that is gone', { pathname: '/nowhere' }],
])('%s counts as an outage at runtime, not as an error of the request', async (_name, changed) => {
  const url = Object.assign(new URL(database.url), changed).href;
  const db = openDatabase({ url, poolSize: 1, connectTimeoutMs: 30_000, ...limits });
  const failed = await db.ping().catch((error: unknown) => error);
  await db.close();
  expect(isUnavailable(failed)).toBe(true);
});
