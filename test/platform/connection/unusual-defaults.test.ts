/** Responses don't depend on defaults of the server, database, or role. */
import { CompiledQuery } from 'kysely';
import { storeRoleSettings } from '../../../src/platform/connection/role-settings.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { column, csvOf, runExport } from '../../helpers/resources/exports.ts';

/** Unusual but legal values. */
const defaults = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Asia/Kolkata',
  extra_float_digits: '-15',
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  row_security: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
  quote_all_identifiers: 'on',
  exit_on_error: 'on',
  search_path: 'elsewhere',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1ms',
  jit: 'on',
  jit_above_cost: '0',
  client_min_messages: 'debug1',
};
/** Postgres 17 and later. */
const newer = { transaction_timeout: '100ms' };

const limits = { statementTimeoutMs: 60_000 };
const ways = [
  ['asked for by the connection', false],
  ['kept with the role, for a pooler', true],
] as const;

describe.each(ways)('odd defaults, with our settings %s', (_way, pooled) => {
  let app: TestApp;
  beforeAll(async () => {
    const database = await testDatabase(1);
    const name = new URL(database.url).pathname.slice(1);
    const [row] = await database.query<{ version: number }>(
      "select current_setting('server_version_num')::integer as version",
    );
    const unusual = { ...defaults, ...(row!.version >= 170_000 && newer) };
    for (const [setting, value] of Object.entries(unusual)) {
      await database.query(`alter database ${name} set ${setting} = ${pgText(value)}`);
    }
    if (pooled) await storeRoleSettings(database.url, limits);
    app = await testApp({}, openTestDatabase(database.url, 3, database.drop, { pooled, ...limits }));
  });
  afterAll(() => app.close());

  test('people can be written, found, changed, and exported', async () => {
    const { admin } = app;
    const requestedMs = Date.now();
    const one = {
      name: 'Zoë \\ Ångström',
      email: 'zoe@example.com',
      position: 'Clerk',
      department: 'Office',
      hire_date: '2026-03-04',
      salary: 48_000.55,
      emergency_contact: { name: 'Nuno', phone: '+351 912 345 678', relationship: 'brother' },
    };
    const created = await admin.post('/v1/collaborators', one).set('Idempotency-Key', 'one').expect(201);
    expect(created.body).toMatchObject(one);
    expect(Math.abs(Date.parse(created.body.created_at) - requestedMs)).toBeLessThan(Date.now() - requestedMs + 60_000);
    const replay = await admin.post('/v1/collaborators', one).set('Idempotency-Key', 'one').expect(201);
    expect(replay.body).toEqual(created.body);
    const found = await admin.get(`/v1/collaborators/${created.body.id}`).expect(200);
    expect(found.body).toEqual(created.body);
    const taken = await admin.post('/v1/collaborators', one).expect(400);
    expect(Object.keys(taken.body.details)).toEqual(['email']);
    const list = await admin.get('/v1/collaborators?search=angstrom').expect(200);
    expect(list.body.data).toMatchObject([{ id: created.body.id, hire_date: '2026-03-04' }]);
    const all = await admin.get('/v1/collaborators?search=a').expect(200);
    expect(all.body.data.length).toBeGreaterThan(3);
    const rows = csvOf(await runExport(admin, 'list', { format: 'csv' }));
    expect(column(rows, 'Hire date')).toContain('2026-03-04');
    const changed = await admin.patch(`/v1/collaborators/${created.body.id}`, { position: 'Chief' }).expect(200);
    expect(changed.body.updated_at > created.body.updated_at).toBe(true);
  });

  test('a transaction is read committed and isn’t cut short', async () => {
    const { rows } = await app.database.db.global
      .transaction()
      .execute((tx) =>
        tx.executeQuery<{ level: string; longest: string | null }>(
          CompiledQuery.raw(
            "select current_setting('transaction_isolation') as level, current_setting('transaction_timeout', true) as longest",
          ),
        ),
      );
    expect(rows[0]!.level).toBe('read committed');
    expect(rows[0]!.longest ?? '0').toBe('0');
  });
});

function pgText(value: string): string {
  return value
    .split(', ')
    .map((part) => `'${part}'`)
    .join(', ');
}
