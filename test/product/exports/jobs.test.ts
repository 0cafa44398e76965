/** Exports that a worker runs: when that happens, and how failures are handled. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { serviceUnavailable } from '../../../src/contract/problem.ts';
import { createFiles, createStorage } from '../../../src/platform/files/context.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { outage, StoreError } from '../../../src/platform/files/store/store-error.ts';
import { watchStore } from '../../../src/platform/files/store/store-watch.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import type { ExportRequest } from '../../../src/product/exports/content/export-request.ts';
import { createExport } from '../../../src/product/exports/create-export.ts';
import type { ExportRow } from '../../../src/product/exports/find-export.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { objects } from '../../helpers/resources/documents.ts';
import { column, csvOf, download, sheetsOf } from '../../helpers/resources/exports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(async () => {
  for (const { key } of await app.database.query<{ key: string | null }>('delete from exports returning key'))
    if (key) await createStorage(app.config).remove(key);
  await app.database.query('delete from graphile_worker._private_jobs');
  await app.database.query("delete from events where name = 'report.created'");
});

const list: ExportRequest = { kind: 'list', format: 'csv', query: { filters: {}, sort: 'name' } };

/** Creates an export for the admin as the operation does, with a different limit for immediate ones. */
function created(
  atOnce = 0,
  request: ExportRequest = list,
  identity: 'admin' | 'manager' | 'outsider' = 'admin',
): Promise<ExportRow> {
  const { user_id: userId, collaborator_id: collaboratorId, company_id: companyId } = app[identity];
  const requester = {
    caller: { user_id: userId, scopes: ['exports:read', 'salary:read'] },
    member: { collaborator_id: collaboratorId, role: identity === 'outsider' ? 'admin' : identity },
    tenant: app.database.db.tenant(companyId),
    files: createFiles(app.config, app.base_url),
    quotas: createQuotas(app.config.quotas),
    exportLeaseS: app.config.exports.leaseS,
  };
  return createExport(requester, request, `file.${request.format}`, atOnce);
}

async function read(row: ExportRow, client = app.admin) {
  return (await client.get(`/v1/exports/${row.id}`).expect(200)).body;
}

function ended(row: ExportRow, client = app.admin) {
  return eventually(async () => {
    const body = await read(row, client);
    expect(['completed', 'failed']).toContain(body.status);
    return body;
  });
}

const stored = async (row: ExportRow) =>
  (await app.database.query<ExportRow>('select * from exports where id = $1', [row.id]))[0];

const events = async () =>
  (
    await app.database.query(
      "select idempotency_key from events where name = 'report.created' order by idempotency_key",
    )
  ).map(({ idempotency_key: idempotencyKey }) => idempotencyKey);

const letLeaseEnd = (row: ExportRow) =>
  app.database.query("update exports set due_at = now() - interval '10 seconds' where id = $1", [row.id]);

/** A storage that stalls after the first bytes of its first file until released, and then works normally. */
function slowStorage() {
  const storage = createStorage(app.config);
  let go: () => void = () => {};
  let markStarted: () => void = () => {};
  let cutOff: () => void = () => {};
  const wasCutOff = new Promise<void>((resolve) => (cutOff = resolve));
  const hasStarted = new Promise<void>((resolve) => (markStarted = resolve));
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  let isFirst = true;
  const slow: Storage = {
    ...storage,
    async put(key, content: Readable) {
      if (!isFirst) return storage.put(key, content);
      isFirst = false;
      await new Promise((readable) => content.once('readable', readable));
      markStarted();
      content.once('error', cutOff);
      await Promise.race([mayGo, new Promise((_, reject) => content.once('error', reject))]);
      await storage.put(key, content);
    },
  };
  return { slow, hasStarted, wasCutOff, go: () => go() };
}

/** A storage that first waits for three files, and the most files that it stored at once, in all and by company. */
function countingStorage() {
  const storage = createStorage(app.config);
  const now: Record<string, number> = {};
  const most: Record<string, number> = {};
  const three = Promise.withResolvers<void>();
  const counting: Storage = {
    ...storage,
    async put(key, content) {
      const names = ['in_all', key.split('/')[0]!];
      for (const name of names) {
        now[name] = (now[name] ?? 0) + 1;
        most[name] = Math.max(most[name] ?? 0, now[name]);
      }
      if (now.in_all === 3) three.resolve();
      await three.promise;
      await sleep(200); // for a fourth, which would be one too many
      await storage.put(key, content).finally(() => {
        for (const name of names) now[name]!--;
      });
    },
  };
  return { storage: counting, most };
}

