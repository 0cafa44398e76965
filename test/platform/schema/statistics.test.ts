/** Planner statistics of fast-growing tables. */
import pg from 'pg';
import { clearErasedValues, refreshStatistics } from '../../../src/platform/schema/statistics.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { fixStatistics } from '../../helpers/database/explain.ts';
import { eventually } from '../../helpers/eventually.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await fixStatistics(database, ['collaborators', 'collaborator_history', 'events', 'deliveries']); // else Postgres might be first
});
afterAll(async () => {
  await database.drop();
});

const expected = async (email: string) => {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from collaborators where email like '${email}'`,
  );
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
};

test('analyzes a table that has grown once', async () => {
  const person = { name: 'Ada', email: 'ada@first.example', password: 'correct horse battery staple' };
  const { company } = await createCompany(database.db, 'First', { ...person, position: 'x', department: 'y' });
  expect(await refreshStatistics(database.pool)).toEqual([]);
  const grower = new pg.Client(database.url);
  await grower.connect();
  await grower.query(
    `insert into collaborators (company_id, id, name, email, position, department)
     select $1, gen_random_uuid(), 'Person', 'p' || n || '@example.com', 'x', 'y' from generate_series(1, 3000) n`,
    [company.id],
  );
  await grower.end(); // disconnecting reports the changes
  await eventually(async () => expect(await refreshStatistics(database.pool)).toEqual(['collaborators']));
  expect(await expected('p%')).toBeGreaterThan(2_000);
  expect(await refreshStatistics(database.pool)).toEqual([]);
});

test('forgets values of deleted rows; from Postgres 18 also of tables that are now empty', async () => {
  const known = async () => {
    const sql = `select tablename from pg_stats
       where concat_ws(' ', most_common_vals::text, histogram_bounds::text) like '%qxforget%' order by 1`;
    return (await database.query<{ tablename: string }>(sql)).map(({ tablename }) => tablename);
  };
  const person = { name: 'Bea', email: 'bea@second.example', password: 'correct horse battery staple' };
  const { company } = await createCompany(database.db, 'Second', { ...person, position: 'x', department: 'y' });
  await database.query(
    `insert into imports (company_id, id, filename, format, size, sha256, mode, on_error, empty_cells, send_invitations,
       dry_run, may_write_salary, status, expires_at)
     select $1, gen_random_uuid(), 'qxforget.csv', 'csv', 1, sha256('x'), 'create', 'continue', 'keep', false, false, false,
       'completed', now() from generate_series(1, 20)`,
    [company.id],
  );
  await database.query(
    `insert into collaborators (company_id, id, name, email, position, department)
     select $1, gen_random_uuid(), 'Cy qxforget', 'cy' || n || '@qxforget.example', 'x', 'y' from generate_series(1, 20) n`,
    [company.id],
  );
  await database.query('analyze imports, collaborators');
  expect(await known()).toEqual(expect.arrayContaining(['collaborators', 'imports']));
  await database.query('delete from imports');
  await database.query("delete from collaborators where name like '%qxforget%'");
  const client = await database.pool.connect();
  await clearErasedValues(client).finally(() => client.release());
  const [server] = await database.query<{ version: number }>(
    "select current_setting('server_version_num')::integer as version",
  );
  expect(await known()).toEqual(server!.version >= 180_000 ? [] : ['imports']); // as docs/operations/privacy.md says
});
