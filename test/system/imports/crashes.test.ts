/** Crashes at any point of an import: no row is lost or written twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { objects } from '../../helpers/resources/documents.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  people,
  range,
  requiredHeaders,
  startImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

const rows = 4_000;
/** After a crash, others wait for the lease to expire. */
const leaseS = 2;

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(async () => {
  killProcesses();
  await app.close();
});

const workerProcess = () => {
  const { folder } = app.config.storage as { folder: string };
  const where = { DATABASE_URL: app.database.url, STORAGE_URL: `file:${folder}`, BASE_URL: app.base_url };
  return startProcess({ ...where, IMPORT_LEASE_S: String(leaseS) }, ['worker']);
};

interface State {
  status: string;
  position: number;
  rows_checked: number;
  created_count: number;
  attempts: number;
}

async function stateOf(id: string): Promise<State> {
  const [row] = await app.database.query<State>(
    'select status, position, rows_checked, created_count, attempts from imports where id = $1',
    [id],
  );
  return row!;
}

/** Waits for a moment in the middle of the import. */
function until(id: string, matches: (state: State) => boolean): Promise<State> {
  return eventually(async () => {
    const state = await stateOf(id);
    if (!matches(state)) throw new Error(`it never came: ${JSON.stringify(state)}`);
    return state;
  }, 10);
}

async function written(): Promise<number> {
  const [row] = await app.database.query<{ total: number }>(
    "select count(*)::int as total from collaborators where company_id = $1 and email like 'person%'",
    [app.company_id],
  );
  return row!.total;
}

/** A chain of reports, so managers have to be written first. Every tenth row has an error. */
function chained(): Buffer {
  const lines = range(rows).map((serial) => {
    const email = serial % 10 === 9 ? 'faulty' : `person${serial}@example.com`;
    const manager = serial % 10 > 0 && serial % 10 < 9 ? `person${serial - 1}@example.com` : null;
    return [`Person ${serial}`, email, 'Planner', 'Operations', manager];
  });
  return csv([[...requiredHeaders, 'manager_email'], ...lines.reverse()]);
}

test('a worker killed during check or write, repeatedly, is continued by others at the same position', async () => {
  const id = await startImport(app.admin, { file: chained() });
  let worker = workerProcess();
  await until(id, ({ rows_checked: rowsChecked }) => rowsChecked > 0);
  await worker.kill();
  const positions: number[] = [];
  for (let kill = 0; kill < 3; kill++) {
    worker = workerProcess();
    const before = positions.at(-1) ?? 0;
    await until(id, ({ position }) => position > before);
    await worker.kill();
    const state = await stateOf(id);
    expect(state.status).toBe('processing');
    positions.push(state.position);
    expect(await written()).toBe(state.created_count);
    await expectConsistent(app);
  }
  workerProcess();
  const job = await waitForImport(app.admin, id);
  const good = rows * 0.9;
  expect(job).toMatchObject({
    status: 'completed_with_errors',
    counts: { created: good, failed: rows - good, skipped: 0 },
  });
  expect(await written()).toBe(good);
  expect(job.error_count).toBe(rows - good);
  await expectConsistent(app);
  const [managed] = await app.database.query<{ total: number }>(
    `select count(*)::int as total from collaborators c join collaborators m on m.id = c.manager_id
     where c.email like 'person%' and substr(m.email, 7)::text = (regexp_replace(c.email, '\\D', '', 'g')::int - 1) || '@example.com'`,
  );
  expect(managed!.total).toBe(rows * 0.8);
  const events = await app.database.query("select 1 from events where name = 'import.completed'");
  expect(events).toHaveLength(1);
});

