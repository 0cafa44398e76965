/**
 * Table and index pages that requests read in a company of 50,000 people. The bounds are one and a half to a few times the measured
 * numbers. Except for searches that match everyone, whose total is counted up to 1,000, a scan of the table exceeds them. Where the
 * sample of the statistics decides on the plan, the bound is far below a walk of a sort index, which reads 50,000.
 */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { fixStatistics, pagesOfCachedPlan, pagesOfPlan, queriesOf } from '../../helpers/database/explain.ts';

const people = 50_000;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.admin.put('/v1/company', { policy: { directory_visibility: 'basic' } }).expect(200);
  const client = await app.database.pool.connect();
  await client.query("set maintenance_work_mem = '512MB'");
  await client.query('set session_replication_role = replica'); // no checks of foreign keys
  await client.query('set synchronous_commit = on'); // else vacuum ignores what isn't on disk yet
  // Filling the table first and indexing it afterwards is faster.
  const { rows: indexes } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = 'collaborators' and indexname <> 'collaborators_pkey'`,
  );
  for (const { indexname: name } of indexes) await client.query(`drop index ${name}`);
  // A tree of fives below `report`: people near the top have thousands below.
  const idOf = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`;
  await client.query(
    `insert into collaborators (company_id, id, name, email, department, position, location, status, external_id,
       employee_number, manager_id, hire_date, created_at, updated_at)
     select $1, ${idOf('n')}, 'Person ' || left(md5(n::text), 6), 'p' || n || '@example.com', 'Department ' || n % 20,
       'Grade ' || n % 50, 'Site ' || n % 200, 'active', 'hr:' || n, 'N' || n,
       case when n > 1 then ${idOf('(n + 3) / 5')} else $3::uuid end, date '2015-01-01' + n % 4000,
       now() - n * 7919 % $2 * interval '1 s', now() - n * 7907 % $2 * interval '1 s'
     from generate_series(1, $2::int) n`,
    [app.company_id, people, app.report.collaborator_id],
  );
  // People of other companies have no manager, which says nothing about this one.
  await client.query(
    `insert into collaborators (company_id, id, name, email, department, position, status)
     select $1, gen_random_uuid(), 'Person ' || n, n || '@example.com', 'Sales', 'Grade', 'active' from generate_series(1, 20000) n`,
    [randomUUID()],
  );
  for (const { indexdef: definition } of indexes) await client.query(definition);
  await client.query('insert into collaborator_counts (company_id, slot, active) values ($1, 99, $2)', [
    app.company_id,
    people,
  ]);
  await client.query('vacuum collaborators'); // updates the visibility map
  client.release(true);
  await fixStatistics(app.database, ['collaborators']);
});
afterAll(() => app.close());

/** @returns a request's statements on collaborators */
const statementsOf = (request: () => PromiseLike<unknown>) => queriesOf(/^(select|with)\b.*collaborators/s, request);

/** @returns the pages that these statements read, with plans for their values, or with the plans that Postgres keeps, if those read more */
async function pagesOf(request: () => PromiseLike<unknown>): Promise<number> {
  let pages = 0;
  for (const statement of await statementsOf(request)) {
    const both = [await pagesOfPlan(app.database, statement), await pagesOfCachedPlan(app.database, statement)];
    pages += Math.max(...both);
  }
  return pages;
}

