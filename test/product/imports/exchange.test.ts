/** Unique values that pass between the people of a file: valid as a whole means accepted, however far apart the rows are. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { holdWrites } from '../../helpers/database/hold-writes.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  type ImportParts,
  range,
  requiredHeaders,
  runImport,
  startImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

/** Rows per batch. */
const between = 1_000;

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
  const rows = range(between).map((at) => [
    `Person ${at}`,
    `person${at}@example.com`,
    'Planner',
    'Fleet',
    `line-${at}`,
  ]);
  const file = csv([[...requiredHeaders, 'employee_number'], ...rows]);
  expect((await runImport(app.admin, { file })).counts).toMatchObject({ created: between });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
afterEach(() => expectConsistent(app));

interface Person {
  id: string;
  email: string;
  external_id: string;
  employee_number: string;
}

let serial = 0;
async function added(more: object = {}): Promise<Person> {
  const key = `swap${++serial}`;
  const ids = { email: `${key}@example.com`, external_id: `hr:${key}`, employee_number: key };
  const person = { name: `Swap ${serial}`, position: 'Planner', department: 'Fleet', ...ids, ...more };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body;
}

const read = async ({ id }: { id: string }) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const byEmail = async (email: string) => (await app.admin.get('/v1/collaborators').query({ email })).body.data[0];

type Line = (string | null)[];

/** Puts the rows so far apart that no two are in one batch in the order of the file. */
function apart(header: string[], lines: Line[]): Buffer {
  const at = header.indexOf('email');
  const others = range(between).map((number) =>
    Array.from({ length: at + 1 }, (_, n) => (n === at ? `person${number}@example.com` : null)),
  );
  return csv([header, lines[0]!, ...others, ...lines.slice(1)]);
}

const send = (file: Buffer, parts: ImportParts = {}) => runImport(app.admin, { mode: 'upsert', file, ...parts });
const errors = async (id: string) => summarizeErrors(await errorsOf(app.admin, id));

test('moves all unique values in a circle, after a dry run', async () => {
  const key = (at: number) => `badge-${at}`;
  const three = await Promise.all(range(3).map((at) => added({ custom_fields: { badge: key(at) } })));
  const lines = three.map(({ external_id: externalId }, at) => {
    const next = three[(at + 1) % 3]!;
    return [externalId, next.email.toUpperCase(), next.employee_number, key((at + 1) % 3)];
  });
  const header = ['external_id', 'email', 'employee_number', 'custom_fields.badge'];
  const dry = await send(apart(header, lines), { on_error: 'abort', dry_run: true });
  expect(await errors(dry.id)).toEqual([]);
  expect(dry.counts).toMatchObject({ updated: 3, failed: 0 });
  expect(await read(three[0]!)).toMatchObject({ email: three[0]!.email });
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect((await waitForImport(app.admin, dry.id)).counts).toMatchObject({ updated: 3, failed: 0 });
  for (const [at, person] of three.entries()) {
    const [, email, number, badge] = lines[at]!;
    expect(await read(person)).toMatchObject({ email, employee_number: number, custom_fields: { badge } });
  }
});

test('exchanges addresses of a manager and their report, and of new managers, who are named by them', async () => {
  const boss = await added();
  const report = await added({ manager_id: boss.id });
  const [leaving, another] = [await added(), await added()];
  const header = ['external_id', 'email', 'manager_email', 'name', 'position', 'department'];
  const lines = [
    [boss.external_id, report.email, null],
    [report.external_id, boss.email, report.email],
    [another.external_id, another.email, leaving.email],
    [leaving.external_id, `left${serial}@example.com`, boss.email],
    [`hr:new${serial}`, leaving.email, report.email, 'New Boss', 'Planner', 'Fleet'],
  ];
  const job = await send(apart(header, lines));
  expect(await errors(job.id)).toEqual([]);
  expect(job.counts).toMatchObject({ created: 1, updated: 4, failed: 0 });
  expect(await read(boss)).toMatchObject({ email: report.email, manager_id: null });
  expect(await read(report)).toMatchObject({ email: boss.email, manager_id: boss.id });
  expect(await read(leaving)).toMatchObject({ manager_id: report.id });
  const arrived = (await read(another)).manager_id;
  expect(await read({ id: arrived })).toMatchObject({ name: 'New Boss', email: leaving.email, manager_id: boss.id });
  expect((await send(apart(header, lines), { dry_run: true })).counts).toMatchObject({ updated: 0, failed: 0 });
});

test('fails rows whose value is kept by a row that fails or isn’t in the file, and nobody else', async () => {
  const [a, b, c, d, e, f] = (await Promise.all(range(6).map(() => added()))) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const stays = await added();
  const header = ['external_id', 'email', 'hire_date'];
  const lines = [
    [a.external_id, b.email],
    [b.external_id, c.email],
    [c.external_id, stays.email],
    [d.external_id, e.email],
    [e.external_id, f.email, 'soon'],
    [f.external_id, d.email],
  ];
  const job = await send(csv([header, ...lines]));
  expect(await errors(job.id)).toEqual([
    'B2 email taken',
    'B3 email taken',
    'B4 email taken',
    'B5 email taken',
    'C6 hire_date invalid_format',
    'B7 email taken',
  ]);
  const own = 'Another collaborator already uses this address.';
  const because = (row: number) => `Row ${row}, which gives this value up, has an error.`;
  const messages = (await errorsOf(app.admin, job.id)).flatMap(({ code, message }) =>
    code === 'taken' ? message : [],
  );
  expect(messages).toEqual([because(3), because(4), own, because(6), because(5)]);
  for (const each of [a, b, c, d, e, f]) expect(await read(each)).toMatchObject({ email: each.email });
});