test.each(['continue', 'abort'])(
  'a worker killed during a reorganization (%s) is continued in the same order',
  async (onError) => {
    const step = 800;
    const email = (serial: number) => `person${serial}@example.com`;
    const names = range(rows).map((serial) => {
      const manager = serial < step ? null : email(serial - step);
      return [`Person ${serial}`, email(serial), 'Planner', 'Operations', manager];
    });
    let worker = workerProcess();
    const added = await startImport(app.admin, { file: csv([[...requiredHeaders, 'manager_email'], ...names]) });
    expect(await waitForImport(app.admin, added)).toMatchObject({ counts: { created: rows } });
    await worker.kill();

    // Reverse the chain: rows that come first in the file are written last.
    const found = await app.database.query<{ email: string; id: string }>('select email, id from collaborators');
    const ids = new Map(found.map((person) => [person.email, person.id]));
    const moves = range(rows).map((serial) => [
      email(serial),
      ids.get(email(serial + step)) ?? app.manager.collaborator_id,
    ]);
    const id = await startImport(app.admin, {
      file: csv([['email', 'manager_id'], ...moves]),
      mode: 'upsert',
      on_error: onError,
    });
    worker = workerProcess();
    // All-or-nothing starts over, and at most twice.
    for (let kill = 0, before = 0; kill < (onError === 'continue' ? 2 : 1); kill++) {
      await until(id, ({ position }) => position > before);
      await worker.kill();
      const { status, position } = await stateOf(id);
      expect(status).toBe('processing');
      before = position;
      worker = workerProcess();
    }
    const job = await waitForImport(app.admin, id);
    expect(summarizeErrors(await errorsOf(app.admin, id))).toEqual([]);
    expect(job).toMatchObject({ status: 'completed', counts: { updated: rows, failed: 0 } });
    const [reassigned] = await app.database.query<{ total: number }>(
      `select count(*)::int as total from collaborators c join collaborators m on m.id = c.manager_id
       where c.email like 'person%' and m.email like 'person%'
         and substr(split_part(m.email, '@', 1), 7)::int = substr(split_part(c.email, '@', 1), 7)::int + $1`,
      [step],
    );
    expect(reassigned!.total).toBe(rows - step);
    await expectConsistent(app);
  },
);

