import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type Migration,
  migrate,
  migrateBy,
  migrationLockKey,
  readMigrations,
} from '../../../src/platform/schema/migrate.ts';
import { tenantTableNames } from '../../../src/platform/tenancy/tables.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  await client.connect();
  return client;
}

describe('migrations', () => {
  test('are applied once by concurrent processes', async () => {
    const name = `fresh_${randomBytes(6).toString('hex')}`;
    const url = new URL(process.env.TEST_POSTGRES_URL!);
    const admin = new pg.Client(url.href);
    await admin.connect();
    await admin.query(`create database ${name}`);
    url.pathname = `/${name}`;
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url.href)));
    expect(applied.filter((files) => files.length > 0)).toHaveLength(1);
    expect(await migrate(url.href)).toEqual([]);
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  test('reject an applied file that was edited', async () => {
    const client = await connected();
    const migrations = await readMigrations();
    const later: Migration = { name: '9997_later.sql', sql: 'select 1', checksum: 'a', works_from: '0000' };
    expect(await migrateBy(client, [...migrations, later])).toEqual([later.name]);
    const edited = migrateBy(client, [...migrations, { ...later, checksum: 'b' }]);
    await expect(edited).rejects.toThrow('migration 9997_later.sql was edited after it was applied');
    await database.query('delete from schema_migrations where name = $1', [later.name]);
    await client.end();
  });

  test.each([
    ['with other migrations', "update schema_migrations set name = '0001_foundation.sql' where name like '0001%'"],
    ['with a draft of the first one', "update schema_migrations set checksum = 'draft' where name like '0001%'"],
    [
      'before it was written down what works with them',
      'alter table schema_migrations drop column works_from; update schema_migrations set checksum = reverse(checksum)',
    ],
  ])('reject data of an unpublished version with the reason, and leave it unchanged: %s', async (_name, statements) => {
    const old = await testDatabase();
    await old.query(statements);
    const appliedMigrations = () => old.query('select * from schema_migrations order by name');
    const before = await appliedMigrations();
    await expect(migrate(old.url)).rejects.toThrow(
      'the data in this database were created by an unpublished version before 1.0.0, the oldest supported one',
    );
    expect(await appliedMigrations()).toEqual(before);
    await old.drop();
  });

  test('of a newer version are accepted, unless one declares itself incompatible', async () => {
    await database.query(
      "insert into schema_migrations (name, checksum, works_from) values ('9998_later.sql', '', '0000')",
    );
    expect(await migrate(database.url)).toEqual([]);
    const future = (worksFrom: string) =>
      database.query("insert into schema_migrations (name, checksum, works_from) values ('9999_future.sql', '', $1)", [
        worksFrom,
      ]);
    await future('9998');
    await expect(migrate(database.url)).rejects.toThrow('9999_future.sql, which this version does not support');
    await database.query("delete from schema_migrations where name like '999%'");
  });

  test('release the lock even if the connection stays open, whatever the outcome', async () => {
    const client = await connected();
    const lockCount = async () => {
      const { rows } = await client.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and pid = pg_backend_pid()`,
        [migrationLockKey],
      );
      return rows.length;
    };
    await migrateBy(client);
    expect(await lockCount()).toBe(0);
    await client.query('update schema_migrations set checksum = reverse(checksum)');
    await expect(migrateBy(client)).rejects.toThrow(/unpublished version/);
    expect(await lockCount()).toBe(0);
    await client.query('update schema_migrations set checksum = reverse(checksum)');
    await client.end();
  });

  test('record which code version works with them', async () => {
    const rows = await database.query<{ works_from: string }>('select distinct works_from from schema_migrations');
    expect(rows).toEqual([{ works_from: '0000' }]);
  });
});

test('no table uses sequences, which would restart after a restore', async () => {
  const sequences = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'";
  expect(await database.query(sequences)).toEqual([]);
});

describe('the schema can be distributed by company', () => {
  test('the list of tenant tables is complete', async () => {
    const rows = await database.query<{ table_name: string }>(
      `select c.table_name from information_schema.columns c
       join pg_constraint k on k.conrelid = c.table_name::regclass and k.contype = 'p'
       where c.table_schema = 'public' and c.column_name = 'company_id'
       and k.conkey[1] = c.ordinal_position order by 1`,
    );
    expect(rows.map((row) => row.table_name)).toEqual([...tenantTableNames].sort());
  });

  test('company_id comes first in every unique index and foreign key', async () => {
    const indexes = await database.query(
      `select i.indexrelid::regclass::text as name from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'company_id'
       where i.indrelid = any($1::regclass[]) and i.indisunique and i.indkey[0] <> a.attnum`,
      [tenantTableNames],
    );
    expect(indexes).toEqual([]);
    const keys = await database.query(
      `select k.conname from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'company_id'
       where k.conrelid = any($1::regclass[]) and k.contype = 'f' and k.conkey[1] <> a.attnum`,
      [tenantTableNames],
    );
    expect(keys).toEqual([]);
  });

  test('it comes first in every other index that a statement of one company could use', async () => {
    const others = await database.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'company_id'
       where i.indrelid = any($1::regclass[]) and i.indkey[0] <> a.attnum order by name`,
      [tenantTableNames],
    );
    expect(others.map(({ name }) => name)).toEqual([
      'audit_log_changed_fields', // its keys include the company, as those of collaborators_search
      'collaborators_search',
      'deliveries_overdue',
      'webhooks_failing',
    ]);
  });

  test('tenant tables have no triggers', async () => {
    const rows = await database.query(
      'select tgname from pg_trigger where not tgisinternal and tgrelid = any($1::regclass[])',
      [tenantTableNames],
    );
    expect(rows).toEqual([]);
  });

  test('no global table references a tenant table', async () => {
    const rows = await database.query(
      `select conname from pg_constraint where contype = 'f' and confrelid = any($1::regclass[])
       and conrelid <> all($1::regclass[])`,
      [tenantTableNames],
    );
    expect(rows).toEqual([]);
  });
});
