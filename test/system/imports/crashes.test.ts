/** Crashes at any point of an import: no row is lost or written twice. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses } from '../../helpers/process.ts';
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
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { emailOf, holdImports } from './held-imports.ts';

/** Two batches; the second one is small. */
const rows = 1_010;
const batch = 1_000;
/** Of a single batch. */
const few = 20;

let app: TestApp;
let held: ReturnType<typeof holdImports>;
const workers: TestWorker[] = [];
beforeEach(async () => {
  app = await testApp();
  held = holdImports(app);
});
afterEach(async () => {
  await held.release();
  await stopWorkers();
  killProcesses();
  await app.close();
});

async function startWorker(): Promise<void> {
  workers.push(await testWorker(app));
}

async function stopWorkers(): Promise<void> {
  for (const worker of workers.splice(0)) await worker.stop();
}

/** Fails the first transaction that writes this person. */
async function failOnceAt(email: string): Promise<void> {
  await app.database.query(`
    create sequence tries;
    grant usage on sequence tries to public;
    create function fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then raise 'a passing error'; end if;
      return new;
    end $$;
    create trigger fail_once before insert or update on collaborators for each row
    when (new.email = '${email}') execute function fail_once()`);
}

const tries = async () =>
  (await app.database.query<{ tries: number }>('select last_value::int as tries from tries'))[0]!.tries;

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
    const email = serial % 10 === 9 ? 'faulty' : emailOf(serial);
    const manager = serial % 10 > 0 && serial % 10 < 9 ? emailOf(serial - 1) : null;
    return [`Person ${serial}`, email, 'Planner', 'Operations', manager];
  });
  return csv([[...requiredHeaders, 'manager_email'], ...lines.reverse()]);
}

test('a worker killed while writing is continued by another at the same position', async () => {
  const id = await startImport(app.admin, { file: chained() });
  await held.holdAt(emailOf(8)); // the last to be written
  const killed = held.workerProcess();
  await held.until(id, batch);
  await killed.kill();
  const state = await held.stateOf(id);
  expect(state).toMatchObject({ status: 'processing', position: batch });
  expect(await written()).toBe(state.created_count);
  await expectConsistent(app);
  await held.release();
  await startWorker();
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

test('a reorganization interrupted midway is continued in the same order', async () => {
  const step = 400;
  const names = range(rows).map((serial) => {
    const manager = serial < step ? null : emailOf(serial - step);
    return [`Person ${serial}`, emailOf(serial), 'Planner', 'Operations', manager];
  });
  await startWorker();
  const added = await startImport(app.admin, { file: csv([[...requiredHeaders, 'manager_email'], ...names]) });
  expect(await waitForImport(app.admin, added)).toMatchObject({ counts: { created: rows } });

  // Reverse the chain: rows that come first in the file are written last.
  const found = await app.database.query<{ email: string; id: string }>('select email, id from collaborators');
  const ids = new Map(found.map((person) => [person.email, person.id]));
  const moves = range(rows).map((serial) => [
    emailOf(serial),
    ids.get(emailOf(serial + step)) ?? app.manager.collaborator_id,
  ]);
  await failOnceAt(emailOf(0));
  const id = await startImport(app.admin, { file: csv([['email', 'manager_id'], ...moves]), mode: 'upsert' });
  const job = await waitForImport(app.admin, id);
  expect(await tries()).toBe(2);
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
});

test('an all-or-nothing import survives losing the database midway', async () => {
  await held.holdAt(emailOf(rows - 1));
  await startWorker();
  const id = await startImport(app.admin, { file: people(range(rows)), on_error: 'abort' });
  await held.until(id, batch);
  for (let cut = 0; cut < 2; cut++) {
    const cutOff = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'collaborator-api%'`;
    await eventually(async () => expect(await app.database.query(cutOff)).not.toEqual([]));
    expect((await held.stateOf(id)).status).toBe('processing');
  }
  await held.release();
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
  expect(await written()).toBe(rows);
  await expectConsistent(app);
});

test('canceling midway stops immediately, keeps written rows, and returns the rest as a file', async () => {
  await held.holdAt(emailOf(8));
  await startWorker();
  const id = await startImport(app.admin, { file: chained() });
  await held.until(id, batch);
  const { body } = await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  await held.release();
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
});

test('canceling an all-or-nothing import midway keeps nothing', async () => {
  await held.holdAt(emailOf(few - 1));
  await startWorker();
  const id = await startImport(app.admin, { file: people(range(few)), on_error: 'abort' });
  await held.until(id, 0);
  const { body } = await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  await held.release();
  expect(body).toMatchObject({ status: 'cancelled', counts: { created: 0, failed: 0, skipped: few } });
  // The next one runs only after the worker has released this one.
  const next = await waitForImport(app.admin, await startImport(app.admin, { file: people([9_001]) }));
  expect(next.counts).toMatchObject({ created: 1 });
  expect(await written()).toBe(1);
  await expectConsistent(app);
});

test('two imports of one company run in order, and another company doesn’t wait', async () => {
  await startWorker();
  await startWorker();
  await held.holdAt(emailOf(0));
  const [first, second, foreignImport] = [
    await startImport(app.admin, { file: people(range(20)) }),
    await startImport(app.admin, { file: people(range(20, 10)) }),
    await startImport(app.outsider, { file: people(range(20, 100)) }),
  ];
  const foreign = await waitForImport(app.outsider, foreignImport!);
  const open = 'select status from imports where due_at is not null order by created_at';
  await eventually(async () =>
    expect(await app.database.query(open)).toEqual([{ status: 'processing' }, { status: 'queued' }]),
  );
  await held.release();
  const one = await waitForImport(app.admin, first!);
  const two = await waitForImport(app.admin, second!);
  expect(one.counts).toMatchObject({ created: 20, failed: 0 });
  expect(two.counts).toMatchObject({ created: 10, failed: 10 });
  expect(two.completed_at! > one.completed_at!).toBe(true);
  expect(foreign.counts).toMatchObject({ created: 20 });
  const errors = await errorsOf(app.admin, two.id);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['taken']));
  await expectConsistent(app);
});

test('a stopping worker releases its import, and another continues immediately', async () => {
  await held.holdAt(emailOf(0));
  await startWorker();
  const id = await startImport(app.admin, { file: chained() });
  await held.until(id, 0);
  const stopped = stopWorkers();
  await held.release();
  await stopped;
  expect((await held.stateOf(id)).position).toBeLessThan(rows);
  expect(await app.database.query('select due_at <= now() as is_free from imports')).toEqual([{ is_free: true }]);
  await startWorker();
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: rows * 0.9 } });
  await expectConsistent(app);
});