test.each(['continue', 'abort'])('survives losing the database three times midway (%s)', async (onError) => {
  const worker = await testWorker(app);
  try {
    const id = await startImport(app.admin, { file: people(range(rows)), on_error: onError });
    // Three quarters remain after the first cut, so it is still running at the others.
    await until(id, ({ position, status }) => status === 'processing' && (position > 0 || onError === 'abort'));
    for (let cut = 0; cut < 3; cut++) {
      const cutOff = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like 'collaborator-api%'`;
      await eventually(async () => expect(await app.database.query(cutOff)).not.toEqual([]));
      expect((await stateOf(id)).status).toBe('processing');
    }
    const job = await waitForImport(app.admin, id);
    expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
    expect(await written()).toBe(rows);
    await expectConsistent(app);
  } finally {
    await worker.stop();
  }
});

test('canceling midway stops immediately, keeps written rows, and returns the rest as a file', async () => {
  const worker = await testWorker(app);
  try {
    const id = await startImport(app.admin, { file: chained() });
    await until(id, ({ position }) => position > 0);
    const { body } = await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', progress: { percent: 100, rows_done: rows } });
    const { created, failed, skipped } = body.counts;
    expect(created).toBeGreaterThan(0);
    expect(skipped).toBeGreaterThan(0);
    expect(created + failed + skipped).toBe(rows);
    expect(await written()).toBe(created);
    await eventually(async () => {
      const job = (await app.admin.get(`/v1/imports/${id}`).expect(200)).body;
      expect(job.error_report_url).not.toBeNull();
    });
    expect(await written()).toBe(created);
    await expectConsistent(app);
    // Only the report is left, not the upload.
    await eventually(async () => expect(await objects(app)).toHaveLength(1));
    expect(await app.database.query("select 1 from events where name like 'import.%'")).toEqual([]);

    const job = (await app.admin.get(`/v1/imports/${id}`).expect(200)).body;
    const errorReport = Buffer.from(await (await fetch(job.error_report_url)).arrayBuffer());
    const rest = await waitForImport(app.admin, await startImport(app.admin, { file: errorReport }));
    expect(rest.counts).toMatchObject({ created: skipped, failed });
    expect(await written()).toBe(rows * 0.9);
  } finally {
    await worker.stop();
  }
});

test('canceling an all-or-nothing import midway keeps nothing', async () => {
  const worker = await testWorker(app);
  try {
    const id = await startImport(app.admin, { file: people(range(rows)), on_error: 'abort' });
    await until(id, ({ position }) => position > 0);
    const { body } = await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', counts: { created: 0, failed: 0, skipped: rows } });
    // The next one runs only after the worker has released this one.
    const next = await waitForImport(app.admin, await startImport(app.admin, { file: people([9_001]) }));
    expect(next.counts).toMatchObject({ created: 1 });
    expect(await written()).toBe(1);
    await expectConsistent(app);
  } finally {
    await worker.stop();
  }
});

test('two imports of one company run in order, and another company doesn’t wait', async () => {
  const workers = [await testWorker(app), await testWorker(app)];
  try {
    const [first, second, foreignImport] = [
      await startImport(app.admin, { file: people(range(2_000)) }),
      await startImport(app.admin, { file: people(range(2_000, 1_000)) }),
      await startImport(app.outsider, { file: people(range(20)) }),
    ];
    let together = 0;
    const watching = (async () => {
      for (;;) {
        const open = await app.database.query<{ id: string; status: string }>(
          'select id, status from imports where company_id = $1 and due_at is not null',
          [app.company_id],
        );
        together = Math.max(together, open.filter(({ status }) => status !== 'queued').length);
        if (open.length === 0) return;
        await sleep(5);
      }
    })();
    const foreign = await waitForImport(app.outsider, foreignImport!);
    const one = await waitForImport(app.admin, first!);
    const two = await waitForImport(app.admin, second!);
    await watching;
    expect(together).toBe(1);
    expect(one.counts).toMatchObject({ created: 2_000, failed: 0 });
    expect(two.counts).toMatchObject({ created: 1_000, failed: 1_000 });
    expect(two.completed_at! > one.completed_at!).toBe(true);
    expect(foreign.counts).toMatchObject({ created: 20 });
    expect(foreign.completed_at! < two.completed_at!).toBe(true);
    const errors = await errorsOf(app.admin, two.id);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['taken']));
    await expectConsistent(app);
  } finally {
    for (const worker of workers) await worker.stop();
  }
});

test('a stopping worker releases its import, and another continues immediately', async () => {
  const many = 3 * rows; // so that it isn't done before the signal arrives
  const id = await startImport(app.admin, { file: people(range(many)) });
  const first = workerProcess();
  await until(id, ({ position }) => position > 0);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect((await stateOf(id)).position).toBeLessThan(many);
  expect(await app.database.query('select due_at <= now() as is_free from imports')).toEqual([{ is_free: true }]);
  const second = await testWorker(app);
  try {
    expect(await waitForImport(app.admin, id)).toMatchObject({ status: 'completed', counts: { created: many } });
    await expectConsistent(app);
  } finally {
    await second.stop();
  }
});

test('an import that fails repeatedly is given up, and others run', async () => {
  const id = await startImport(app.admin, { file: people([1]) });
  const { folder } = app.config.storage as { folder: string };
  const [key] = await objects(app);
  const { rm } = await import('node:fs/promises');
  await rm(`${folder}/${key}`);
  await app.database.query('update imports set attempts = 8');
  const next = await startImport(app.admin, { file: people([2]) });
  const worker = await testWorker(app);
  try {
    expect(await waitForImport(app.admin, id)).toMatchObject({
      status: 'failed',
      failure: { reason: 'internal_error' },
    });
    expect(await waitForImport(app.admin, next)).toMatchObject({ status: 'completed' });
  } finally {
    await worker.stop();
  }
});
