/** Reorganizations in files larger than one batch: valid as a whole means accepted, whatever the row order. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  people,
  range,
  runImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

/** Rows per batch. */
const between = 1_000;

let app: TestApp;
let worker: TestWorker;
/** The id of the person above all who move. */
let top: string;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  top = app.manager.collaborator_id;
  const job = await runImport(app.admin, { file: people(range(2 * between)) });
  expect(job.counts).toMatchObject({ created: 2 * between });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
afterEach(async () => {
  await expectConsistent(app);
  expect(await withLevels()).toBe(0);
});

async function withLevels(): Promise<number> {
  return (await app.database.query('select 1 from imports where row_levels is not null')).length;
}

interface Person {
  email: string;
  id: string;
}

let serial = 0;

async function chain(): Promise<[Person, Person, Person]> {
  const add = async (managerId: string): Promise<Person> => {
    const name = `mover${++serial}`;
    const person = { name, email: `${name}@example.com`, position: 'x', department: 'y', manager_id: managerId };
    return (await app.admin.post('/v1/collaborators', person).expect(201)).body;
  };
  const first = await add(top);
  const second = await add(first.id);
  return [first, second, await add(second.id)];
}

const managersOf = (those: readonly Person[]) =>
  Promise.all(
    those.map(async ({ id }) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.manager_id),
  );

type Line = (string | null)[];

/** Puts the groups of rows so far apart that no two are in one batch. */
function apart(header: string[], groups: Line[][]): Buffer {
  const others = (from: number) => range(between, from).map((number) => [`person${number}@example.com`]);
  return csv([
    header,
    ...groups.flatMap((lines, at) => (at === 0 ? lines : [...others((at - 1) * between), ...lines])),
  ]);
}

const topEmail = 'rui.almeida@example.com';

test('rotates three people, and moves the top person below someone whose row keeps their manager, or has an error', async () => {
  const chains = [await chain(), await chain(), await chain()] as const;
  const [[a, b, c], [d, e, f], [g, h, i]] = chains;
  const lines = [
    [
      [b.email, a.email],
      [d.email, f.email],
      [g.email, i.email],
    ],
    [[a.email, c.email], [f.email], [i.email, topEmail, 'soon']],
    [
      [c.email, topEmail],
      [e.email, topEmail],
      [h.email, topEmail],
    ],
  ];
  const file = apart(['email', 'manager_email', 'hire_date'], lines);
  const job = await runImport(app.admin, { mode: 'upsert', file });
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([`C${between + 7} hire_date invalid_format`]);
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: 0, updated: 6, failed: 1 } });
  expect(await managersOf([a, b, c])).toEqual([c.id, a.id, top]);
  expect(await managersOf([d, e, f])).toEqual([f.id, top, e.id]);
  expect(await managersOf([g, h, i])).toEqual([i.id, top, h.id]);
});

test('works by id with a dry run and commit, on_error abort', async () => {
  const [a, b] = await chain();
  const file = apart(['email', 'manager_id'], [[[a.email, b.id]], [[b.email, top]]]);
  const dry = await runImport(app.admin, { mode: 'upsert', file, on_error: 'abort', dry_run: true });
  expect(dry).toMatchObject({ status: 'completed', counts: { updated: 2, failed: 0 } });
  expect(await withLevels()).toBe(1);
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect(await waitForImport(app.admin, dry.id)).toMatchObject({
    status: 'completed',
    counts: { updated: 2, failed: 0 },
  });
  expect(await managersOf([a, b])).toEqual([b.id, top]);
});

test('a canceled dry run leaves nothing behind', async () => {
  const [a, b] = await chain();
  const file = csv([
    ['email', 'manager_id'],
    [a.email, b.id],
    [b.email, top],
  ]);
  const dry = await runImport(app.admin, { mode: 'upsert', file, dry_run: true });
  expect(await withLevels()).toBe(1);
  await app.admin.post(`/v1/imports/${dry.id}/cancel`).expect(200);
  await runImport(app.admin, { file: people([9_999]) }); // runs after the cleanup of the canceled one
  expect(await managersOf([a, b])).toEqual([top, a.id]);
});
