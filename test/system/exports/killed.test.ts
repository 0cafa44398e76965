/** Exports whose worker is killed: the next one creates the file, and two kills fail the export. */
import pg from 'pg';
import { createFiles } from '../../../src/platform/files/context.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { createExport } from '../../../src/product/exports/create-export.ts';
import { claimExport } from '../../../src/product/exports/export-lease.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { objects } from '../../helpers/resources/documents.ts';
import { addPeople, column, csvOf, download } from '../../helpers/resources/exports.ts';
import { testWorker } from '../../helpers/worker.ts';

/** Several batches of the cursor. */
const people = 1_200;
const total = people + 4;

let app: TestApp;
let other: pg.Client;
beforeAll(async () => {
  app = await testApp();
  await addPeople(app, people);
  other = new pg.Client(app.database.url);
  await other.connect();
});
afterAll(async () => {
  killProcesses();
  await other.end();
  await app.close();
});

/** Queues an export for the admin. Requests queue only those of more people than the test has. */
async function queueExport(): Promise<string> {
  const { user_id: userId, collaborator_id: collaboratorId } = app.admin;
  const requester = {
    caller: { user_id: userId, scopes: ['exports:read'] },
    member: { collaborator_id: collaboratorId, role: 'admin' as const },
    tenant: app.database.db.tenant(app.company_id),
    files: createFiles(app.config, app.base_url),
    quotas: createQuotas(app.config.quotas),
    exportLeaseS: app.config.exports.leaseS,
  };
  const request = { kind: 'list', format: 'csv', query: { filters: {}, sort: 'name' } } as const;
  return (await createExport(requester, request, 'people.csv', 0)).id;
}

const stored = async (id: string) =>
  (await app.database.query('select status, attempts, due_at > now() as is_held from exports where id = $1', [id]))[0];

/** Kills a worker while it waits for the people, and ends its lease. */
async function killWhileReading(id: string): Promise<void> {
  await other.query('begin; lock table collaborators');
  const { folder } = app.config.storage as { folder: string };
  const where = { DATABASE_URL: app.database.url, BASE_URL: app.base_url, STORAGE_URL: `file:${folder}` };
  const worker = startProcess(where, ['worker']);
  const claimed = { status: 'processing', attempts: 1, is_held: true };
  await eventually(async () => expect(await stored(id)).toEqual(claimed));
  await worker.kill();
  await other.query('rollback');
  expect(await stored(id)).toEqual(claimed);
  await endLease(id);
}

const endLease = (id: string) =>
  app.database.query("update exports set due_at = now() - interval '10 seconds' where id = $1", [id]);

/** The export once a worker has ended it. */
async function ended(id: string) {
  const worker = await testWorker(app);
  try {
    return await eventually(async () => {
      const { body } = await app.admin.get(`/v1/exports/${id}`).expect(200);
      expect(['completed', 'failed']).toContain(body.status);
      return body;
    });
  } finally {
    await worker.stop();
  }
}

test('after a kill, the next worker creates the file completely and once', async () => {
  const id = await queueExport();
  await killWhileReading(id);
  expect((await objects(app)).filter((key) => !key.startsWith('.'))).toEqual([]);
  const done = await ended(id);
  expect(done).toMatchObject({ status: 'completed', row_count: total });
  expect(done.progress).toEqual({ rows_total: total, rows_done: total, percent: 100 });
  expect(await stored(id)).toMatchObject({ attempts: 2 });
  const emails = column(csvOf(await download(done.url)), 'Email');
  expect(emails).toHaveLength(total);
  expect(new Set(emails).size).toBe(total);
  expect(await app.database.query("select id from events where name = 'report.created'")).toHaveLength(1);
});

test('fails after two kills, because the export may be the cause', async () => {
  const id = await queueExport();
  for (let death = 1; death <= 2; death++) {
    expect(await claimExport(app.database.db.tenant(app.company_id), id, 60)).toBeDefined();
    await endLease(id);
  }
  const { status, failure } = await ended(id);
  expect(status).toBe('failed');
  expect(failure).toMatch(/^The service stopped 2 times while creating this export, so it isn't retried\./);
});
