/** Crashes of an import in which people exchange unique values: nothing is lost or doubled. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { killProcesses } from '../../helpers/process.ts';
import { csv, expectConsistent, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { emailOf, holdImports } from './held-imports.ts';

/** Two batches. */
const rows = 1_010;
const batch = 1_000;

let app: TestApp;
let held: ReturnType<typeof holdImports>;
let worker: TestWorker | undefined;
beforeEach(async () => {
  app = await testApp();
  held = holdImports(app);
});
afterEach(async () => {
  await held.release();
  await worker?.stop();
  worker = undefined;
  killProcesses();
  await app.close();
});

// Without batches of its own, an all-or-nothing import is given up after a second death.
test.each([
  ['continue', [0, batch]],
  ['abort', [batch]],
])('an exchange of values, killed on the way, happens once, with on_error %s', async (onError, positions) => {
  worker = await testWorker(app);
  const line = (serial: number, person: number) => [`hr-${person}`, emailOf(serial), `line-${serial}`];
  const columns = ['external_id', 'email', 'employee_number'];
  const before = range(rows).map((serial) => [...line(serial, serial), `Person ${serial}`, 'Planner', 'Operations']);
  const added = await startImport(app.admin, {
    file: csv([[...columns, 'name', 'position', 'department'], ...before]),
  });
  expect(await waitForImport(app.admin, added)).toMatchObject({ counts: { created: rows } });
  await worker.stop();
  worker = undefined;

  const circle = [3, 500, 1_005, 7, 1_009];
  const next = new Map(circle.map((serial, at) => [serial, circle[(at + 1) % circle.length]!]));
  const lines = range(rows).map((serial) => [...line(next.get(serial) ?? serial, serial), 'Lisbon']);
  const parts = { file: csv([[...columns, 'location'], ...lines]), mode: 'upsert', on_error: onError };
  const id = await startImport(app.admin, parts);
  for (const position of positions) {
    // In the first batch, the old holder of this address has already given it up.
    await held.holdAt(emailOf(position === 0 ? 500 : 1_008));
    const killed = held.workerProcess();
    await held.until(id, position);
    await killed.kill();
    await held.release();
  }
  worker = await testWorker(app);
  const job = await waitForImport(app.admin, id);
  expect(job).toMatchObject({ status: 'completed', counts: { created: 0, updated: rows, failed: 0 } });
  const people = await app.database.query(
    `select external_id, email, employee_number, location from collaborators
       where company_id = $1 and external_id is not null order by substr(external_id, 4)::int`,
    [app.company_id],
  );
  expect(people.map((person) => Object.values(person))).toEqual(lines);
  const traces = await app.database.query(
    `select distinct (select count(*)::int from collaborator_history h
           where h.company_id = c.company_id and h.collaborator_id = c.id and h.action = 'updated') as entries,
         (select count(*)::int from events e
           where e.company_id = c.company_id and e.name = 'collaborator.updated' and e.payload::json->>'id' = c.id::text) as events
       from collaborators c where company_id = $1 and external_id is not null`,
    [app.company_id],
  );
  expect(traces).toEqual([{ entries: 1, events: 1 }]);
  await expectConsistent(app);
});