describe('immediate or queued', () => {
  test('runs immediately up to the limit, and queues one row more', async () => {
    expect(await created(4)).toMatchObject({ status: 'completed', row_count: 4, due_at: null });
    const row = await created(3);
    expect(row).toMatchObject({ status: 'queued', row_count: null, size: null, attempts: 0 });
    expect(await read(row)).toMatchObject({ status: 'queued', url: null, progress: { percent: 0, rows_total: null } });
    expect(await events()).toHaveLength(1);
  });

  test('counts only matching people', async () => {
    const request: ExportRequest = { ...list, query: { filters: { role: 'manager' } } };
    expect((await created(1, request)).status).toBe('completed');
    expect((await created(2, list, 'manager')).status).toBe('completed'); // the team has two
    expect((await created(1, list, 'manager')).status).toBe('queued');
  });

  test('exports of one person always run immediately', async () => {
    const request: ExportRequest = {
      kind: 'individual',
      format: 'csv',
      query: { collaborator_id: app.report.collaborator_id },
    };
    expect((await created(0, request)).status).toBe('completed');
  });
});

describe('a worker', () => {
  test('runs exports with the permissions of their requesters, and finds one without a job', async () => {
    const [row, ofManager] = [await created(), await created(0, list, 'manager')];
    await app.database.query('delete from graphile_worker._private_jobs');
    await letLeaseEnd(row);
    const worker = await testWorker(app);
    try {
      const body = await ended(row);
      expect(body).toMatchObject({ status: 'completed', row_count: 4, omitted: [], failure: null });
      expect(body.progress).toEqual({ rows_total: 4, rows_done: 4, percent: 100 });
      const bytes = await download(body.url);
      expect(bytes).toHaveLength(body.size);
      const table = csvOf(bytes);
      expect(column(table, 'Name')).toEqual(['Clara Sousa', 'Mariana Duarte', 'Rui Almeida', 'Tomás Rocha']);
      expect(column(table, 'Salary')).toEqual(['48000.5', '', '', '39500']);
      const team = await ended(ofManager, app.manager);
      expect(team).toMatchObject({ row_count: 2, omitted: ['salary'] });
      const teamTable = csvOf(await download(team.url));
      expect(column(teamTable, 'Name')).toEqual(['Clara Sousa', 'Rui Almeida']);
      expect(column(teamTable, 'Salary')).toEqual(['', '']);
      expect(await events()).toEqual([`report-${row.id}`, `report-${ofManager.id}`].sort());
    } finally {
      await worker.stop();
    }
  });

  test('runs several formats and companies with limited concurrency', async () => {
    const rows = [];
    for (const format of ['csv', 'json', 'xlsx', 'csv'] as const) rows.push(await created(0, { ...list, format }));
    const group = await created(0, { kind: 'group', format: 'xlsx', query: { filters: {}, group_by: 'role' } });
    const foreign = await created(0, list, 'outsider');
    const { storage, most } = countingStorage();
    const worker = await testWorker(app, { storage });
    try {
      const files = [];
      for (const row of rows) files.push(await download((await ended(row)).url));
      expect(files[0]).toEqual(files[3]);
      expect(JSON.parse(files[1]!.toString())).toHaveLength(4);
      expect(column(sheetsOf(files[2]!).Collaborators!, 'Name')).toEqual(column(csvOf(files[0]!), 'Name'));
      const book = sheetsOf(await download((await ended(group)).url));
      expect(Object.keys(book)).toEqual(['Summary', 'Admin', 'Employee', 'Manager']);
      const ofOutsider = csvOf(await download((await ended(foreign, app.outsider)).url));
      expect(column(ofOutsider, 'Name')).toEqual(['Jonas Petersen']);
      expect(await events()).toHaveLength(6);
      expect(most).toEqual({ in_all: 3, [app.company_id]: 2, [app.outsider.company_id]: 1 });
    } finally {
      await worker.stop();
    }
  });

  test('that is stopped releases its exports, and nothing is lost', async () => {
    const row = await created();
    const { slow, hasStarted } = slowStorage();
    const first = await testWorker(app, { storage: slow });
    await hasStarted;
    expect((await read(row)).status).toBe('processing');
    await first.stop();
    expect(await stored(row)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await objects(app)).toEqual([]);
    const second = await testWorker(app);
    try {
      expect((await ended(row)).status).toBe('completed');
      expect(await events()).toEqual([`report-${row.id}`]);
    } finally {
      await second.stop();
    }
  });

  test('that lost an export to another writes nothing, and its file doesn’t replace the other’s', async () => {
    const row = await created();
    const { slow, hasStarted, wasCutOff } = slowStorage();
    const first = await testWorker(app, { storage: slow });
    await hasStarted;
    // Simulate a takeover. The lease can't simply be expired, because it is renewed.
    await app.database.query(
      "update exports set status = 'queued', attempts = attempts + 1, due_at = now() - interval '10 seconds' where id = $1",
      [row.id],
    );
    const second = await testWorker(app);
    try {
      const body = await ended(row);
      expect(body.status).toBe('completed');
      const [rowThen, file] = [await stored(row), await download(body.url)];
      await wasCutOff; // it noticed
      await first.stop();
      expect(await stored(row)).toEqual(rowThen);
      expect(await download(body.url)).toEqual(file);
      expect(await events()).toEqual([`report-${row.id}`]);
    } finally {
      await second.stop();
    }
  });
});

