/** Large directories: providers look up each person before they change them, so a lookup must not read all of them. */
import type { CompiledQuery } from 'kysely';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { type CountedTransaction, counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { findDirectory } from '../../../src/product/directories/directories.ts';
import { conditionOf } from '../../../src/product/directories/filter.ts';
import { addPerson } from '../../../src/product/directories/people/add-person.ts';
import { changePerson } from '../../../src/product/directories/people/change-person.ts';
import { filterableUsers, listPeople } from '../../../src/product/directories/people/person-rows.ts';
import type { Postage } from '../../../src/product/invitations/send-invitation.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { fixStatistics, pagesOfPlan } from '../../helpers/database/explain.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';

const people = 10_000;

let app: TestApp;
let tenant: Tenant;
let directoryId: string;
let id: string;
beforeAll(async () => {
  app = await testApp();
  tenant = app.database.db.tenant(app.company_id);
  directoryId = (await addDirectory(app)).id;
  await app.database.query(
    `with person as (
       insert into collaborators (company_id, id, name, email, department, position)
       select $1, gen_random_uuid(), 'Person ' || n, 'p' || n || '@example.com', 'D', 'P' from generate_series(1, $3::int) n
       returning id, email
     )
     insert into directory_people (company_id, directory_id, collaborator_id, user_name, external_id, attributes)
     select $1, $2, id, email, 'key-' || email, '{}' from person`,
    [app.company_id, directoryId, people],
  );
  await fixStatistics(app.database, ['collaborators', 'directory_people']);
  const [row] = await app.database.query<{ id: string }>(
    "select collaborator_id as id from directory_people where user_name = 'p777@example.com'",
  );
  id = row!.id;
});
afterAll(() => app.close());

const listed = (filter: string) => {
  const condition = conditionOf(filter, filterableUsers);
  const page = { sort_by: undefined, descending: false, start_index: 1, count: 100 };
  return listPeople(tenant, directoryId, { ...page, condition });
};

test.each([
  ['a user name, in any case', () => 'userName eq "P777@Example.com"'],
  ['an external id', () => 'externalId eq "key-p777@example.com"'],
  ['an id', () => `id eq "${id}"`],
])('one of 10,000 people is found by %s from a few pages', async (_, filterOf) => {
  const sent = jest.spyOn(tenant.raw.getExecutor(), 'executeQuery');
  expect(await listed(filterOf())).toMatchObject({ total: 1, rows: [{ collaborator_id: id }] });
  const statements = sent.mock.calls.map(([query]) => query as CompiledQuery);
  sent.mockRestore();
  expect(statements).toHaveLength(2); // the total and the page
  for (const statement of statements) expect(await pagesOfPlan(app.database, statement)).toBeLessThan(20);
});

test.each([
  ['not (externalId eq "key-p777@example.com")', people - 1],
  ['not (userName eq "p777@example.com")', people - 1],
  ['externalId ne "key-p777@example.com"', people - 1],
  ['id eq "nobody"', 0],
  ['not (nickName eq "nobody")', people],
])('the filter %s counts people without the attribute too', async (filter, total) => {
  expect((await listed(filter)).total).toBe(total);
});

test('adding a person, and changing one, reads a few pages with each statement', async () => {
  const directory = await findDirectory(tenant, directoryId);
  const quotas = createQuotas(app.config.quotas);
  const directing = { directory, actor: { user_id: directoryId }, postage: {} as Postage, quotas };
  const reads: CompiledQuery[] = [];
  const watched = (work: (tx: CountedTransaction) => Promise<unknown>) =>
    counted(tenant, async (tx) => {
      const sent = jest.spyOn(tx.raw.getExecutor(), 'executeQuery');
      await work(tx);
      for (const [query] of sent.mock.calls) if (query.sql.startsWith('select "')) reads.push(query as CompiledQuery);
      sent.mockRestore();
    });
  const sent = { userName: 'new@example.com', externalId: 'key-new', title: 'Driver' };
  await watched((tx) => addPerson(tx, directing, sent));
  await watched((tx) => changePerson(tx, directing, id, (before) => ({ ...before, title: 'Driver' }), undefined));
  expect(reads.filter(({ sql }) => sql.includes('directory_people'))).toHaveLength(2);
  for (const read of reads) expect(await pagesOfPlan(app.database, read)).toBeLessThan(30);
});