const idOfPerson = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`;
const top = idOfPerson(1);

test.each([
  ['the top of the org chart', '/org-chart', 100],
  ['the top of the org chart, with reports', '/org-chart?has_reports=true', 10_000],
  ['direct reports in the org chart', `/org-chart?manager_id=${top}`, 100],
  ['colleagues', '/colleagues', 1000],
  ['a search for one colleague', '/colleagues?search=p12345%40', 100],
  ['a search for colleagues that matches everyone', '/colleagues?search=person', 4000],
  ['a search for colleagues for two characters', '/colleagues?search=pe', 4000],
])('%s', async (_name, path, most) => {
  expect(await pagesOf(() => app.admin.get(`/v1${path}`).expect(200))).toBeLessThan(most);
});

test.each([
  ['one person', `/${top}`, 30],
  ['the first page', '', 200],
  ['page 100', '?page=100', 200],
  ['the last page but one', '?page=2499', 1000],
  ['the last page but one, by name', '?page=2499&sort=-name', 1800],
  ['the last page but one, by hire date', '?page=2499&sort=hire_date', 1000],
  ['the last page but one, by the time of change', '?page=2499&sort=-updated_at', 1000],
  ['by name, descending', '?sort=-name&limit=20', 60],
  ['by department and name', '?sort=department&limit=20&status=active', 60],
  ['a department, with its total', '?department=department%202', 150],
  ['a department, page 100', '?department=department%202&page=100', 300],
  ['a location', '?location=site%2012', 100],
  ['a role', '?role=manager&limit=20', 20],
  ['the usual role', '?role=employee&limit=20', 80],
  ['people without a manager', '?has_manager=false&limit=20', 10_000],
  ['people without a manager, by name', '?has_manager=false&limit=20&sort=name', 10_000],
  ['people without a manager, page 1', '?has_manager=false&per_page=20', 10_000],
  ['direct reports', `?manager_id=${top}&limit=20`, 30],
  ['reports at any depth', `?manager_id=${idOfPerson(400)}&reports=all&limit=20`, 1900],
  ['reports at any depth, by cursor', `?manager_id=${idOfPerson(400)}&reports=all&limit=20&sort=-name`, 1900],
  ['a history', `/${top}/history`, 100],
  ['an address', '?email=P1000@EXAMPLE.com', 40],
  ['an address of nobody', '?email=nobody@example.com&per_page=1', 20],
  ['an external ID', '?external_id=hr:1000', 20],
  ['an employee number', '?employee_number=N1000&sort=name&limit=20', 20],
  ['some fields, with managers', '?fields=id,name&expand=manager&limit=100', 600],
  ['numbers of reports', '?expand=reports_count&limit=100', 400],
  ['what changed since now', `?updated_since=${new Date(Date.now() + 60_000).toISOString()}`, 20],
  ['a search with one match', '?search=p12345%40', 40],
  ['a search for three characters', '?search=123', 1000],
  ['a search that matches everyone', '?search=person', 4000],
  ['a search for two characters', '?search=pe', 4000],
])('%s', async (_name, path, most) => {
  const pages = await pagesOf(() => app.admin.get(`/v1/collaborators${path}`).expect(200));
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(most);
});

test.each(['', '&sort=-name', '&sort=hire_date', '&department=department%202'])(
  'page 60%s, after the last ones',
  async (more) => {
    const pageAt = async (page: number) => {
      const sent = await statementsOf(() => app.admin.get(`/v1/collaborators?page=${page}${more}`).expect(200));
      return sent.find(({ sql }) => sql.includes('offset'))!;
    };
    const last = await pageAt(more.includes('department') ? 125 : 2499);
    expect(await pagesOfCachedPlan(app.database, await pageAt(60), last.parameters)).toBeLessThan(200);
  },
);

test.each(['department', 'position', 'location'])('values of %s in a small company', async (field) => {
  const pages = await pagesOf(() => app.outsider.get(`/v1/field-values/${field}`).expect(200));
  expect(pages).toBeLessThan(100);
});

test('a change of one person', async () => {
  const change = () =>
    app.admin.patch(`/v1/collaborators/${app.report.collaborator_id}`, { phone: '+1 1' }).expect(200);
  expect(await pagesOf(change)).toBeLessThan(200);
});

test('a scan reads all pages of the table', async () => {
  const { rows } = await app.database.pool.query(`select pg_relation_size('collaborators') / 8192 as pages`);
  const scan = { sql: "select count(*) from collaborators where phone = 'nobody'", parameters: [] };
  expect(await pagesOfPlan(app.database, scan)).toBeGreaterThanOrEqual(Number(rows[0].pages));
  expect(Number(rows[0].pages)).toBeGreaterThan(1000);
});
