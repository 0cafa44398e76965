import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

const path = '/v1/deleted-collaborators';
let app: TestApp;
const ids: string[] = [];
beforeAll(async () => {
  app = await testApp();
  for (const name of ['Ana First', 'Bento Second', 'Célia Third']) {
    const id = await addPerson(app, name);
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    ids.push(id);
  }
});
afterAll(() => app.close());

interface Deleted {
  id: string;
  name: string;
  deleted_at: string;
  restorable_until: string;
}

async function deleted(query = '') {
  const { body } = await app.admin.get(`${path}${query}`).expect(200);
  return { ...body, names: body.data.map(({ name }: Deleted) => name) as string[] };
}

const daysMs = (days: number) => days * 86_400_000;
const deletedAgo = (id: string, ms: number) =>
  app.database.query('update collaborators set deleted_at = $2 where id = $1', [id, new Date(Date.now() - ms)]);

describe('succeeds', () => {
  test('lists the last deleted first, with the remaining time to restore', async () => {
    const { data, names, pagination } = await deleted();
    expect(names).toEqual(['Célia Third', 'Bento Second', 'Ana First']);
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 3 });
    const [last] = data as Deleted[];
    expect(last).toMatchObject({ id: ids[2], email: expect.stringContaining('@'), department: expect.any(String) });
    expect(Date.parse(last!.restorable_until) - Date.parse(last!.deleted_at)).toBe(daysMs(30));
  });

  test('supports pages and search', async () => {
    const first = await deleted('?limit=2');
    expect(first.pagination).toMatchObject({ hasMore: true, total: 3 });
    const second = await deleted(`?limit=2&cursor=${first.pagination.nextCursor}`);
    expect([first.names, second.names]).toEqual([['Célia Third', 'Bento Second'], ['Ana First']]);
    expect((await deleted('?search=CELIA')).names).toEqual(['Célia Third']);
    expect((await deleted('?search=100%25')).names).toEqual([]);
  });

  test('omits restored people, and those past the restore period', async () => {
    await deletedAgo(ids[0]!, daysMs(30) + 1_000);
    await app.admin.post(`/v1/collaborators/${ids[1]}/restore`).expect(200);
    expect((await deleted()).names).toEqual(['Célia Third']);
    await app.admin.post(`/v1/collaborators/${ids[0]}/restore`).expect(404);
    await app.database.query('update collaborators set erased_at = now() where id = $1', [ids[2]]);
    expect((await deleted()).pagination.total).toBe(0);
  });
});

describe('refuses bad input', () => {
  test.each(['limit=0', 'limit=101', 'search=', 'page=1', 'cursor=x'])('rejects %s', async (query) => {
    await app.admin.get(`${path}?${query}`).expect(400);
  });
});

describe('forbidden by role', () => {
  test.each(['manager', 'employee'] as const)('rejects the role %s', async (identity) => {
    await app[identity].get(path).expect(403);
  });
});

describe('invisible to another company', () => {
  test('each company lists only its own people', async () => {
    const own = await addPerson(app, 'Dina Fourth');
    await app.admin.delete(`/v1/collaborators/${own}`).expect(200);
    const person = { name: 'Emil Fremd', email: 'emil@example.com', position: 'x', department: 'y' };
    const { id: foreign } = (await app.outsider.post('/v1/collaborators', person).expect(201)).body;
    await app.outsider.delete(`/v1/collaborators/${foreign}`).expect(200);
    const { data, pagination } = (await app.outsider.get(path).expect(200)).body;
    expect([data.map(({ id }: Deleted) => id), pagination.total]).toEqual([[foreign], 1]);
    expect((await deleted()).names).toEqual(['Dina Fourth']);
  });
});
