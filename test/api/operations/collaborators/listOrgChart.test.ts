import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

const chart = '/v1/org-chart';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await addPerson(app, 'Ânia Alone');
  await addPerson(app, 'bruno Alone');
});
afterAll(() => app.close());

interface Node {
  id: string;
  name: string;
  reports_count: number;
  team_count: number;
}

async function level(client: TestClient, query = '') {
  const { body } = await client.get(`${chart}${query}`).expect(200);
  return { ...body, names: body.data.map(({ name }: Node) => name) as string[] };
}

describe('succeeds', () => {
  test('for admins, the top level is everyone without a manager, with team sizes', async () => {
    const { data, names, pagination } = await level(app.admin);
    expect(names).toEqual(['Ânia Alone', 'bruno Alone', 'Mariana Duarte']);
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 3 });
    expect(data[2]).toMatchObject({
      id: app.admin.collaborator_id,
      manager_id: null,
      avatar_url: null,
      reports_count: 2,
      team_count: 3,
    });
    expect(data[0]).toMatchObject({ reports_count: 0, team_count: 0 });
  });

  test('lists the reports of a manager', async () => {
    const { data } = await level(app.admin, `?manager_id=${app.admin.collaborator_id}`);
    const found = data.map(({ id, reports_count: reportsCount, team_count: teamCount }: Node) => [
      id,
      reportsCount,
      teamCount,
    ]);
    expect(found).toEqual([
      [app.manager.collaborator_id, 1, 1],
      [app.employee.collaborator_id, 0, 0],
    ]);
  });

  test('separates people with a team from those without', async () => {
    expect((await level(app.admin, '?has_reports=true')).names).toEqual(['Mariana Duarte']);
    const { names, pagination } = await level(app.admin, '?has_reports=false');
    expect([names, pagination.total]).toEqual([['Ânia Alone', 'bruno Alone'], 2]);
  });

  test('returns the path to a person from the top of the caller’s reach', async () => {
    const path = `?path_to=${app.report.collaborator_id}`;
    const { data, pagination } = await level(app.admin, path);
    expect(data.map(({ id, team_count: size }: Node) => [id, size])).toEqual([
      [app.admin.collaborator_id, 3],
      [app.manager.collaborator_id, 1],
      [app.report.collaborator_id, 0],
    ]);
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 3 });
    const ids = async (client: TestClient, query = path) => (await level(client, query)).data.map(({ id }: Node) => id);
    expect(await ids(app.manager)).toEqual([app.manager.collaborator_id, app.report.collaborator_id]);
    expect(await ids(app.report)).toEqual([app.report.collaborator_id]);
    expect(await ids(app.employee)).toEqual([]);
    expect(await ids(app.outsider)).toEqual([]);
    expect(await ids(app.manager, `?path_to=${app.admin.collaborator_id}`)).toEqual([]);
    expect(await ids(app.admin, '?path_to=nobody')).toEqual([]);
  });

  test('supports pages', async () => {
    const first = await level(app.admin, '?limit=2');
    expect(first.pagination).toMatchObject({ hasMore: true, total: 3 });
    const second = await level(app.admin, `?limit=2&cursor=${first.pagination.nextCursor}`);
    expect([first.names, second.names]).toEqual([['Ânia Alone', 'bruno Alone'], ['Mariana Duarte']]);
  });

  test('deleted people neither appear nor count', async () => {
    const id = await addPerson(app, 'Gone', { manager_id: app.employee.collaborator_id });
    const reports = `?manager_id=${app.employee.collaborator_id}`;
    expect((await level(app.admin, reports)).names).toEqual(['Gone']);
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    expect((await level(app.admin, reports)).pagination.total).toBe(0);
    const { data } = await level(app.admin, '?has_reports=true');
    expect(data[0]).toMatchObject({ reports_count: 2, team_count: 3 });
  });
});

describe('refuses bad input', () => {
  test.each(['limit=0', 'limit=101', 'has_reports=maybe', 'page=1', 'manager_id='])('rejects %s', async (query) => {
    expect((await app.admin.get(`${chart}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
  });

  test('a cursor is bound to its level and filter', async () => {
    const { pagination } = await level(app.admin, '?limit=1');
    for (const other of [`manager_id=${app.admin.collaborator_id}`, 'has_reports=false']) {
      const { body } = await app.admin.get(`${chart}?${other}&cursor=${pagination.nextCursor}`).expect(400);
      expect(body.error).toBe('invalid_cursor');
    }
  });

  test('an invalid manager_id has no reports', async () => {
    expect((await level(app.admin, '?manager_id=nobody')).names).toEqual([]);
  });
});

describe('forbidden by role', () => {
  test('for managers, the top level is the manager', async () => {
    const { data } = await level(app.manager);
    expect(data).toMatchObject([{ id: app.manager.collaborator_id, reports_count: 1, team_count: 1 }]);
    const { data: team } = await level(app.manager, `?manager_id=${app.manager.collaborator_id}`);
    expect(team).toMatchObject([{ id: app.report.collaborator_id, reports_count: 0 }]);
  });

  test('employees see nobody else, not even their reports', async () => {
    await app.admin
      .patch(`/v1/collaborators/${app.report.collaborator_id}`, { manager_id: app.employee.collaborator_id })
      .expect(200);
    const { data } = await level(app.employee);
    expect(data).toMatchObject([{ id: app.employee.collaborator_id, reports_count: 0, team_count: 0 }]);
    expect((await level(app.employee, `?manager_id=${app.employee.collaborator_id}`)).names).toEqual([]);
    expect((await level(app.employee, '?has_reports=true')).names).toEqual([]);
  });
});

test('invisible to another company', async () => {
  expect((await level(app.outsider, `?manager_id=${app.admin.collaborator_id}`)).names).toEqual([]);
  expect((await level(app.outsider)).names).not.toContain('Mariana Duarte');
});
