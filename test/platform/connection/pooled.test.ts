/** For poolers in transaction mode: requests leave no session state that the next one would miss or inherit. */
import { CompiledQuery } from 'kysely';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { aboutConnection, openTestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { testSettings } from '../../helpers/settings.ts';

let app: TestApp;
beforeAll(async () => {
  const database = await testDatabase(1);
  await database.query(`alter database ${new URL(database.url).pathname.slice(1)} set timezone = 'Asia/Kolkata'`);
  await database.query(aboutConnection(state));
  const pooled = openTestDatabase(database.url, 3, database.drop, { pooled: true, preparedStatements: false });
  app = await testApp({}, pooled);
});
afterAll(() => app.close());

/** Session state of a connection that requests use. */
const state = `select
  (select count(*) from pg_prepared_statements) as statements, (select count(*) from pg_cursors) as cursors,
  (select count(*) from pg_listening_channels()) as channels, current_setting('TimeZone') as zone,
  (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
  (select array_agg(name order by name) from pg_settings where source = 'session') as settings, pg_backend_pid() as pid`;

test('leaves no prepared statement, cursor, lock, or setting, and times are still in UTC', async () => {
  const { admin, database, company_id: companyId } = app;
  const one = { name: 'Ola One', email: 'ola@example.com', position: 'Clerk', department: 'Office' };
  const requestedMs = Date.now();
  const created = await admin.post('/v1/collaborators', one).set('Idempotency-Key', 'one').expect(201);
  expect(Math.abs(Date.parse(created.body.created_at) - requestedMs)).toBeLessThan(Date.now() - requestedMs + 60_000);
  await admin.get(`/v1/collaborators/${created.body.id}`).expect(200);
  await admin.get('/v1/collaborators?search=ola').expect(200);
  await admin.get('/v1/collaborators/export/list?format=csv').expect(200);

  const statement = 'select * from worker_pools';
  const tenant = database.db.tenant(companyId);
  // Both connections for point reads, and those of the pool.
  const reads = await Promise.all(
    Array.from({ length: 4 }, () => tenant.read<Record<string, unknown>>(CompiledQuery.raw(statement))),
  );
  const pooled = await Promise.all(
    Array.from({ length: 3 }, () =>
      database.db.global.executeQuery<Record<string, unknown>>(CompiledQuery.raw(statement)),
    ),
  );
  const sessions = [...reads.flat(), ...pooled.flatMap(({ rows }) => rows)];
  expect(new Set(sessions.map(({ pid }) => pid)).size).toBeGreaterThan(2);
  // The same on all connections, so none comes from a request.
  const settings = ['DateStyle', 'IntervalStyle', 'TimeZone', 'standard_conforming_strings'];
  for (const { pid: _, ...session } of sessions) {
    expect(session).toEqual({ statements: 0, cursors: 0, channels: 0, zone: 'UTC', locks: 0, settings });
  }
});

test('a pooler requires a direct URL too', () => {
  const settings = { ...testSettings, DATABASE_URL: 'postgres://pooler/x', DATABASE_POOLER: 'transaction' };
  expect(() => readConfig(settings)).toThrow(/^invalid configuration: DATABASE_POOLER: /);
  const both = { ...settings, DATABASE_DIRECT_URL: 'postgres://server/x' };
  expect(readConfig(both).database).toMatchObject({
    url: 'postgres://pooler/x',
    directUrl: 'postgres://server/x',
    pooled: true,
    preparedStatements: false,
  });
  expect(readConfig({ ...both, DATABASE_PREPARED_STATEMENTS: 'true' }).database.preparedStatements).toBe(true);
});
