/** Two batches of a file are written concurrently: they commit in order, or not at all. */
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { expectConsistent, people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

/** Two batches; the second one is small. */
const rows = 1_010;

let app: TestApp;
let worker: TestWorker;
let other: pg.Client;
beforeEach(async () => {
  app = await testApp();
  worker = await testWorker(app);
  other = new pg.Client(app.database.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await worker.stop();
  await app.close();
});

/** Adds a person in another, open transaction. */
async function add(serial: number): Promise<void> {
  await other.query(
    `insert into collaborators (company_id, id, name, email, position, department)
     values ($1, gen_random_uuid(), 'Other', $2, 'x', 'y')`,
    [app.company_id, `person${serial}@example.com`],
  );
}

/** Connections that wait for a lock, by lock type. */
async function waiting(): Promise<string[]> {
  const found = await app.database.query<{ kind: string }>(
    `select wait_event as kind from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' order by 1`,
  );
  return found.map(({ kind }) => kind);
}

const written = async () => {
  const [row] = await app.database.query<{ total: number; position: number }>(
    `select count(c.id)::int as total, max(i.position) as position
     from imports i left join collaborators c on c.company_id = i.company_id and c.name like 'Person%'`,
  );
  return row!;
};

test('the second batch waits for the first, isn’t visible before it, and rolls back with it', async () => {
  await other.query('begin');
  await add(5);
  const id = await startImport(app.admin, { file: people(range(rows)) });
  await eventually(async () => expect(await waiting()).toEqual(['advisory', 'transactionid']));
  expect(await written()).toEqual({ total: 0, position: 0 });
  await app.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event = 'transactionid'`,
  );
  await other.query('rollback');
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
  expect(await written()).toEqual({ total: rows, position: rows });
  await expectConsistent(app);
});
