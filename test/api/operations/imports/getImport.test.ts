import { type TestApp, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';
import { csv, people, requiredHeaders, runImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let done: Awaited<ReturnType<typeof runImport>>;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  done = await runImport(app.admin, { file: people([1, 2]) });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const salaries = csv([
  [...requiredHeaders, 'salary'],
  ['Ann', 'ann@example.com', 'x', 'y', 68_400],
  ['Bad', 'bad', 'x', 'y', 68_400],
]);

describe('succeeds', () => {
  test('returns a finished import with the outcome of its rows', () => {
    expect(done).toMatchObject({
      status: 'completed',
      progress: { rows_total: 2, rows_done: 2, percent: 100 },
      counts: { created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
      error_count: 0,
      error_report_url: null,
      failure: null,
      completed_at: expect.any(String),
    });
    expect(done.columns.map(({ column, field }) => [column, field])).toEqual([
      ['A', 'name'],
      ['B', 'email'],
      ['C', 'position'],
      ['D', 'department'],
    ]);
  });

  test('returns an all-or-nothing import that failed', async () => {
    const file = csv([requiredHeaders, ['Ann', 'a1@example.com', 'x', 'y'], ['Bad', 'bad', 'x', 'y']]);
    expect(await runImport(app.admin, { file, on_error: 'abort' })).toMatchObject({
      status: 'failed',
      counts: { created: 0, failed: 1, skipped: 1 },
      failure: { reason: 'aborted', message: '1 of 2 rows has an error, so nothing was imported.' },
      error_report_url: expect.stringContaining('/files/'),
    });
  });

  test('offers the file with errors only to readers who can see its salaries', async () => {
    const { id } = await runImport(app.admin, { file: salaries, dry_run: true });
    const blind = await app.as('admin', { scopes: ['imports:write', 'salary:write'] });
    const { body } = await blind.get(`/v1/imports/${id}`).expect(200);
    expect(body).not.toHaveProperty('error_report_url');
    expect(body.restricted_fields).toEqual(['error_report_url', 'columns.samples', 'preview.salary']);
    expect(maskIds(JSON.stringify(body))).not.toMatch(/68.?400/);
    const { body: whole } = await app.admin.get(`/v1/imports/${id}`).expect(200);
    expect(maskIds(JSON.stringify(whole))).toMatch(/68.?400/);
    expect(whole).toMatchObject({ error_report_url: expect.any(String) });
    expect(whole).not.toHaveProperty('restricted_fields');
  });
});

test('forbidden by role', async () => {
  await app.manager.get(`/v1/imports/${done.id}`).expect(403);
  await app.employee.get(`/v1/imports/${done.id}`).expect(403);
});

test('invisible to another company, like an unknown id', async () => {
  const { text } = await app.outsider.get(`/v1/imports/${done.id}`).expect(404);
  for (const other of ['0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', 'x']) {
    expect((await app.admin.get(`/v1/imports/${other}`).expect(404)).text).toBe(text);
  }
});

test('emits the events of the contract when it ends', async () => {
  const failed = await runImport(app.admin, { file: csv([['x']]), filename: 'none.csv' });
  const events = await app.database.query<{ name: string; payload: string }>(
    "select name, payload from events where name like 'import.%' and payload::json ->> 'id' in ($1, $2) order by created_at",
    [done.id, failed.id],
  );
  const [completed, failure] = events.map(({ name, payload }) => ({ name, ...JSON.parse(payload) }));
  const {
    id,
    filename,
    mode,
    dry_run: dryRun,
    counts,
    created_by: createdBy,
    created_at: createdAt,
    completed_at: completedAt,
  } = done;
  const rest = {
    id,
    filename,
    mode,
    dry_run: dryRun,
    counts,
    created_by: createdBy,
    created_at: createdAt,
    completed_at: completedAt,
  };
  expect(completed).toEqual({ name: 'import.completed', ...rest, status: 'completed', rows_total: 2 });
  expect(failure).toMatchObject({
    name: 'import.failed',
    id: failed.id,
    reason: 'unreadable',
    message: failed.failure!.message,
    rows_total: null,
    failed_at: failed.completed_at,
  });
});
