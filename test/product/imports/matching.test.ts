/** Matching rows to people: by id, by external ids, or by email. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  type ImportParts,
  range,
  runImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
afterEach(() => expectConsistent(app));

let serial = 0;
interface Person {
  id: string;
  email: string;
  external_id: string;
  employee_number: string;
}

async function addedPerson(more: object = {}): Promise<Person> {
  serial += 1;
  const ids = { email: `m${serial}@example.com`, external_id: `hr:${serial}`, employee_number: `00${serial}` };
  const person = { name: `Person ${serial}`, position: 'Planner', department: 'Fleet', ...ids, ...more };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body;
}

const read = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const upsert = (header: string[], rows: (string | null)[][], parts: ImportParts = {}) =>
  runImport(app.admin, { file: csv([header, ...rows]), mode: 'upsert', ...parts });
const summariesOf = async (...args: Parameters<typeof upsert>) => {
  const [header, rows, parts] = args;
  return summarizeErrors(await errorsOf(app.admin, (await upsert(header, rows, { dry_run: true, ...parts })).id));
};
const required = ['name', 'email', 'position', 'department'];

test.each(['external_id', 'employee_number', 'id'] as const)(
  'a person whose email changed in the source stays the same person by %s',
  async (field) => {
    const before = await addedPerson();
    const email = `moved${serial}@example.com`;
    const rows = [
      ['Moved', email, 'Lead', 'Fleet', before[field]],
      ['New Here', `new${serial}@example.com`, 'Lead', 'Fleet', null],
    ];
    const job = await upsert([...required, field], rows);
    expect(job).toMatchObject({ counts: { created: 1, updated: 1, failed: 0 }, match_by: null });
    const after = { name: 'Moved', email, position: 'Lead', updated_at: expect.anything() };
    expect(await read(before.id)).toMatchObject({ ...before, ...after });
  },
);

test('matches every row by the requested key', async () => {
  const [a, b] = [await addedPerson(), await addedPerson()];
  const header = ['external_id', 'email', 'phone'];
  const parts = { match_by: 'email' };
  expect((await upsert(header, [['hr:given', b.email, '+1 2']], parts)).match_by).toBe('email');
  expect(await read(b.id)).toMatchObject({ external_id: 'hr:given', phone: '+1 2' });
  // The ids belong to other people then.
  expect(await summariesOf(header, [[a.external_id, b.email, '+1 3']], parts)).toEqual(['A2 external_id taken']);
  const nameless = [
    [null, a.email, '+1 4'],
    ['hr:given', 'b.elsewhere@example.com', '+1 4'],
  ];
  expect(await summariesOf(header, nameless, { match_by: 'external_id' })).toEqual(['A2 external_id required']);
  expect(await summariesOf(['email', 'phone'], [[a.email, '+1 4']], { match_by: 'external_id' })).toEqual([
    '-1 external_id required',
  ]);
});

test('unknown, foreign, and invalid ids are errors of their rows', async () => {
  const rows = ['0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', app.outsider.collaborator_id, 'x'].map((id, n) => [
    id,
    `+1 ${n}0`,
  ]);
  expect(await summariesOf(['id', 'phone'], rows)).toEqual(['A2 id not_found', 'A3 id not_found', 'A4 id not_found']);
  const header = [...required, 'id'];
  const row = ['A B', 'ab@example.com', 'x', 'y', 'of-elsewhere'];
  expect(await summariesOf(header, [row], { match_by: 'email' })).toEqual([]);
  expect(await summariesOf(header, [row], { mode: 'create' })).toEqual([]);
});

test('the same person in two rows by different keys: the first row counts', async () => {
  const person = await addedPerson();
  const header = ['external_id', 'email', 'phone'];
  const rows = [
    [null, person.email, '+1 2'],
    [person.external_id, null, '+1 3'],
  ];
  expect(await summariesOf(header, rows)).toEqual(['A3 external_id duplicate']);
});

test('emails and ids of other people are taken', async () => {
  const [a, b] = [await addedPerson(), await addedPerson()];
  const rows = [[a.external_id, b.email, b.employee_number]];
  expect(await summariesOf(['external_id', 'email', 'employee_number'], rows)).toEqual([
    'B2 email taken',
    'C2 employee_number taken',
  ]);
});

test('managers are found by the email in their own row, wherever it is', async () => {
  const boss = await addedPerson();
  const reports = await Promise.all(range(3).map(() => addedPerson()));
  const far = range(205).map((n) => [
    `hr:far:${serial}:${n}`,
    `far${serial}.${n}@example.com`,
    null,
    'Far Away',
    'x',
    'y',
  ]);
  const email = `boss.moved${serial}@example.com`;
  const rows = [
    ...reports.map(({ external_id: externalId, email: own }) => [externalId, own, email, null, null, null]),
    ...far,
    [boss.external_id, email, null, null, null, null],
  ];
  const header = ['external_id', 'email', 'manager_email', 'name', 'position', 'department'];
  const job = await upsert(header, rows, { dry_run: true });
  expect(job).toMatchObject({ error_count: 0, counts: { created: 205, updated: 4 } });
  await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
  expect((await waitForImport(app.admin, job.id)).counts).toMatchObject({ created: 205, updated: 4, failed: 0 });
  for (const { id } of reports) expect((await read(id)).manager_id).toBe(boss.id);
});

test('a commit is rejected after someone in the file changed or was added', async () => {
  const person = await addedPerson();
  const dry = { dry_run: true };
  const changed = await upsert(['external_id', 'phone'], [[person.external_id, '+1 5']], dry);
  await app.admin.patch(`/v1/collaborators/${person.id}`, { location: 'Elsewhere' }).expect(200);
  await app.admin.post(`/v1/imports/${changed.id}/commit`).expect(409);
  const newOne = [['A New', `anew${serial}@example.com`, 'x', 'y', 'hr:anew']];
  const preview = await upsert([...required, 'external_id'], newOne, dry);
  await addedPerson({ external_id: 'hr:anew' });
  await app.admin.post(`/v1/imports/${preview.id}/commit`).expect(409);
});

test('a deleted person who reappears is added again, and the deleted record stays', async () => {
  const person = await addedPerson();
  await app.admin.delete(`/v1/collaborators/${person.id}`).expect(200);
  const row = ['Back Again', person.email, 'x', 'y', person.external_id];
  expect((await upsert([...required, 'external_id'], [row])).counts).toMatchObject({ created: 1 });
  await app.admin.get(`/v1/collaborators/${person.id}`).expect(404);
  const { body } = await app.admin.post(`/v1/collaborators/${person.id}/restore`).expect(409);
  expect(body.error).toBe('email_taken');
});

test('concurrent imports and bulk requests for the same people neither duplicate nor lose anyone', async () => {
  const known = await Promise.all(range(6).map(() => addedPerson()));
  const prefix = `hr:race:${serial}`;
  const ids = [...known.map(({ external_id: externalId }) => externalId), ...range(6).map((n) => `${prefix}:${n}`)];
  const emailOf = (at: number) => known[at]?.email ?? `${prefix.replaceAll(':', '.')}.${at}@example.com`;
  const fields = { name: 'Race Person', position: 'x', department: 'y' };
  const bulk = (order: number[], phone: string) =>
    app.admin.post('/v1/collaborators/bulk', {
      mode: 'upsert',
      items: order.map((at) => ({ ...fields, external_id: ids[at], email: emailOf(at), phone })),
    });
  const order = range(12);
  const file = csv([
    [...required, 'external_id', 'location'],
    ...order.map((at) => ['Race Person', emailOf(at), 'x', 'y', ids[at]!, 'Race']),
  ]);
  const [first, second, job] = await Promise.all([
    bulk(order, '+1 11'),
    bulk(order.toReversed(), '+1 22'),
    runImport(app.admin, { file, mode: 'upsert' }),
  ]);
  expect([first.body.summary.failed, second.body.summary.failed]).toEqual([0, 0]);
  expect(job.counts).toMatchObject({ failed: 0 });
  const rows = await app.database.query(
    `select external_id, count(*)::int as count, min(location) as location, min(phone) as phone from collaborators
     where company_id = $1 and external_id = any($2) and deleted_at is null group by 1`,
    [app.company_id, ids],
  );
  expect(rows).toHaveLength(12);
  for (const row of rows)
    expect(row).toMatchObject({ count: 1, location: 'Race', phone: expect.stringMatching(/11|22/) });
});

test('the error of a manager who isn’t found says what was looked up', async () => {
  const managers = ['nobody@example.com', 'No Body', 'No Body (0099)'];
  const rows = await Promise.all(managers.map(async (manager) => [(await addedPerson()).email, manager]));
  const { id } = await upsert(['email', 'manager'], rows, { dry_run: true });
  const other = 'Nobody in the company or in this file has this name or employee number.';
  const messages = (await errorsOf(app.admin, id)).map(({ message }) => message);
  expect(messages).toEqual(['Nobody in the company or in this file has this address.', other, other]);
});

describe('managers', () => {
  type Line = (string | null)[];
  const errors = ([first, ...rows]: Line[], parts: ImportParts = {}) =>
    summariesOf(first as string[], rows, { mode: 'create', ...parts });
  const find = async (email: string) => (await app.admin.get('/v1/collaborators').query({ email })).body.data[0];
  const person = (name: string, ...more: Line): Line => [name, `${name.toLowerCase()}@example.com`, 'x', 'y', ...more];
  const header = [...required, 'manager_email'];

  test('are not found by an unknown id', async () => {
    const lines = [[...required, 'manager_id'], person('Mina', 'of-elsewhere')];
    expect(await errors(lines)).toEqual(['E2 manager_id not_found']);
  });

  test('can be in the company or anywhere in the file, at any depth', async () => {
    const lines = [
      header,
      person('Leaf', 'branch@example.com'),
      person('Branch', 'TRUNK@example.com'),
      person('Other', 'branch@example.com'),
      person('Trunk', 'rui.almeida@example.com'),
    ];
    expect(await runImport(app.admin, { file: csv(lines) })).toMatchObject({
      status: 'completed',
      counts: { created: 4 },
    });
    const [leaf, branch, other, trunk] = await Promise.all(
      ['leaf', 'branch', 'other', 'trunk'].map((name) => find(`${name}@example.com`)),
    );
    expect([leaf.manager_id, other.manager_id, branch.manager_id, trunk.manager_id]).toEqual([
      branch.id,
      branch.id,
      trunk.id,
      app.manager.collaborator_id,
    ]);
  });

  test('that are unknown, the person, in a cycle, or in a row with an error are rejected', async () => {
    expect(
      await errors([
        header,
        person('Lost', 'nobody@example.com'),
        person('Selfish', 'selfish@example.com'),
        person('Ring1', 'ring2@example.com'),
        person('Ring2', 'ring3@example.com'),
        person('Ring3', 'ring1@example.com'),
        person('Hanger', 'ring1@example.com'),
        person('Below', 'hanger@example.com'),
        person('Fine', 'rui.almeida@example.com'),
      ]),
    ).toEqual([
      'E2 manager_email not_found',
      'E3 manager_email self',
      'E4 manager_email cycle',
      'E5 manager_email cycle',
      'E6 manager_email cycle',
      'E7 manager_email not_found',
      'E8 manager_email not_found',
    ]);
  });

  test('can’t form a cycle through existing or new people', async () => {
    const upsert = { mode: 'upsert' };
    // Rui reports to Mariana, Clara to Rui.
    const lines = [
      ['email', 'manager_email'],
      ['mariana.duarte@example.com', 'clara.sousa@example.com'],
    ];
    expect(await errors(lines, upsert)).toEqual(['B2 manager_email cycle']);
    const between = [
      header,
      person('Between', 'clara.sousa@example.com'),
      ['Rui Almeida', 'rui.almeida@example.com', 'Planner', 'Operations', 'between@example.com'],
    ];
    expect(await errors(between, upsert)).toEqual(['E2 manager_email cycle', 'E3 manager_email cycle']);
    // Reversed as a whole, there is no cycle.
    const swapped = [
      ['email', 'manager_email'],
      ['rui.almeida@example.com', 'clara.sousa@example.com'],
      ['clara.sousa@example.com', 'mariana.duarte@example.com'],
    ];
    expect(await errors(swapped, upsert)).toEqual([]);
  });
});
