import { type TestApp, testApp } from '../../../helpers/app.ts';
import { startImport } from '../../../helpers/resources/imports.ts';

let app: TestApp;
const ids: string[] = [];
beforeAll(async () => {
  app = await testApp();
  for (let i = 0; i < 5; i++) ids.unshift(await startImport(app.admin, { filename: `${i}.csv` }));
  await app.admin.post(`/v1/imports/${ids[1]}/cancel`).expect(200);
});
afterAll(() => app.close());

const list = async (query = '') => (await app.admin.get(`/v1/imports${query}`).expect(200)).body;
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('succeeds', () => {
  test('lists the newest first, in the same format as a single import', async () => {
    const body = await list();
    expect(idsOf(body)).toEqual(ids);
    expect(body.pagination).toEqual({ hasMore: false, nextCursor: null });
    expect(body.data[0]).toEqual((await app.admin.get(`/v1/imports/${ids[0]}`).expect(200)).body);
  });

  test('pages stay stable while others are started', async () => {
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const later = await startImport(app.admin, {});
    const second = await list(`?limit=2&cursor=${first.pagination.nextCursor}`);
    const third = await list(`?limit=2&cursor=${second.pagination.nextCursor}`);
    expect([...idsOf(second), ...idsOf(third)]).toEqual(ids.slice(2));
    expect(third.pagination).toEqual({ hasMore: false, nextCursor: null });
    ids.unshift(later);
  });

  test('filters by status', async () => {
    expect(idsOf(await list('?status=cancelled'))).toEqual([ids[2]]);
    expect(idsOf(await list('?status=queued'))).toEqual(ids.filter((id) => id !== ids[2]));
    expect(idsOf(await list('?status=failed'))).toEqual([]);
  });
});

test('refuses bad input', async () => {
  for (const query of ['?limit=0', '?limit=101', '?status=ended', '?page=2']) {
    expect((await app.admin.get(`/v1/imports${query}`).expect(400)).body.error).toBe('invalid_parameter');
  }
  const { pagination } = await list('?limit=1');
  for (const query of ['?cursor=x', `?cursor=${pagination.nextCursor}&status=queued`]) {
    expect((await app.admin.get(`/v1/imports${query}`).expect(400)).body.error).toBe('invalid_cursor');
  }
});

test('forbidden by role', async () => {
  await app.manager.get('/v1/imports').expect(403);
  await app.employee.get('/v1/imports').expect(403);
});

test('invisible to another company', async () => {
  expect((await app.outsider.get('/v1/imports').expect(200)).body.data).toEqual([]);
});
