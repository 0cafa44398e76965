import { type TestApp, testApp } from '../../../helpers/app.ts';

const path = '/v1/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const saved = async () =>
  (await app.admin.post(path, { name: 'Drivers', filters: { search: 'driver' }, sort: 'name' }).expect(201)).body;

describe('succeeds', () => {
  test('changes only the fields that are sent', async () => {
    const before = await saved();
    const { body } = await app.admin.patch(`${path}/${before.id}`, { name: 'All drivers' }).expect(200);
    expect(body).toEqual({ ...before, name: 'All drivers', updated_at: body.updated_at });
    const filters = { department: 'Fleet' };
    const next = await app.admin.patch(`${path}/${before.id}`, { filters, sort: null }).expect(200);
    expect(next.body).toMatchObject({ name: 'All drivers', filters, sort: null });
    expect(next.body.filters).toEqual(filters); // replaced as a whole
    const patch = async (change: object) =>
      (await app.admin.patch(`${path}/${before.id}`, change).expect(200)).body.columns;
    expect(await patch({ columns: ['status', 'email'] })).toEqual(['status', 'email']);
    expect(await patch({ columns: ['email'] })).toEqual(['email']);
    expect(await patch({ sort: 'name' })).toEqual(['email']);
    expect(await patch({ columns: [] })).toEqual([]);
    expect(await patch({ columns: null })).toBeNull();
  });

  test('an empty body changes nothing', async () => {
    const before = await saved();
    expect((await app.admin.patch(`${path}/${before.id}`, {}).expect(200)).body).toEqual(before);
  });
});

test.each([
  ['name', { name: null }],
  ['filters', { filters: null }],
  ['filters.salary', { filters: { salary: 1 } }],
  ['sort', { sort: 'salary' }],
  ['list', { list: 'audit' }],
  ['filters.action', { filters: { action: 'sign_in' } }],
  ['id', { id: '0199a3bb-40c9-7d17-b3f2-8e5c61a0d924' }],
])('refuses %s: %j', async (field, body) => {
  const { id } = await saved();
  const response = await app.admin.patch(`${path}/${id}`, body).expect(400);
  expect(Object.keys(response.body.details)).toEqual([field]);
});

test('a view of the audit log takes no filters, order, or columns of people', async () => {
  const audit = { list: 'audit', name: 'Refused', filters: { outcome: 'refused' } };
  const { body: before } = await app.admin.post(path, audit).expect(201);
  for (const change of [{ filters: { department: 'Fleet' } }, { sort: 'name' }, { columns: [] }])
    await app.admin.patch(`${path}/${before.id}`, change).expect(400);
  const filters = { outcome: 'refused', changed_field: 'salary' };
  const { body } = await app.admin.patch(`${path}/${before.id}`, { filters, sort: null, columns: null }).expect(200);
  expect(body).toEqual({ ...before, filters, updated_at: body.updated_at });
});

test('returns the same 404 for another person’s view and an unknown one', async () => {
  const { id } = await saved();
  for (const client of [app.manager, app.employee, app.outsider]) {
    const { body } = await client.patch(`${path}/${id}`, { name: 'Mine' }).expect(404);
    const unknown = await client.patch(`${path}/0199a3bb-40c9-7d17-b3f2-8e5c61a0d924`, { name: 'Mine' }).expect(404);
    expect(body).toEqual(unknown.body);
  }
  const { body } = await app.admin.get(path).expect(200);
  expect(body.data.find((view: { id: string }) => view.id === id).name).toBe('Drivers');
});
