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

/** Puts the rows so far apart that no two are in one batch. */
function apart(header: string[], lines: Line[]): Buffer {
  const others = (from: number) => range(between, from).map((number) => [`person${number}@example.com`]);
  return csv([header, ...lines.flatMap((line, at) => (at === 0 ? [line] : [...others((at - 1) * between), line]))]);
}

const byId = ['email', 'manager_id'];
const byEmail = ['email', 'manager_email', 'hire_date'];
const topEmail = 'rui.almeida@example.com';

const parts = { mode: 'upsert' };
const succeeds = async (file: Buffer, updated: number, more = {}) => {
  const job = await runImport(app.admin, { ...parts, ...more, file });
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([]);
  expect(job).toMatchObject({ status: 'completed', counts: { created: 0, updated, failed: 0 } });
};

test.each(['continue', 'abort'])('rotates three people by id, on_error %s', async (onError) => {
  const [a, b, c] = await chain();
  const lines = [
    [b.email, a.id],
    [a.email, c.id],
    [c.email, top],
  ];
  await succeeds(apart(byId, lines), 2, { on_error: onError });
  expect(await managersOf([a, b, c])).toEqual([c.id, a.id, top]);
});

test('moves the top person below someone whose row keeps their manager', async () => {
  const [a, b, c] = await chain();
  const lines = [[a.email, c.email], [c.email], [b.email, topEmail]];
  await succeeds(apart(byEmail, lines), 2);
  expect(await managersOf([a, b, c])).toEqual([c.id, top, b.id]);
});

test('works with a dry run and commit', async () => {
  const [a, b] = await chain();
  const lines = [
    [a.email, b.id],
    [b.email, top],
  ];
  const dry = await runImport(app.admin, { ...parts, file: apart(byId, lines), dry_run: true });
  expect(dry).toMatchObject({ status: 'completed', counts: { updated: 2, failed: 0 } });
  expect(await withLevels()).toBe(1);
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect(await waitForImport(app.admin, dry.id)).toMatchObject({
    status: 'completed',
    counts: { updated: 2, failed: 0 },
  });
  expect(await managersOf([a, b])).toEqual([b.id, top]);
});

test('the top person can move below someone whose own row has an error', async () => {
  const [a, b, c] = await chain();
  const lines = [
    [a.email, c.email],
    [c.email, topEmail, 'soon'],
    [b.email, topEmail],
  ];
  const job = await runImport(app.admin, { mode: 'upsert', file: apart(byEmail, lines) });
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([`C${between + 3} hire_date invalid_format`]);
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { updated: 2, failed: 1 } });
  expect(await managersOf([a, b, c])).toEqual([c.id, top, b.id]);
});

test('a canceled dry run leaves nothing behind', async () => {
  const [a, b] = await chain();
  const file = csv([byId, [a.email, b.id], [b.email, top]]);
  const dry = await runImport(app.admin, { mode: 'upsert', file, dry_run: true });
  expect(await withLevels()).toBe(1);
  await app.admin.post(`/v1/imports/${dry.id}/cancel`).expect(200);
  await runImport(app.admin, { file: people([9_999]) }); // runs after the cleanup of the canceled one
  expect(await managersOf([a, b])).toEqual([top, a.id]);
});
