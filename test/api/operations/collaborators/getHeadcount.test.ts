import type { components } from '../../../../generated/api.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { testDatabase } from '../../../helpers/database/database.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

type Headcount = components['schemas']['Headcount'];

let app: TestApp;
let statements: string[] = [];
beforeAll(async () => {
  const observer = { statement: (text: string) => void statements.push(text), acquired: () => {} };
  app = await testApp({}, await testDatabase(3, { observer }));
});
afterAll(() => app.close());
beforeEach(() => app.database.query(`update companies set time_zone = 'UTC' where id = $1`, [app.company_id]));
afterEach(() => app.database.query(`update collaborators set deleted_at = now() where department like 'Test%'`));

const headcountOf = async (client: TestClient): Promise<Headcount> =>
  (await client.get('/v1/headcount').expect(200)).body;

/** @returns the first day of the month so many months ago, as YYYY-MM-DD */
function monthsAgo(months: number, day = 1): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day)).toISOString().slice(0, 10);
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Expected changes by the people that `add` added, by how many months ago, and by department. */
async function changes(client: TestClient, add: () => Promise<unknown>) {
  const before = await headcountOf(client);
  await add();
  const after = await headcountOf(client);
  const months = after.months.map(({ month, headcount, joiners, leavers }, at) => {
    const { headcount: had, joiners: joined, leavers: left } = before.months[at]!;
    return { ago: 11 - at, month, figures: [headcount - had, joiners - joined, leavers - left] };
  });
  const of = (ago: number) => months.find((each) => each.ago === ago)!.figures;
  const tests = after.departments.filter(({ department }) => department.startsWith('Test'));
  return { of, by: after.headcount - before.headcount, tests, after };
}

describe('succeeds', () => {
  test('returns twelve months, of which the last is the current one, with everyone counted in the departments', async () => {
    const { headcount, months, departments, other_departments: others } = await headcountOf(app.admin);
    expect(months.map(({ month }) => month)).toEqual(
      Array.from({ length: 12 }, (_, at) => monthsAgo(11 - at).slice(0, 7)),
    );
    expect(months.at(-1)!.headcount).toBe(headcount);
    expect(departments.reduce((sum, each) => sum + each.headcount, others)).toBe(headcount);
  });

  test('counts joiners by hire date, from then on; future ones not yet', async () => {
    const { of, by, tests } = await changes(app.admin, async () => {
      await addPerson(app, 'Long ago', { department: 'Test A', hire_date: '1998-03-01' });
      await addPerson(app, 'Three months', { department: 'Test A', hire_date: monthsAgo(3, 15) });
      await addPerson(app, 'Today', { department: 'Test B', hire_date: daysAgo(0) });
      await addPerson(app, 'Soon', { department: 'Test B', hire_date: daysAgo(-40) });
    });
    expect([of(11), of(4), of(3), of(1), of(0)]).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [2, 1, 0],
      [2, 0, 0],
      [3, 1, 0],
    ]);
    expect(by).toBe(3);
    expect(tests).toEqual([
      { department: 'Test A', headcount: 2 },
      { department: 'Test B', headcount: 1 },
    ]);
  });

  test('counts leavers by last day, once it is over', async () => {
    const { of, by } = await changes(app.admin, async () => {
      const add = (name: string, fields: object) =>
        addPerson(app, name, { department: 'Test', hire_date: '2001-01-01', ...fields });
      await add('Left', { termination_date: monthsAgo(2, 10) });
      await add('Last day today', { termination_date: daysAgo(0) });
      await add('Leaves later', { termination_date: daysAgo(-30) });
      await add('Left before', { termination_date: '2003-01-01' });
    });
    expect([of(3), of(2), of(1), of(0)]).toEqual([
      [3, 0, 0],
      [2, 0, 1],
      [2, 0, 0],
      [2, 0, 0],
    ]);
    expect(by).toBe(2);
  });

  test('counts inactive people until the change of status, or an earlier last day', async () => {
    const { of, by } = await changes(app.admin, async () => {
      const ended = async (since: string, fields: object = {}) => {
        const id = await addPerson(app, 'Inactive', { department: 'Test', hire_date: '2001-01-01', ...fields });
        await app.database.query(`update collaborators set status = 'inactive', status_since = $1 where id = $2`, [
          since,
          id,
        ]);
      };
      await ended(monthsAgo(4, 10));
      await ended(monthsAgo(4, 10), { termination_date: monthsAgo(5, 20) });
      await ended(daysAgo(0)); // today at midnight
    });
    expect([of(6), of(5), of(4), of(1), of(0)]).toEqual([
      [3, 0, 0],
      [2, 0, 1],
      [1, 0, 1],
      [1, 0, 0],
      [0, 0, 1],
    ]);
    expect(by).toBe(0);
  });

  test('counts people without a hire date from the day they were added, in the company’s time zone', async () => {
    const { of } = await changes(app.admin, async () => {
      const id = await addPerson(app, 'Undated', { department: 'Test' });
      const lastMinute = new Date(Date.parse(monthsAgo(2)) - 60_000).toISOString();
      await app.database.query('update collaborators set created_at = $1 where id = $2', [lastMinute, id]);
    });
    expect([of(3), of(2)]).toEqual([
      [1, 1, 0],
      [1, 0, 0],
    ]);
    await app.database.query(`update companies set time_zone = 'Asia/Tokyo' where id = $1`, [app.company_id]);
    const { months } = await headcountOf(app.admin);
    const month = monthsAgo(2).slice(0, 7);
    expect(months.find((each) => each.month === month)).toMatchObject({ joiners: 1 });
  });

  test('omits deleted people', async () => {
    const { by } = await changes(app.admin, async () => {
      const id = await addPerson(app, 'Deleted', { department: 'Test', hire_date: monthsAgo(1) });
      await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    });
    expect(by).toBe(0);
  });

  test('returns the 20 largest departments, and how many people all others have', async () => {
    const { after } = await changes(app.admin, async () => {
      for (let at = 0; at < 22; at++) await addPerson(app, 'Somebody', { department: `Test ${at}` });
      await addPerson(app, 'Another', { department: 'Test 21' });
    });
    expect(after.departments).toHaveLength(20);
    const sizes = after.departments.map(({ headcount }) => headcount);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(after.departments).toContainEqual({ department: 'Test 21', headcount: 2 });
    expect(after.other_departments).toBeGreaterThan(0);
    expect(after.headcount).toBe(sizes.reduce((sum, size) => sum + size, after.other_departments));
  });
});

test('a manager counts the team, and an employee themselves', async () => {
  const { headcount, departments } = await headcountOf(app.manager);
  expect(headcount).toBe(2);
  expect(departments.reduce((sum, each) => sum + each.headcount, 0)).toBe(2);
  expect(await headcountOf(app.employee)).toMatchObject({
    headcount: 1,
    departments: [{ department: 'Operations', headcount: 1 }],
    other_departments: 0,
  });
});

test('another company is counted apart', async () => {
  const { by } = await changes(app.outsider, () =>
    addPerson(app, 'Ours', { department: 'Test', hire_date: '2001-01-01' }),
  );
  expect(by).toBe(0);
});

test('reads people in one statement', async () => {
  await headcountOf(app.manager);
  statements = [];
  await headcountOf(app.manager);
  expect(statements.filter((text) => /\bcollaborators\b/.test(text))).toHaveLength(1);
});

test('refuses parameters', async () => {
  expect((await app.admin.get('/v1/headcount?months=24').expect(400)).body.error).toBe('invalid_parameter');
});
