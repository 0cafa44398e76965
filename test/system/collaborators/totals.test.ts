/** Stored totals never drift from the rows under concurrent writes. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/collaborators';
const writers = 8;
const steps = 15;
const seed = 20_261_121;

/** Mulberry32, so that every run makes the same choices. */
function random(state: number): (below: number) => number {
  let a = state;
  return (below) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

let serial = 0;
const person = () => ({ name: 'Some Body', email: `body${serial++}@example.com`, position: 'x', department: 'y' });
/** Shared by the writers, so that they collide. */
const ids: string[] = [];

async function write(next: (below: number) => number): Promise<void> {
  const id = ids[next(Math.max(ids.length, 1))];
  const kind = id === undefined ? 0 : next(7);
  if (kind <= 1) {
    const { body } = await app.admin.post(path, person());
    ids.push(body.id);
  } else if (kind === 2) await app.admin.delete(`${path}/${id}`);
  else if (kind === 3) await app.admin.post(`${path}/${id}/restore`);
  else if (kind === 4) await app.admin.post(`${path}/${id}/activate`);
  else if (kind === 5) await app.admin.post(`${path}/${id}/deactivate`, {});
  else {
    const items = [person(), person(), { email: 'no address', name: 'x', position: 'x', department: 'y' }];
    const onError = next(2) ? 'abort' : 'continue';
    await app.admin.post(`${path}/bulk`, { mode: 'create', on_error: onError, items }).expect(200);
  }
}

test(`totals are exact after ${writers} concurrent writers and an import`, async () => {
  const worker = await testWorker(app);
  try {
    const importId = await startImport(app.admin, { file: people(range(100)) });
    const writing = Array.from({ length: writers }, async (_, i) => {
      const next = random(seed + i);
      for (let step = 0; step < steps; step++) await write(next);
    });
    await Promise.all([...writing, waitForImport(app.admin, importId)]);
  } finally {
    await worker.stop();
  }
  const rows = await app.database.query<{ status: string; n: string }>(
    'select status, count(*) as n from collaborators where company_id = $1 and deleted_at is null group by status',
    [app.company_id],
  );
  const counted = new Map(rows.map(({ status, n }) => [status, Number(n)]));
  expect(counted.get('inactive') ?? 0).toBeGreaterThan(0); // the writers did collide
  for (const status of ['active', 'inactive', 'pending']) {
    const { body } = await app.admin.get(`${path}?status=${status}&per_page=1`).expect(200);
    expect([status, body.meta.total]).toEqual([status, counted.get(status) ?? 0]);
  }
  const { body } = await app.admin.get(`${path}?per_page=1`).expect(200);
  expect(body.meta.total).toBe([...counted.values()].reduce((sum, n) => sum + n, 0));
  expect(body.meta.total).toBeGreaterThan(100);
});
