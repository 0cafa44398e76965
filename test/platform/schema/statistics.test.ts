/** What the planner knows of tables that grow fast. */
import pg from 'pg';
import { freshenStatistics } from '../../../src/platform/schema/statistics.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';
import { eventually } from '../../helpers/eventually.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const expected = async (email: string) => {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from collaborators where email like '${email}'`,
  );
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
};

test('a table that has grown is looked at again, once', async () => {
  const person = { name: 'Ada', email: 'ada@first.example', password: 'correct horse battery staple' };
  const { company } = await createCompany(database.db, 'First', { ...person, position: 'x', department: 'y' });
  expect(await freshenStatistics(pool)).toEqual([]);
  const grower = new pg.Client(database.url);
  await grower.connect();
  await grower.query(
    `insert into collaborators (company_id, id, name, email, position, department)
     select $1, gen_random_uuid(), 'Person', 'p' || n || '@example.com', 'x', 'y' from generate_series(1, 3000) n`,
    [company.id],
  );
  await grower.end(); // with its end it tells what it changed
  await eventually(async () => expect(await freshenStatistics(pool)).toEqual(['collaborators']));
  expect(await expected('p%')).toBeGreaterThan(2_000);
  expect(await freshenStatistics(pool)).toEqual([]);
});
