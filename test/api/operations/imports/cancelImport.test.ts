import { cancelImport } from '../../../../src/product/imports/cancel-import.ts';
import { claimImport } from '../../../../src/product/imports/state/import-lease.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { lockWaiters } from '../../../helpers/database/lock-waiters.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { objects } from '../../../helpers/resources/documents.ts';
import { csv, requiredHeaders, runImport, startImport, waitForImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const cancel = (id: string, client = app.admin) => client.post(`/v1/imports/${id}/cancel`);

describe('succeeds', () => {
  test('cancels a waiting import idempotently, writes nothing, and removes its file', async () => {
    const before = await objects(app);
    const id = await startImport(app.admin, {});
    const { body } = await cancel(id).expect(200);
    expect(body).toMatchObject({
      id,
      status: 'cancelled',
      progress: { rows_total: null, rows_done: 0, percent: 100 },
      error_report_url: null,
      completed_at: expect.any(String),
    });
    expect((await cancel(id).expect(200)).body).toEqual(body);
    const worker = await testWorker(app);
    try {
      await eventually(async () => expect(await objects(app)).toEqual(before));
    } finally {
      await worker.stop();
    }
    const people = await app.database.query("select 1 from collaborators where email = 'person1@example.com'");
    expect(people).toEqual([]);
  });
});

test('succeeds while a worker tries to take it, which then gets none', async () => {
  const id = await startImport(app.admin, {});
  const tenant = app.database.db.tenant(app.company_id);
  let claimed: ReturnType<typeof claimImport>;
  await tenant.transaction(async (tx) => {
    await cancelImport(tx, id);
    claimed = claimImport(tenant, 60);
    await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
  });
  expect(await claimed!).toBeUndefined();
});

describe('with a worker', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await testWorker(app);
  });
  afterAll(() => worker.stop());

  test('a finished dry run keeps its results, but can’t be committed', async () => {
    const file = csv([requiredHeaders, ['Ann', 'ann@example.com', 'x', 'y'], ['Bad', 'bad', 'x', 'y']]);
    const dry = await runImport(app.admin, { file, dry_run: true });
    const { body } = await cancel(dry.id).expect(200);
    expect(body).toMatchObject({
      status: 'cancelled',
      counts: { created: 1, failed: 1, skipped: 0 },
      error_count: 1,
    });
    expect(body.error_report_url).not.toBeNull();
    await eventually(async () => {
      const [row] = await app.database.query<{ key: string | null }>('select key from imports where id = $1', [dry.id]);
      expect(row!.key).toBeNull();
    });
    expect((await fetch(body.error_report_url)).status).toBe(200);
    await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(409);
  });

  test('conflicts if it has ended', async () => {
    const done = await runImport(app.admin, { file: csv([requiredHeaders, ['Zoe', 'zoe@example.com', 'x', 'y']]) });
    const failed = await runImport(app.admin, { file: csv([['x']]), dry_run: true });
    for (const { id, status } of [done, failed]) {
      const { body } = await cancel(id).expect(409);
      expect([body.error, (await waitForImport(app.admin, id)).status]).toEqual(['conflict', status]);
    }
  });
});

test('forbidden by role', async () => {
  const id = await startImport(app.admin, {});
  await cancel(id, app.manager).expect(403);
  await cancel(id, app.employee).expect(403);
});

test('invisible to another company', async () => {
  const id = await startImport(app.admin, {});
  await cancel(id, app.outsider).expect(404);
  expect((await app.admin.get(`/v1/imports/${id}`).expect(200)).body.status).toBe('queued');
});

test('emits nothing', async () => {
  const before = await app.database.query("select 1 from events where name like 'import.%'");
  await cancel(await startImport(app.admin, {})).expect(200);
  expect(await app.database.query("select 1 from events where name like 'import.%'")).toEqual(before);
});
