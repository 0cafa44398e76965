/** Two batches of a file are written concurrently: they commit in order, and conflicts of one don't stop others. */
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  csv,
  expectConsistent,
  people,
  range,
  requiredHeaders,
  startImport,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

const rows = 2_000;

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

test('the second batch waits for the first, and isn’t visible before it', async () => {
  await other.query('begin');
  await add(5);
  const id = await startImport(app.admin, { file: people(range(rows)) });
  await eventually(async () => expect(await waiting()).toEqual(['advisory', 'transactionid']));
  expect(await written()).toEqual({ total: 0, position: 0 });
  await other.query('commit');
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: rows - 1, failed: 1 } });
  expect(await written()).toEqual({ total: rows - 1, position: rows });
});

test('the database resolves a deadlock with another transaction across both batches', async () => {
  await other.query('begin');
  await add(5);
  const id = await startImport(app.admin, { file: people(range(rows)) });
  await eventually(async () => expect(await waiting()).toEqual(['advisory', 'transactionid']));
  // Postgres cancels one of the three, possibly this one, so nobody waits forever.
  await add(1_500).catch((error) => expect(error).toMatchObject({ code: '40P01' }));
  await other.query('rollback');
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
  await expectConsistent(app);
});

test('if the first batch fails, the second rolls back with it, and both are written later', async () => {
  await app.database.query(`
    create sequence tries;
    grant usage on sequence tries to public;
    create function fail_once() returns trigger language plpgsql as $$
    begin
      if new.email = 'person5@example.com' and nextval('tries') = 1 then raise 'a passing fault'; end if;
      return new;
    end $$;
    create trigger fail_once before insert on collaborators for each row execute function fail_once()`);
  const id = await startImport(app.admin, { file: people(range(rows)) });
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
  expect(await app.database.query('select last_value::int as tries from tries')).toEqual([{ tries: 2 }]);
  expect(await written()).toEqual({ total: rows, position: rows });
  await expectConsistent(app);
});

test('a person is written after a manager in the previous batch', async () => {
  const lines = range(rows).map((serial) => {
    const manager = serial < 1_000 ? null : `person${serial - 1_000}@example.com`;
    return [`Person ${serial}`, `person${serial}@example.com`, 'Planner', 'Operations', manager];
  });
  const id = await startImport(app.admin, { file: csv([[...requiredHeaders, 'manager_email'], ...lines]) });
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: rows, failed: 0 } });
  await expectConsistent(app);
});