describe('failures', () => {
  test('a lost database connection midway is retried', async () => {
    const row = await created();
    const { slow, hasStarted, go } = slowStorage();
    const worker = await testWorker(app, { storage: slow, exports: { ...app.config.exports, pauseS: 1 } });
    try {
      await hasStarted;
      const lost = await app.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      );
      expect(lost.length).toBeGreaterThan(0);
      go();
      const body = await ended(row);
      expect(body).toMatchObject({ status: 'completed', row_count: 4 });
      expect(await stored(row)).toMatchObject({ attempts: 2 });
      expect(await events()).toEqual([`report-${row.id}`]);
    } finally {
      await worker.stop();
    }
  });

  test('repeated storage failures end in a failed export', async () => {
    const row = await created();
    const storage: Storage = {
      ...createStorage(app.config),
      put: async () => {
        throw new Error('no space left');
      },
    };
    // The test skips the waiting time.
    const worker = await testWorker(app, { storage, exports: { ...app.config.exports, pauseS: 600 } });
    try {
      for (const attempts of [1, 2]) {
        await eventually(async () => expect(await stored(row)).toMatchObject({ status: 'queued', attempts }));
        expect(Date.parse((await stored(row))!.due_at!)).toBeGreaterThan(Date.now());
        await letLeaseEnd(row);
      }
      const body = await ended(row);
      expect(body).toMatchObject({ status: 'failed', url: null, failure: expect.stringMatching('Export again') });
      expect(body.failure).not.toMatch('space');
      expect(await events()).toEqual([]);
      expect(await objects(app)).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  test('a storage outage of any length counts no attempts, and the export completes afterwards', async () => {
    const row = await created();
    const good = createStorage(app.config);
    let failuresLeft = 5;
    const storage: Storage = {
      ...good,
      put: async (key, content) => {
        if (failuresLeft-- > 0) throw serviceUnavailable(new Error('the store is away'));
        await good.put(key, content);
      },
    };
    const worker = await testWorker(app, { storage, exports: { ...app.config.exports, pauseS: 0 } });
    try {
      expect(await ended(row)).toMatchObject({ status: 'completed', row_count: 4 });
      expect(await stored(row)).toMatchObject({ attempts: 1 });
      expect(failuresLeft).toBeLessThan(0);
    } finally {
      await worker.stop();
    }
  });

  test('while the store is known to be away, its own log lines are the only ones', async () => {
    const row = await created();
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const good = createStorage(app.config);
    let isAway = true;
    const check: Storage['check'] = async (kind) => {
      if (isAway) throw outage(new StoreError('no response'));
      return good.check(kind);
    };
    const times = { fresh: 10_000, freshWhileDown: 10, response: 60_000, silent: 60_000 };
    const watch = watchStore({ ...good, check }, { registry: new Registry(), log, times });
    await watch.begin();
    let attempts = 0;
    const storage: Storage = {
      ...watch.storage,
      put(key, content) {
        attempts += 1;
        return watch.storage.put(key, content);
      },
    };
    const worker = await testWorker(app, { log, storage, exports: { ...app.config.exports, pauseS: 0 } });
    try {
      await eventually(() => expect(attempts).toBeGreaterThan(2));
      isAway = false;
      expect(await ended(row)).toMatchObject({ status: 'completed' });
      await eventually(() => expect(lines).toContain('export made'));
      expect(lines.filter((line) => /export|file store/.test(line))).toEqual([
        'the file store is unavailable: requests that need files get 503',
        'the file store is available again',
        'export made',
      ]);
    } finally {
      await worker.stop();
    }
  });

  test('fails immediately and shows nothing if the requester lost the permission, or every process that started it has died', async () => {
    const row = await created(0, list, 'manager');
    const abandoned = await created();
    await app.database.query("update exports set status = 'processing', attempts = 3 where id = $1", [abandoned.id]);
    const member = app.manager.collaborator_id;
    await app.admin.post(`/v1/collaborators/${member}/role`, { role: 'employee' }).expect(200);
    const worker = await testWorker(app);
    try {
      await eventually(async () => expect((await stored(row))!.status).toBe('failed'));
      expect(await stored(row)).toMatchObject({
        attempts: 1,
        failure_message: expect.stringMatching('can no longer export this'),
      });
      expect(await ended(abandoned)).toMatchObject({ status: 'failed', failure: expect.any(String) });
      expect(await objects(app)).toEqual([]);
    } finally {
      await worker.stop();
      await app.admin.post(`/v1/collaborators/${member}/role`, { role: 'manager' }).expect(200);
    }
  });
});
