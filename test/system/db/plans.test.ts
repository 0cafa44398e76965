/** No request scans the whole collaborators table, by Postgres's count of sequential scans. */
import pg from 'pg';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';

/** People of the company; others have four times as many, so that a full scan costs more than any index. */
const people = 10_000;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const others = { name: 'Otto', email: 'otto@other.example', password: 'correct horse battery staple' };
  const { company } = await createCompany(app.database.db, 'Other', { ...others, position: 'x', department: 'y' });
  // A tree of fives: people near the top have thousands below.
  const idOf = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`;
  for (const [companyId, top, count] of [
    [app.company_id, app.report.collaborator_id, people],
    [company.id, null, 4 * people],
  ]) {
    await app.database.query(
      `insert into collaborators
         (company_id, id, name, email, position, department, location, status, hire_date, external_id, employee_number,
          manager_id)
       select $1, ${idOf('n')}, 'Person ' || md5(n::text), 'p' || n || '@example.com', 'Grade ' || n % 9,
         'Department ' || n % 10, 'Site ' || n % 50, 'active', date '2015-01-01' + n % 4000,
         'hr:' || n, 'N' || n,
         case when n > 1 then ${idOf('(n + 3) / 5')} else $3::uuid end
       from generate_series(1, $2::int) n`,
      [companyId, count, top],
    );
  }
  await app.database.query('insert into collaborator_counts (company_id, slot, active) values ($1, 99, $2)', [
    app.company_id,
    people,
  ]);
  await app.database.query('vacuum analyze collaborators');
});
afterAll(() => app.close());

/** The counters after every other connection has closed and flushed its own. */
async function scans(): Promise<{ sequential: number; by_index: number }> {
  const others = 'datname = current_database() and pid <> pg_backend_pid()';
  await eventually(async () => {
    await app.database.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    const [left] = await app.database.query<{ n: string }>(
      `select count(*) as n from pg_stat_activity where ${others} and backend_type = 'client backend'
         and application_name <> 'collaborator-api-listener'`,
    );
    expect(left?.n).toBe('0');
  });
  const [row] = await app.database.query<{ sequential: string; by_index: string }>(
    `select seq_scan as sequential, idx_scan as by_index from pg_stat_user_tables where relname = 'collaborators'`,
  );
  return { sequential: Number(row!.sequential), by_index: Number(row!.by_index) };
}

test.each([
  ['get', (id: string) => `/${id}`],
  ['first page', () => ''],
  ['page 100', () => '?page=100'],
  ['by name, descending', () => '?sort=-name&limit=20'],
  ['by hire date', () => '?sort=hire_date&limit=20'],
  ['by department and name', () => '?sort=department&limit=20&status=active'],
  ['filtered, with its total', (_id: string, n: number) => `?department=department%20${n % 10}`],
  ['role', () => '?role=manager&limit=20'],
  ['everybody with the usual role', () => '?role=employee&limit=20'],
  ['direct reports', (id: string) => `?manager_id=${id}&limit=20`],
  ['location', (_id: string, n: number) => `?location=site%20${n}`],
  ['email', (_id: string, n: number) => `?email=P${1000 + n}@EXAMPLE.com`],
  ['email, with a page of others', (_id: string, n: number) => `?email=p${n}@example.com&sort=name&limit=20`],
  ['external id', (_id: string, n: number) => `?external_id=hr:${1000 + n}`],
  ['employee number', (_id: string, n: number) => `?employee_number=N${n}&sort=name&limit=20`],
  ['reports at any depth', (id: string) => `?manager_id=${id}&reports=all`],
  ['reports at any depth, by cursor', (id: string) => `?manager_id=${id}&reports=all&limit=20&sort=-name`],
  ['some fields, with managers', () => '?fields=id,name&expand=manager&limit=100'],
  ['with numbers of reports', () => '?expand=reports_count&limit=100'],
  ['delta', () => `?updated_since=${new Date().toISOString()}`],
  ['search, rare', (_id: string, n: number) => `?search=p${1000 + n}%40`],
  ['search, three characters', (_id: string, n: number) => `?search=${100 + n}`],
  ['search, common', () => '?search=person'],
  ['search, two characters', () => '?search=pe'],
])('%s', async (_name, path) => {
  const id = app.report.collaborator_id;
  const before = await scans();
  // More than five times, after which Postgres may switch to a generic plan.
  for (let n = 0; n < 8; n++) await app.admin.get(`/v1/collaborators${path(id, n)}`).expect(200);
  const after = await scans();
  expect(after.sequential - before.sequential).toBe(0);
  expect(after.by_index).toBeGreaterThan(before.by_index);
});

test('an unknown email reads no rows', async () => {
  const fetched = async () => {
    await scans(); // flushes all counters
    const [row] = await app.database.query<{ rows: string }>(
      `select idx_tup_fetch as rows from pg_stat_user_tables where relname = 'collaborators'`,
    );
    return Number(row!.rows);
  };
  const ask = (email: string) => app.admin.get(`/v1/collaborators?email=${email}&per_page=1`).expect(200);
  const read = async (email: string) => {
    const before = await fetched();
    for (let n = 0; n < 8; n++) await ask(email);
    return (await fetched()) - before;
  };
  expect(await read('nobody@example.com')).toBeLessThan(people / 2);
});

/** Large companies may scan, because most rows are theirs. */
test.each(['department', 'position', 'location'])('values of %s in a small company', async (field) => {
  const before = await scans();
  for (let n = 0; n < 8; n++) await app.outsider.get(`/v1/field-values/${field}`).expect(200);
  expect((await scans()).sequential - before.sequential).toBe(0);
});

test('update and history', async () => {
  const before = await scans();
  for (let n = 0; n < 8; n++) {
    await app.admin.patch(`/v1/collaborators/${app.report.collaborator_id}`, { phone: `+1 ${n}` }).expect(200);
    await app.admin.get(`/v1/collaborators/${app.report.collaborator_id}/history`).expect(200);
  }
  const after = await scans();
  expect(after.sequential - before.sequential).toBe(0);
});

test('the counters detect a full scan', async () => {
  const before = await scans();
  const other = new pg.Client(app.database.url);
  await other.connect();
  await other.query("select count(*) from collaborators where phone = 'nobody'");
  await other.end();
  expect((await scans()).sequential).toBeGreaterThan(before.sequential);
});
