/** A database without disk space or free connections: responses to clients, and monitoring. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { observeDatabase } from '../../../src/platform/observe/database.ts';
import { testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type WatchedService, watchedService } from '../observe/service.ts';

let service: WatchedService;
beforeAll(async () => {
  service = await watchedService({});
});
afterAll(() => service.close());

const figure = async (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(await service.figures())?.[1];
const add = (email: string) => {
  const person = { name: 'Ana Lima', position: 'Driver', department: 'Fleet', email };
  return service.request('POST', '/v1/collaborators', {}, person);
};

/** Makes every write fail as if a table couldn't grow. */
const fill = `
  create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create trigger no_space before insert or update or delete on public.%I for each statement execute function no_space()', name);
    end loop;
  end $$`;

test('with a full disk, writes return 503, reads work, and metrics report it until a write succeeds', async () => {
  expect((await add('before@example.com')).status).toBe(201);
  await eventually(async () => expect(await figure('database_writable')).toBe('1'));
  expect(await figure('database_errors_total\\{sqlstate="53100"\\}')).toBe('0'); // so that an alert sees the first increase

  await service.database.query(fill);
  const refused = await add('refused@example.com');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.request('GET', '/v1/collaborators')).status).toBe(200);
  await eventually(async () => expect(await figure('database_writable')).toBe('0'));
  expect(Number(await figure('database_errors_total\\{sqlstate="53100"\\}'))).toBeGreaterThan(0);
  expect(await figure('database_up')).toBe('1');

  await service.database.query('drop function no_space() cascade');
  await eventually(async () => expect((await add('after@example.com')).status).toBe(201));
  await eventually(async () => expect(await figure('database_writable')).toBe('1'));
});

test('a lack of connections is counted by SQLSTATE, for the pool and for point reads', async () => {
  const database = await testDatabase(1);
  const role = `limited_${randomBytes(6).toString('hex')}`;
  await database.query(`create role ${role} login password 'limited' connection limit 0`);
  const registry = new Registry();
  const observer = observeDatabase({ registry, log: pino({ level: 'silent' }), slowQueryMs: 60_000 });
  const url = Object.assign(new URL(database.url), { username: role, password: 'limited' }).href;
  const limits = { poolSize: 1, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 };
  const db = openDatabase({ url, ...limits, observer });
  await expect(db.global.selectFrom('companies').select('id').execute()).rejects.toMatchObject({ code: '53300' });
  await expect(db.ping()).rejects.toMatchObject({ code: '53300' });
  expect(await registry.metrics()).toContain('database_errors_total{sqlstate="53300"} 2');
  await db.close();
  await database.query(`drop role ${role}`);
  await database.drop();
});