test('a row with an invalid new value is named by the row that takes its old one', async () => {
  const [a, b] = [
    await added({ custom_fields: { badge: 'typo-a' } }),
    await added({ custom_fields: { badge: 'typo-b' } }),
  ];
  const header = ['external_id', 'email', 'custom_fields.badge'];
  const lines = [
    [a.external_id, b.email, 'typo-b'],
    [b.external_id, 'nowhere', 'x'.repeat(3_000)],
  ];
  const job = await send(csv([header, ...lines]));
  const found = await errorsOf(app.admin, job.id);
  expect(summarizeErrors(found)).toEqual([
    'B2 email taken',
    'C2 custom_fields.badge taken',
    'B3 email invalid_format',
    'C3 custom_fields.badge too_long',
  ]);
  for (const { message } of found.slice(0, 2)) {
    expect(message).toBe('Row 3, which gives this value up, has an error.');
  }
});

test('a person named by an address that isn’t given up stays the manager', async () => {
  const [boss, report] = [await added(), await added()];
  const header = ['external_id', 'email', 'manager_email', 'name', 'position', 'department'];
  const lines = [
    [`hr:again${serial}`, boss.email, null, 'Boss Again', 'Planner', 'Fleet'],
    [report.external_id, report.email, boss.email],
  ];
  const job = await send(csv([header, ...lines]));
  expect(await errors(job.id)).toEqual(['B2 email taken']);
  expect(await read(report)).toMatchObject({ manager_id: boss.id });
});

test('a manager named by name may get a new address', async () => {
  const [boss, report, namesake] = [await added({ name: 'Olga Only' }), await added(), await added()];
  const header = ['external_id', 'name', 'email', 'manager'];
  const lines = [
    [boss.external_id, 'Olga Only', `olga${serial}@example.com`, null],
    [report.external_id, 'Report', report.email, 'Olga Only'],
  ];
  const job = await send(csv([header, ...lines]));
  expect(await errors(job.id)).toEqual([]);
  expect(await read(report)).toMatchObject({ manager_id: boss.id });
  const twice = [[namesake.external_id, 'Olga Only', namesake.email, null], lines[1]!];
  expect(await errors((await send(csv([header, ...twice]))).id)).toEqual(['D3 manager not_found']);
});

test('a manager stays the holder of an address whose new holder fails, and is checked as such', async () => {
  const report = await added();
  const [holder, taker] = [await added({ manager_id: report.id }), await added()];
  const below = await added({ manager_id: taker.id });
  const header = ['external_id', 'email', 'manager_email'];
  const lines = [
    [taker.external_id, holder.email, below.email],
    [holder.external_id, `gone${serial}@example.com`, report.email],
    [report.external_id, report.email, holder.email],
  ];
  const job = await send(csv([header, ...lines]), { dry_run: true });
  expect(await errors(job.id)).toEqual(['C2 manager_email cycle', 'C4 manager_email cycle']);
});

test('more rows than a batch can’t exchange values', async () => {
  const number = (at: number) => `line-${at}`;
  const header = ['email', 'employee_number'];
  const lines = (shift: number, count: number) =>
    range(count).map((at) => [`person${at}@example.com`, number(at + shift)]);
  const parts = { match_by: 'email', dry_run: true };
  expect((await send(csv([header, ...lines(1, between)]), parts)).counts).toMatchObject({ updated: between });
  const last = await added({ employee_number: number(between) });
  const refused = await send(csv([header, ...lines(1, between), [last.email, 'line-end']]), parts);
  expect(refused.counts).toMatchObject({ updated: 1, failed: between });
  const [error] = await errorsOf(app.admin, refused.id);
  expect(error).toMatchObject({ code: 'taken', message: expect.stringContaining('At most 1000 rows') });
});

test('a value that was taken after the dry run fails the rows that depend on it', async () => {
  const [a, b, c] = [await added(), await added(), await added()];
  const free = `free${serial}@example.com`;
  const lines = [
    [a.external_id, b.email],
    [b.external_id, free],
    [c.external_id, a.email],
  ];
  const dry = await send(csv([['external_id', 'email'], ...lines]), { dry_run: true });
  expect(dry.counts).toMatchObject({ updated: 3, failed: 0 });
  await added({ email: free });
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect((await waitForImport(app.admin, dry.id)).counts).toMatchObject({ updated: 0, failed: 3 });
  expect(await errors(dry.id)).toEqual(['B2 email taken', 'B3 email taken', 'B4 email taken']);
  expect((await byEmail(a.email)).id).toBe(a.id);
});

test('is written again if a request that commits meanwhile takes a value', async () => {
  const [holder, other] = [await added(), await added()];
  const wanted = { name: 'Want Ed', email: `wanted${serial}@example.com`, position: 'Planner', department: 'Fleet' };
  const release = await holdWrites(app.database, 'after insert', wanted.email);
  const first = app.admin.post('/v1/collaborators', wanted).expect(201).then();
  await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
  const header = ['external_id', 'email', 'name', 'position', 'department'];
  const lines = [
    [`hr:heir${serial}`, holder.email, 'He Ir', 'Planner', 'Fleet'],
    [holder.external_id, wanted.email],
    [other.external_id, `other${serial}@example.com`],
  ];
  const id = await startImport(app.admin, { mode: 'upsert', file: csv([header, ...lines]) });
  await eventually(async () => expect(await lockWaiters(app.database)).toBe(2));
  await release();
  await first;
  expect(await waitForImport(app.admin, id)).toMatchObject({ counts: { created: 0, updated: 1, failed: 2 } });
  expect(await errors(id)).toEqual(['B2 email taken', 'B3 email taken']);
  expect((await byEmail(holder.email)).id).toBe(holder.id);
  expect(await read(other)).toMatchObject({ email: `other${serial}@example.com` });
});
