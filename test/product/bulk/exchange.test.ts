/** Unique values that pass between people within one bulk request: valid as a whole means accepted, whatever the order of items. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { holdWrites } from '../../helpers/database/hold-writes.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ RATE_LIMIT_HEAVY_PER_MIN: '1000000' });
  await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
});
afterAll(() => app.close());

let serial = 0;
function item(fields: object = {}) {
  serial += 1;
  return { name: 'Ex Change', email: `ex${serial}@example.com`, position: 'Clerk', department: 'Office', ...fields };
}

interface Person {
  id: string;
  email: string;
}

interface Result {
  status: string;
  id: string;
  error: { error: string; details: Record<string, { code: string; message: string }[]> };
}

const bulk = async (body: object): Promise<Result[]> =>
  (await app.admin.post('/v1/collaborators/bulk', body).expect(200)).body.results;
const update = async (...items: object[]) => bulk({ mode: 'update', items });
const added = async (fields: object = {}): Promise<Person> =>
  (await app.admin.post('/v1/collaborators', item(fields)).expect(201)).body;
const read = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const outcomes = (results: Result[]) => results.map(({ status }) => status);
const codes = ({ error }: Result) =>
  Object.fromEntries(Object.entries(error.details).map(([field, errors]) => [field, errors[0]!.code]));
const emailMessage = ({ error }: Result) => error.details.email![0]!.message;
const own = 'Another collaborator already uses this address.';
const because = (index: number) => `The item at index ${index}, which gives this value up, has an error.`;

test.each(['continue', 'abort'])('moves all unique values in a circle with on_error %s', async (onError) => {
  const values = ['x', 'y', 'z'].map((each) => {
    const key = `${onError}-${each}`;
    return { email: `${key}@example.com`, external_id: key, employee_number: key, custom_fields: { badge: key } };
  });
  const ids = await Promise.all(values.map(async (each) => (await added(each)).id));
  const next = (at: number) => ({ ...values[(at + 1) % 3]!, email: values[(at + 1) % 3]!.email.toUpperCase() });
  const request = { mode: 'update', on_error: onError, items: ids.map((id, at) => ({ id, ...next(at) })) };
  expect(outcomes(await bulk({ ...request, dry_run: true }))).toEqual(['updated', 'updated', 'updated']);
  expect(await read(ids[0]!)).toMatchObject(values[0]!);
  expect(outcomes(await bulk(request))).toEqual(['updated', 'updated', 'updated']);
  for (const [at, id] of ids.entries()) expect(await read(id)).toMatchObject(next(at));
  const previous = await app.database.query(
    `select payload::json->'previous'->>'email' as email from events
     where name = 'collaborator.updated' and payload::json->>'id' = any($1) order by created_at, id`,
    [ids],
  );
  expect(previous).toEqual(values.map(({ email }) => ({ email })));
  expect(outcomes(await bulk(request))).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

test('adds a new person with values that a later item gives up', async () => {
  const leaving = item({ external_id: 'desk-8', custom_fields: { badge: 'desk-8' } });
  const { id } = await added(leaving);
  const arriving = { ...leaving, external_id: 'desk-9' };
  const gone = { id, email: item().email, custom_fields: { badge: null } };
  const results = await bulk({ mode: 'upsert', items: [arriving, gone] });
  expect(outcomes(results)).toEqual(['created', 'updated']);
  expect(await read(results[0]!.id)).toMatchObject(arriving);
});

test('fails everyone whose value is kept by an item that fails, and nobody else', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => added()));
  const [a, b, c, d, e, f] = people as [Person, Person, Person, Person, Person, Person];
  const stays = await added();
  const results = await update(
    { id: c.id, email: d.email },
    { id: a.id, email: b.email },
    { id: b.id, email: c.email },
    { id: d.id, email: stays.email },
    { id: e.id, email: f.email },
    { id: f.id, email: e.email },
  );
  expect(outcomes(results)).toEqual(['failed', 'failed', 'failed', 'failed', 'updated', 'updated']);
  expect(results.slice(0, 4).map(codes)).toEqual(Array(4).fill({ email: 'taken' }));
  expect(results.slice(0, 4).map(emailMessage)).toEqual([because(3), because(2), because(0), own]);
  const kept = await update({ id: a.id, email: b.email }, { id: b.id, phone: '+1 2' });
  expect(outcomes(kept)).toEqual(['failed', 'updated']);
  for (const { id, email } of [a, b, c, d]) expect((await read(id)).email).toBe(email);
});

test.each([
  ['field', { phone: 7 }, { phone: 'invalid_type' }],
  ['new value', { email: 'nowhere' }, { email: 'invalid_format' }],
  ['status', { status: 'pending' }, 'invalid_status_transition'],
])('an item of a circle with an invalid %s has only that error, in any order', async (_, invalid, error) => {
  const [a, b, c] = [await added(), await added(), await added()];
  await app.admin.post(`/v1/collaborators/${b.id}/activate`).expect(200);
  const circle = [
    { id: a.id, email: b.email },
    { id: b.id, email: c.email, ...invalid },
    { id: c.id, email: a.email },
  ];
  for (const start of [0, 1, 2]) {
    const results = await update(...circle.slice(start), ...circle.slice(0, start));
    const at = (index: number) => (index - start + 3) % 3;
    const ofB = results[at(1)]!;
    expect(typeof error === 'string' ? ofB.error.error : codes(ofB)).toEqual(error);
    expect(codes(results[at(0)]!)).toEqual({ email: 'taken' });
    expect([0, 2].map((each) => emailMessage(results[at(each)]!))).toEqual([because(at(1)), because(at(0))]);
  }
});

test('a new person’s item says that the item with its value fails', async () => {
  const { id, email } = await added();
  const heir = { ...item({ external_id: 'heir' }), email };
  const refused = await bulk({ mode: 'upsert', items: [heir, { id, email: item().email, phone: 7 }] });
  expect(refused.map(codes)).toEqual([{ email: 'taken' }, { phone: 'invalid_type' }]);
  expect(emailMessage(refused[0]!)).toBe(because(1));
});

test('of two items that take the value another one gives up, the second isn’t told that it fails', async () => {
  const [a, b, c] = [await added(), await added(), await added()];
  const results = await update(
    { id: a.id, email: item().email },
    { id: b.id, email: a.email },
    { id: c.id, email: a.email },
  );
  expect(outcomes(results)).toEqual(['updated', 'updated', 'failed']);
  expect(emailMessage(results[2]!)).toBe(own);
});

test('a long chain moves or fails as a whole, in any order of items', async () => {
  const people = await Promise.all(Array.from({ length: 60 }, (_, at) => added({ employee_number: `chain-${at}` })));
  const chain = people.map(({ id }, at) => ({ id, employee_number: `chain-${at + 1}` }));
  await added({ employee_number: 'chain-60' });
  const shuffled = chain.map((_, at) => chain[(at * 37) % 60]!);
  expect(new Set(outcomes(await update(...shuffled)))).toEqual(new Set(['failed']));
  chain[59]!.employee_number = 'chain-61';
  expect(new Set(outcomes(await update(...shuffled)))).toEqual(new Set(['updated']));
});

test('nobody takes a value from an item that changes someone else, or of someone named twice', async () => {
  const [a, b] = [await added(), await added({ employee_number: 'own' })];
  const results = await bulk({
    mode: 'update',
    items: [
      { id: a.id, employee_number: 'own' },
      { employee_number: 'own', phone: '+1 2' },
    ],
  });
  expect(outcomes(results)).toEqual(['failed', 'updated']);
  expect(results[1]!.id).toBe(b.id);
  const twice = await update(
    { id: b.id, phone: '+1 3' },
    { id: a.id, employee_number: 'own' },
    { id: b.id, employee_number: null },
  );
  expect(outcomes(twice)).toEqual(['updated', 'failed', 'failed']);
});

test('is decided again if a request that commits meanwhile takes a value', async () => {
  const [holder, other] = [await added(), await added()];
  const [wanted, heir] = [item(), item({ email: holder.email, external_id: 'next' })];
  const release = await holdWrites(app.database, 'after insert', wanted.email);
  const first = app.admin.post('/v1/collaborators', wanted).expect(201).then();
  await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
  const items = [heir, { id: holder.id, email: wanted.email }, { id: other.id, phone: '+1 2' }];
  const second = bulk({ mode: 'upsert', items });
  await eventually(async () => expect(await lockWaiters(app.database)).toBe(2));
  await release();
  await first;
  const results = await second;
  expect(outcomes(results)).toEqual(['failed', 'failed', 'updated']);
  expect(results.slice(0, 2).map(emailMessage)).toEqual([because(1), own]);
  expect((await read(holder.id)).email).toBe(holder.email);
  const people = await app.database.query('select email from collaborators where lower(email) = any($1)', [
    [holder.email, wanted.email],
  ]);
  expect(people).toHaveLength(2);
  const events = 'select name from events where payload::json->>$1 = any($2) order by name';
  expect(await app.database.query(events, ['id', [holder.id, other.id]])).toEqual([
    { name: 'collaborator.created' },
    { name: 'collaborator.created' },
    { name: 'collaborator.updated' },
  ]);
});
