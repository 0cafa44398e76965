/** Scripts that use the API work on the configured server, and leave it unchanged. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { walkDatabase } from '../../scripts/run/walk-database.ts';
import { prepareDatabase } from '../../src/platform/schema/prepare.ts';
import { run } from '../helpers/command.ts';
import { testDatabase } from '../helpers/database/database.ts';

let server: pg.Client;
beforeAll(async () => {
  server = new pg.Client(process.env.TEST_POSTGRES_URL);
  await server.connect();
});
afterAll(() => server.end());

const databases = async (like: string) => {
  const { rows } = await server.query<{ name: string }>(
    'select datname as name from pg_database where datname like $1',
    [like],
  );
  return rows.map(({ name }) => name);
};

const tables = `select relname as name from pg_class where relkind in ('r', 'p')
  and relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`;

test('without DATABASE_URL, there is none', async () => {
  expect(await walkDatabase({ PORT: '0' })).toBeUndefined();
});

test('uses an empty database itself, and empties it afterwards', async () => {
  const database = await testDatabase(1, { template: 'template0' });
  try {
    const walk = await walkDatabase({ DATABASE_URL: database.url });
    expect(walk!.environment).toMatchObject({ DATABASE_URL: database.url, DATABASE_URL_FILE: undefined });
    expect(walk!.description).toMatch(/^Postgres \d+\.\d+ of DATABASE_URL, in the database test_\w+, which was empty$/);
    await prepareDatabase({ url: database.url, pooled: false, statementTimeoutMs: 60_000 });
    expect((await database.query(tables)).length).toBeGreaterThan(20);
    await walk!.remove();
    expect(await database.query(tables)).toEqual([]);
    expect(await database.query("select extname from pg_extension where extname <> 'plpgsql'")).toEqual([]);
    expect(await database.query("select proname from pg_proc where pronamespace = 'public'::regnamespace")).toEqual([]);
  } finally {
    await database.drop();
  }
});

test('creates another one next to a database in use, with the same locale, and removes it', async () => {
  const database = await testDatabase();
  const name = new URL(database.url).pathname.slice(1);
  try {
    const before = await database.query(tables);
    const walk = await walkDatabase({ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.url });
    const [created] = await databases(`${name}_walk_%`);
    expect(walk!.description).toContain(`in the database ${created}, made for it because ${name} is in use`);
    const locale = (of: string) =>
      server.query(
        'select datcollate, datctype, datlocprovider, pg_encoding_to_char(encoding) from pg_database where datname = $1',
        [of],
      );
    expect((await locale(created!)).rows).toEqual((await locale(name)).rows);
    const url = database.url.replace(name, created!);
    expect(walk!.environment).toMatchObject({ DATABASE_URL: url, DATABASE_OWNER_URL: url });
    await prepareDatabase({ url, pooled: false, statementTimeoutMs: 60_000 });
    await walk!.remove();
    expect(await databases(`${name}_walk_%`)).toEqual([]);
    expect(await database.query(tables)).toEqual(before);
  } finally {
    await database.drop();
  }
});

test('asks a login that can’t create one for an empty database', async () => {
  const database = await testDatabase();
  const login = `walker_${randomBytes(4).toString('hex')}`;
  await server.query(`create role ${login} login password '${login}'`);
  const url = Object.assign(new URL(database.url), { username: login, password: login }).href;
  try {
    await expect(walkDatabase({ DATABASE_URL: url })).rejects.toThrow(
      /^the database test_\w+ of DATABASE_URL has tables, and walker_\w+ may not make another: name an empty one, or run the service on it /,
    );
  } finally {
    await database.drop();
    await server.query(`drop role ${login}`);
  }
});

test('scripts that stop, break, or measure a Postgres reject a configured one', async () => {
  const env = { DATABASE_URL: process.env.TEST_POSTGRES_URL! };
  const { code, stderr } = await run('scripts/proof/guard/prove-guard.ts', [], env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'this command uses its own embedded Postgres, not DATABASE_URL: unset it\n',
  });
});
