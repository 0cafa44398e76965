/**
 * Distribution over a Citus cluster, tested on a Postgres with stub functions that check what Citus checks. This proves
 * that the plan is complete, ordered, and follows the rules; not that Citus executes it.
 */
import { parseSync } from 'libpg-query';
import pg from 'pg';
import { distribute, distributionPlan, NotDistributable } from '../../../src/platform/schema/distribute.ts';
import { readMigrations } from '../../../src/platform/schema/migrate.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

/** Each stub rejects what Citus rejects at that point, and records its calls. */
const citus = `
  create schema stub;
  create table stub.placed (name text primary key, place text not null, colocated_with text, at bigint generated always as identity);

  create function check_keys(t regclass, refers_to text[]) returns void language plpgsql as $$
    declare bad text;
    begin
      select string_agg(conname, ', ') into bad from pg_constraint k where contype = 'f' and (
        k.conrelid = t and not exists (select from stub.placed p where p.name = k.confrelid::regclass::text and p.place = any(refers_to))
        or k.confrelid = t and not exists (select from stub.placed p where p.name = k.conrelid::regclass::text));
      if bad is not null then raise exception '% has keys with tables that are not distributed yet: %', t, bad; end if;
    end $$;

  create function create_reference_table(t regclass) returns void language plpgsql as $$
    begin
      perform check_keys(t, array['reference']);
      insert into stub.placed values (t::text, 'reference');
    end $$;

  create function create_distributed_table(t regclass, distribution_column text, distribution_type text default 'hash',
    colocate_with text default 'default') returns void language plpgsql as $$
    declare number int2; persistence "char"; bad text;
    begin
      select attnum into strict number from pg_attribute where attrelid = t and attname = distribution_column
        and atttypid = 'uuid'::regtype;
      select relpersistence into persistence from pg_class where oid = t;
      if persistence <> 'p' then raise exception '% is not permanent', t; end if;
      select string_agg(indexrelid::regclass::text, ', ') into bad from pg_index
        where indrelid = t and indisunique and number <> all (indkey);
      if bad is not null then raise exception 'unique without the distribution column: %', bad; end if;
      if exists (select from pg_trigger where tgrelid = t and not tgisinternal) then raise exception '% has triggers', t; end if;
      if colocate_with <> 'none' and not exists (select from stub.placed where name = colocate_with and place = 'distributed') then
        raise exception '% is not distributed', colocate_with;
      end if;
      perform check_keys(t, array['reference', 'distributed']);
      insert into stub.placed values (t::text, 'distributed', colocate_with);
    end $$;

  create function create_distributed_function(f regprocedure) returns void language sql as $$ select $$;
`;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

const keys = () =>
  database.query<{ conname: string }>(
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'public'::regnamespace order by 1, 2`,
  );

async function planned(): Promise<string[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await distributionPlan(client);
  } finally {
    await client.end();
  }
}

test('the plan has every table once, restores dropped keys, and every statement parses', async () => {
  const plan = await planned();
  for (const statement of plan) expect(parseSync(statement).stmts).toHaveLength(1);
  const named = plan.flatMap(
    (statement) => /create_(?:reference|distributed)_table\('(\w+)'/.exec(statement)?.[1] ?? [],
  );
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const stay = [
    ...['users', 'memberships', 'oauth_clients', 'oauth_grants', 'oauth_artifacts', 'password_resets', 'signing_keys'],
    ...['totp_factors', 'passkeys', 'recovery_codes', 'used_challenges', 'user_devices', 'user_sessions'],
    ...['schema_migrations', 'file_store', 'rate_limits', 'rate_limit_windows'],
    ...['worker_pools', 'job_deaths', 'directories', 'sign_in_connections', 'sign_in_domains', 'sign_in_links'],
    ...['sign_in_requests', 'sign_in_keys'],
  ];
  expect([...named, ...stay].sort()).toEqual(tables.map(({ name }) => name).sort());
  const constraints = (verb: string) =>
    plan.flatMap((statement) => new RegExp(`${verb} constraint (\\w+)`).exec(statement)?.[1] ?? []);
  expect(['memberships_company_id_fkey', ...constraints('add')].sort()).toEqual(constraints('drop').sort());
  expect(constraints('add').length).toBeGreaterThan(10);
});

test('follows the rules of Citus, and keeps all keys except that of memberships to companies', async () => {
  const before = await keys();
  await database.query(citus);
  await distribute(database.url);
  expect(await keys()).toEqual(before.filter(({ conname }) => conname !== 'memberships_company_id_fkey'));
  const placements = await database.query<{ place: string; colocated_with: string | null; count: number }>(
    'select place, colocated_with, count(*)::int from stub.placed group by 1, 2 order by 1, 2',
  );
  expect(placements).toEqual([
    { place: 'distributed', colocated_with: 'collaborators', count: expect.any(Number) },
    { place: 'distributed', colocated_with: 'none', count: 1 },
    { place: 'reference', colocated_with: null, count: 1 },
  ]);
});

test('reports a missing Citus', async () => {
  await expect(distribute(database.url)).rejects.toThrow('there is no Citus in this database');
});

test('a failing statement rolls back everything', async () => {
  const before = await keys();
  await database.query(
    citus.replace("insert into stub.placed values (t::text, 'reference');", "raise exception 'no room';"),
  );
  await expect(distribute(database.url)).rejects.toThrow('no room');
  expect(await keys()).toEqual(before);
});

test('lists tables that can’t be distributed, with reasons', async () => {
  await database.query(`
    create table strangers (id uuid primary key);
    create unique index imports_filename on imports (filename);
    create function nothing() returns trigger language plpgsql as 'begin return new; end';
    create trigger noisy after insert on events for each row execute function nothing();
    alter table users add column import_id uuid, add column of_company uuid,
      add foreign key (of_company, import_id) references imports;
    alter table exports add column other uuid, add foreign key (other, created_by) references collaborators;
  `);
  const refused: unknown = await planned().catch((error) => error);
  expect(refused).toBeInstanceOf(NotDistributable);
  expect((refused as Error).message.split('\n')).toEqual([
    'events: has the trigger noisy',
    'imports: the unique key (filename) does not start with company_id',
    'strangers: has no distribution',
    'exports_other_created_by_fkey: does not start with company_id on both sides',
    'users_of_company_import_id_fkey: users refers to imports, and one of them stays on the coordinator',
  ]);
});

test('a migration that adds a table adds its keys to other company tables in a later migration', async () => {
  const [, ...later] = await readMigrations(); // the first runs before anything is distributed
  const both = later.filter(
    ({ sql }) => /create table/i.test(sql) && /references (?!companies\b)\w+ \(company_id/i.test(sql),
  );
  expect(both.map(({ name }) => name)).toEqual([]);
});
