/** The number of SQL statements that the most frequent requests take. */
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { testDatabase } from '../../../helpers/database/database.ts';

const path = '/v1/collaborators';
let app: TestApp;
let statements: string[] = [];
/** An indirect report of the manager. */
let deep: string;
beforeAll(async () => {
  const observer = { statement: (text: string) => void statements.push(text), acquired: () => {} };
  app = await testApp({}, await testDatabase(3, { observer }));
  const person = { name: 'Deep Person', email: 'deep@example.com', position: 'x', department: 'y' };
  const managerId = app.report.collaborator_id;
  deep = (await app.admin.post(path, { ...person, manager_id: managerId }).expect(201)).body.id;
});
afterAll(() => app.close());

/** Counts statements about people, excluding background work. */
async function statementsOf(request: () => Promise<unknown>): Promise<number> {
  await request(); // caches the caller
  statements = [];
  await request();
  return statements.filter((text) => /collaborator(s|_counts)\b/.test(text)).length;
}

test.each([
  ['somebody, for the admin', 'admin', (): string => `/${deep}`, 1],
  ['somebody two below, for the manager', 'manager', (): string => `/${deep}`, 1],
  ['somebody who is not in the team', 'manager', (): string => `/${app.employee.collaborator_id}`, 1],
  ['a page, and the counts', 'admin', (): string => '', 2],
  ['a page of the team, and its total', 'manager', (): string => '', 2],
  ['a page by a filter, and its total', 'admin', (): string => '?department=y&sort=name', 2],
  ['what a search finds, with its total', 'manager', (): string => '?search=deep', 1],
] as const)('%s', async (_, identity, query, count) => {
  expect(await statementsOf(() => app[identity].get(path + query()))).toBe(count);
});

test('a total is exact, and so is the next one after a change', async () => {
  const total = async () => (await app.manager.get(`${path}?department=y`).expect(200)).body.meta.total;
  expect([await total(), await total()]).toEqual([1, 1]);
  await app.admin.patch(`${path}/${deep}`, { department: 'z' }).expect(200);
  expect(await total()).toBe(0);
});
