/** Deep pages: skipped rows are read from an index only, not from the table. */
import type { CompiledQuery } from 'kysely';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { listedColumns } from '../../../src/product/access/records.ts';
import { pageOf } from '../../../src/product/collaborators/list/collaborator-list.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { fixStatistics, pagesOfPlan } from '../../helpers/database/explain.ts';

const people = 10_000;
const offset = 9_000;

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await testApp();
  tenant = app.database.db.tenant(app.company_id);
  const client = await app.database.pool.connect();
  await client.query('set synchronous_commit = on'); // else vacuum ignores what isn't on disk yet
  await client.query(
    `insert into collaborators (company_id, id, name, email, department, position, hire_date, created_at, updated_at)
     select $1, gen_random_uuid(), 'Person ' || n * 7919 % $2, 'p' || n || '@example.com', 'Department ' || n % 20,
       'Position ' || n % 50, date '2020-01-01' + n % 2000, now() - n * 7919 % $2 * interval '1 s',
       now() - n * 7907 % $2 * interval '1 s'
     from generate_series(1, $2::int) n`,
    [app.company_id, people],
  );
  await client.query('vacuum collaborators'); // updates the visibility map
  client.release(true);
  await fixStatistics(app.database, ['collaborators']);
});
afterAll(() => app.close());

test.each(['created_at', '-created_at', 'updated_at', 'name', '-email', 'department', 'position', 'hire_date'])(
  'skipping 9,000 people ordered by %s reads less than one page per ten of them',
  async (sort) => {
    const member = { role: 'admin', isInstallation: false, collaborator_id: app.admin.collaborator_id } as never;
    const listing = { member, filters: {}, sort, columns: listedColumns, isPlaced: false };
    const sent = jest.spyOn(tenant.raw, 'executeQuery');
    expect(await pageOf(tenant, listing as never, { limit: 20, offset })).toHaveLength(20);
    const pages = await pagesOfPlan(app.database, sent.mock.lastCall![0] as CompiledQuery);
    expect(pages).toBeGreaterThan(20);
    expect(pages).toBeLessThan(offset / 10);
  },
);
