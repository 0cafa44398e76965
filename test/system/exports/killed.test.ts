/** Large exports over HTTP, with a worker killed midway. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { objects } from '../../helpers/resources/documents.ts';
import { addPeople, column, csvOf, download, exportPaths, sheetsOf } from '../../helpers/resources/exports.ts';

/** More than a request creates itself, so that there is time to kill the worker. */
const people = 24_000;
const total = people + 4;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await addPeople(app, people);
});
afterAll(async () => {
  killProcesses();
  await app.close();
});

const workerProcess = () =>
  startProcess(
    { DATABASE_URL: app.database.url, BASE_URL: app.base_url, STORAGE_URL: storageUrl(app), EXPORT_LEASE_S: '5' },
    ['worker'],
  );

function storageUrl({ config }: TestApp): string {
  return `file:${(config.storage as { folder: string }).folder}`;
}

const columns = 'status, attempts, rows_done, due_at > now() as is_held';
const stored = async (id: string) =>
  (
    await app.database.query<{ status: string; attempts: number; is_held: boolean }>(
      `select ${columns} from exports where id = $1`,
      [id],
    )
  )[0]!;

test('returns 202, and after a kill the next worker creates the file completely and once', async () => {
  const response = await app.admin.get(exportPaths.list).query({ format: 'csv', sort: 'name' }).expect(202);
  expect(response.body).toMatchObject({ status: 'queued', url: null, row_count: null, omitted: [] });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  const address = response.headers.location!;
  const { id } = response.body;

  const first = workerProcess();
  while ((await stored(id)).status !== 'processing') await sleep(2);
  await first.kill();
  expect(await stored(id)).toMatchObject({ status: 'processing', attempts: 1, is_held: true });
  expect((await objects(app)).filter((key) => !key.startsWith('.'))).toEqual([]);

  const second = workerProcess();
  const done = await eventually(async () => {
    const { body } = await app.admin.get(address).expect(200);
    expect(body.status).toBe('completed');
    return body;
  });
  expect(done).toMatchObject({ row_count: total, progress: { rows_total: total, rows_done: total, percent: 100 } });
  expect((await stored(id)).attempts).toBe(2);
  const emails = column(csvOf(await download(done.url)), 'Email');
  expect(emails).toHaveLength(total);
  expect(new Set(emails).size).toBe(total);
  const events = await app.database.query("select id from events where name = 'report.created'");
  expect(events).toHaveLength(1);
  await second.kill();
});

test('fails after two kills, because the export may be the cause', async () => {
  const response = await app.admin.get(exportPaths.list).query({ format: 'xlsx', sort: 'email' }).expect(202);
  const { id } = response.body;
  for (let attempts = 1; attempts <= 2; attempts++) {
    const worker = workerProcess();
    await eventually(async () => expect(await stored(id)).toMatchObject({ status: 'processing', attempts }));
    await worker.kill();
    expect((await stored(id)).status).toBe('processing');
  }
  const last = workerProcess();
  const failed = await eventually(async () => {
    const { body } = await app.admin.get(response.headers.location!).expect(200);
    expect(body.status).toBe('failed');
    return body;
  });
  expect(failed.failure).toMatch(/^The service stopped 2 times while creating this export, so it isn't retried\./);
  await last.kill();
});

test('for groups, returns a URL that gives 202 until the workbook exists, also for concurrent formats', async () => {
  const { body: url } = await app.admin.get(exportPaths.group).expect(200);
  const waiting = await fetch(url);
  expect(waiting.status).toBe(202);
  expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await waiting.json()).toEqual({ status: 'queued', progress: { rows_total: null, rows_done: 0, percent: 0 } });
  const lists = await Promise.all(
    ['xlsx', 'json'].map((format) => app.admin.get(exportPaths.list).query({ format }).expect(202)),
  );

  const worker = workerProcess();
  const book = await eventually(async () => sheetsOf(await download(url)));
  expect(Object.keys(book)).toHaveLength(1 + 11); // the summary, ten departments, and Operations
  expect((column(book.Summary!, 'Collaborators') as number[]).reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(book['Department 3']).toHaveLength(1 + people / 10);
  const files = await eventually(async () => {
    const ready = await Promise.all(lists.map(async ({ headers }) => (await app.admin.get(headers.location!)).body));
    expect(ready.map(({ status }) => status)).toEqual(['completed', 'completed']);
    return Promise.all(ready.map(({ url }) => download(url)));
  });
  const emails = column(sheetsOf(files[0]!).Collaborators!, 'Email');
  const peopleOfJson = JSON.parse(files[1]!.toString()) as { email: string }[];
  expect(peopleOfJson.map(({ email }) => email)).toEqual(emails);
  expect(new Set(emails).size).toBe(total);
  await worker.kill();
});
