import { sql } from 'kysely';
import { guard, TenantGuardError } from '../../../src/platform/tenancy/guard.ts';
import { openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

const company = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const other = '11111111-1111-4111-8111-111111111111';

describe('accepts what binds the company', () => {
  test.each([
    'select * from collaborators where company_id = $1',
    'select * from collaborators c where c.company_id = $1::uuid and c.name = $2',
    'select * from "public"."collaborators" as "c" where "c"."company_id" = $1 and ("c"."name" = $2 or true)',
    'select * from collaborators c join events e on e.company_id = c.company_id where c.company_id = $1',
    'select * from collaborators c left join events e on e.company_id = $1 where c.company_id = $1',
    'select * from companies m join collaborators c on c.company_id = m.id where c.company_id = $1',
    'select (select count(*) from events e where e.company_id = c.company_id) from collaborators c where c.company_id = $1',
    'update collaborators set name = $2 where company_id = $1',
    'delete from events where company_id = $1',
    'insert into events (id, company_id) values ($2, $1), ($3, $1)',
    'insert into events (company_id, id) select $1, id from collaborators where company_id = $1',
    'with a as (insert into events (company_id) values ($1) returning *) select * from a',
    `with recursive t as (select id from collaborators where company_id = $1
      union all select c.id from collaborators c join t on c.manager_id = t.id where c.company_id = $1) select * from t`,
    'select c.id from collaborators c join events e on e.company_id = c.company_id where c.company_id = $1 for update of c',
    'select 1',
    'select * from companies',
    'with recent as (select id from events where company_id = $1) select * from recent',
    'with a as (select 1), b as (select * from a) select * from b join a on true',
    'delete from events where company_id = $1 and id in (select id from events where company_id = $1)',
    'insert into events (company_id, id) values ($1, $2) on conflict (company_id, id) do update set name = excluded.name',
    'select keys.key from unnest($2::text[]) as keys (key)',
    'select remove_old_audit_entries($1::uuid, 90, 5000)',
    "select set_config('cursor_tuple_fraction', $2, true)",
    'set local enable_nestloop = off',
    'begin',
    'declare rows_1 no scroll cursor for select * from collaborators where company_id = $1',
    'fetch 500 from rows_1',
  ])('%s', (statement) => {
    expect(() => guard(statement, [company, 'x', 'y'], company)).not.toThrow();
  });
});

describe('rejects what doesn’t', () => {
  test.each([
    'select * from collaborators',
    'declare rows_1 no scroll cursor for select * from collaborators',
    'declare rows_1 cursor with hold for select * from collaborators where company_id = $1',
    'select * from collaborators where name = $1',
    "select * from collaborators where company_id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'",
    'select * from collaborators where company_id <> $1',
    'select * from collaborators where company_id = $1 or true',
    'select * from collaborators where not (company_id = $1)',
    'select * from collaborators where company_id = company_id',
    'select * from collaborators c join events e on e.id = c.id where c.company_id = $1',
    'select * from collaborators c left join events e on c.company_id = $1',
    'select * from collaborators c full join events e on c.company_id = $1 and e.company_id = $1',
    'select * from collaborators where company_id = $1 union select * from collaborators',
    'select (select count(*) from collaborators) from collaborators where company_id = $1',
    'select * from companies where exists (select 1 from collaborators)',
    'select * from companies where id in (select company_id from collaborators where name = $1)',
    'with a as (select * from collaborators) select * from a where company_id = $1',
    'with t as (select 1) select * from public.collaborators',
    'select c.id from collaborators c, events e where c.company_id = $1 for update of c skip locked',
    'update collaborators set name = $1',
    'update collaborators set company_id = $2 where company_id = $1',
    'update companies set name = c.name from collaborators c where c.id = companies.id',
    'delete from events using collaborators c where events.company_id = $1',
    'insert into events (id) values ($1)',
    'insert into events (company_id, id) values ($1, $2), (gen_random_uuid(), $3)',
    'insert into events (company_id, id) select company_id, id from collaborators where company_id = $1',
    'insert into events default values',
    'insert into events (company_id) values ($1) on conflict (company_id, id) do update set company_id = $2',
    'truncate collaborators',
    'lock table collaborators',
    'copy collaborators to stdout',
    'drop table collaborators',
    'merge into collaborators using companies on true when matched then delete',
    'select * from collaborators where company_id = $1; select * from collaborators',
    'explain select * from collaborators',
    'set role postgres',
    'set local role none',
    'reset role',
    'reset all',
    'set session authorization default',
    'this is not sql',
    // A CTE with the name of a table: it reads the table itself, and so do those before it.
    'with events as (select 1) select * from events',
    'with collaborators as (select * from collaborators) select * from collaborators',
    'with a as (select * from collaborators), collaborators as (select 1) select * from a',
    'with pg_stats as (select * from pg_stats) select * from pg_stats',
    'with everything as (select * from everything) select * from everything',
    'with collaborators as (select 1) update collaborators set name = $1',
    'with collaborators as (select 1) delete from collaborators as c',
    'with a as (select 1) select (with a as (select 2) select * from a) from a',
    // Ambiguous names.
    'select (select count(*) from collaborators c where c.company_id = c.company_id) from collaborators c where c.company_id = $1',
    'select (select count(*) from events where events.company_id = events.company_id) from events where events.company_id = $1',
    'select * from companies as collaborators',
    'select * from (select 1) as events',
    'select * from collaborators c (company_id, id) where c.company_id = $1',
    'select * from collaborators c join events e using (id) where c.company_id = $1 and e.company_id = $1',
    'select * from collaborators c natural join events e where c.company_id = $1 and e.company_id = $1',
    'select * from (collaborators c join events e on true) as j where c.company_id = $1 and e.company_id = $1',
    'insert into events as documents (company_id) values ($1)',
    'update events set name = $2 where company_id = $1 returning with (old as o) o.name',
    // Expressions that only look like the company.
    'select * from collaborators c where c.company_id::text::char(1) = $1::text::char(1)',
    'select * from collaborators c where c.company_id operator(public.=) $1',
    `select * from (select id as company_id from companies) x join companies y on company_id = $1, collaborators c`,
    `update collaborators set name = $2 from (select id as company_id from companies) x join companies y on company_id = $1`,
    `select (select count(*) from (select 1) s left join (companies m join companies n on t.company_id = $1) on true
      where exists (select from events e where e.company_id = t.company_id)) from (select id as company_id from companies) t`,
    'insert into events (name, company_id) select t.*, $2, $1 from (select) t',
    'insert into events (company_id) values ($1) on conflict (id) do update set name = $2',
    'insert into events (company_id) values ($1) on conflict on constraint events_pkey do update set name = $2',
    'select remove_old_audit_entries(gen_random_uuid(), 90, 5000)',
    // Functions that read arbitrary tables, or change the session's privileges.
    "select query_to_xml('select * from collaborators', true, false, '')",
    "select table_to_xml('collaborators', true, false, '')",
    "select * from ts_stat('select to_tsvector(name) from collaborators')",
    "select pg_read_file('/etc/passwd')",
    "select pg_catalog.pg_read_file('/etc/passwd')",
    "select ('/etc/passwd'::text).pg_read_file",
    "select f.pg_read_file from unnest(array['/etc/passwd']) as f",
    "select lo_export(1, '/tmp/x')",
    "select * from dblink('', 'select * from collaborators') as t (id uuid)",
    "select set_config('role', 'postgres', true)",
    "select set_config('search_path', 'other', true)",
    'select set_config($1, $2, true)',
    'select nextval($1)',
    'select pg_sleep(1)',
    // Other tables, including planner statistics with values.
    'select * from pg_stats',
    'select * from pg_catalog.pg_authid',
    'select * from information_schema.tables',
    'select * from graphile_worker.migrations',
    'select * from elsewhere.companies',
    'select * into copied from companies',
    'set search_path = elsewhere',
    'set enable_nestloop = off',
    'do $$ begin delete from collaborators; end $$',
    "prepare transaction 'x'",
  ])('%s', (statement) => {
    expect(() => guard(statement, [company, company, company], company)).toThrow(TenantGuardError);
  });

  test('another company than the one the statement acts for', () => {
    const statement = 'select * from collaborators where company_id = $1';
    expect(() => guard(statement, [other], company)).toThrow(/\$1 is not the company/);
    expect(() => guard(statement, [company], undefined)).toThrow(TenantGuardError);
    expect(() => guard(statement, [undefined], undefined)).toThrow(TenantGuardError);
  });
});

describe('with a real database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    for (const id of [company, other]) await database.query('insert into companies values ($1, $2)', [id, 'A company']);
  });
  afterAll(() => database.drop());

  test('a rejected statement is never sent', async () => {
    const sent: string[] = [];
    const statement = (text: string) => void sent.push(text);
    const watched = openTestDatabase(database.url, 1, async () => {}, { observer: { statement, acquired() {} } });
    try {
      const tenant = watched.db.tenant(company);
      await expect(sql`select * from events`.execute(tenant.raw)).rejects.toThrow(TenantGuardError);
      await expect(sql`delete from events where company_id = ${other}`.execute(tenant.raw)).rejects.toThrow(
        TenantGuardError,
      );
      await expect(sql`select * from events where company_id = ${company}`.execute(watched.db.global)).rejects.toThrow(
        TenantGuardError,
      );
      await expect(
        tenant.transaction(async (tx) => sql`select * from events where company_id = ${other}`.execute(tx.raw)),
      ).rejects.toThrow(TenantGuardError);
      expect(sent.filter((text) => text.includes('events'))).toEqual([]);
      await sql`select id from events where company_id = ${company}`.execute(tenant.raw);
      expect(sent.filter((text) => text.includes('events'))).toEqual(['select id from events where company_id = $1']);
    } finally {
      await watched.drop();
    }
  });

  test('a company reads and changes only its own rows', async () => {
    const event = { id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', name: 'a.b', event_type: 'AB' };
    await database.db.tenant(company).insertInto('events', event).execute();
    await database.db.tenant(other).insertInto('events', event).execute();
    const otherTenant = database.db.tenant(other);
    const names = (tenant: typeof otherTenant) => tenant.selectFrom('events as e').select('e.name').execute();
    await otherTenant.updateTable('events').set({ name: 'c.d' }).execute();
    expect([await names(database.db.tenant(company)), await names(otherTenant)]).toEqual([
      [{ name: 'a.b' }],
      [{ name: 'c.d' }],
    ]);
    await otherTenant.deleteFrom('events').execute();
    expect(await database.db.tenant(company).selectFrom('events').select('name').execute()).toEqual([{ name: 'a.b' }]);
    expect(await names(otherTenant)).toEqual([]);
  });

  test('a failing transaction leaves nothing', async () => {
    const tenant = database.db.tenant(company);
    const event = { id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a31', name: 'x.y', event_type: 'XY' };
    const failing = tenant.transaction(async (tx) => {
      await tx.insertInto('events', event).execute();
      expect(await tx.selectFrom('events').select('id').where('name', '=', 'x.y').execute()).toHaveLength(1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await tenant.selectFrom('events').select('id').where('name', '=', 'x.y').execute()).toEqual([]);
  });
});
