/** Callers can't infer hidden values from results, counts, timing, history, or events. */
import { randomUUID } from 'node:crypto';
import { type TestApp, type TestClient, testApp } from '../helpers/app.ts';
import { csv, requiredHeaders, runImport, waitForImport } from '../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../helpers/worker.ts';

const people = '/v1/collaborators';
const salary = 71_300;

let app: TestApp;
let worker: TestWorker;
/** Can write salaries, but not read them. */
let blind: TestClient;
/** Can read what it writes. */
let seeing: TestClient;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  const writing = ['collaborators:read', 'collaborators:write', 'salary:write', 'imports:write', 'history:read'];
  blind = await app.as('admin', { scopes: writing });
  seeing = await app.as('admin', { scopes: [...writing, 'salary:read'] });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

interface Person {
  id: string;
  email: string;
}

async function person(): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const fields = { name: 'Ada Hidden', email, position: 'Planner', department: 'Operations', salary };
  const { body } = await app.admin.post(people, fields).expect(201);
  return { id: body.id, email };
}

/** Visible side effects of a request on a person, without values. */
async function traces({ id }: Person) {
  const { body } = await blind.get(`${people}/${id}`).expect(200);
  expect(body.restricted_fields).toEqual(['salary']);
  const history = (await blind.get(`${people}/${id}/history`).expect(200)).body.data;
  const events = await app.database.query<{ payload: { changed_fields: string[]; previous: object } }>(
    `select payload::json as payload from events where name = 'collaborator.updated' and payload::json ->> 'id' = $1 order by id`,
    [id],
  );
  return {
    hasMoved: body.updated_at > body.created_at,
    entries: history.map(({ action, description, changes }: Record<string, unknown>) => [action, description, changes]),
    events: events.map(({ payload: { changed_fields: changedFields, previous } }) => [changedFields, previous]),
  };
}

const update = (client: TestClient, items: object[], dryRun = false) =>
  client.post(`${people}/bulk`, { mode: 'update', dry_run: dryRun, items }).expect(200);

/** Each way to send a salary, with its response stripped of what differs between people. */
const ways: [string, (client: TestClient, subject: Person, salary: number) => Promise<unknown>][] = [
  [
    'a dry run of a bulk request',
    async (client, { id }, salary) => {
      const { body } = await update(client, [{ id, salary }], true);
      return body.results.map(({ status }: { status: string }) => status);
    },
  ],
  [
    'a bulk request',
    async (client, { id }, salary) => {
      const { body } = await update(client, [{ id, salary }]);
      return body.results.map(({ status }: { status: string }) => status);
    },
  ],
  ['PATCH', async (client, { id }, salary) => (await client.patch(`${people}/${id}`, { salary })).status],
  ['PUT', async (client, { id }, salary) => (await client.put(`${people}/${id}`, { salary })).status],
  ...[true, false].map((dryRun): (typeof ways)[number] => [
    dryRun ? 'a dry run of an import' : 'an import',
    async (client, { email }, salary) => {
      const file = csv([
        [...requiredHeaders, 'salary'],
        ['Ada Hidden', email, 'Planner', 'Operations', salary],
      ]);
      const { counts, status } = await runImport(client, { file, mode: 'upsert', dry_run: dryRun });
      return [counts, status];
    },
  ]),
];

test.each(ways)('%s: a matching salary and a different one have the same effects', async (name, send) => {
  const [right, wrong] = [await person(), await person()];
  expect(await send(blind, right, salary)).toEqual(await send(blind, wrong, salary + 1));
  expect(await traces(right)).toEqual(await traces(wrong));
  // Otherwise nothing was sent, and nothing compared.
  const isWritten = !name.startsWith('a dry run');
  expect((await traces(right)).events).toHaveLength(isWritten ? 1 : 0);
  const stored = (await app.admin.get(`${people}/${wrong.id}`).expect(200)).body.salary;
  expect(stored).toBe(isWritten ? salary + 1 : salary);
});

test.each(ways)('%s: for a caller who reads salaries, a matching one changes nothing', async (name, send) => {
  const [right, wrong] = [await person(), await person()];
  const responses = [await send(seeing, right, salary), await send(seeing, wrong, salary + 1)];
  expect(await traces(right)).toMatchObject({ hasMoved: false, events: [] });
  if (!name.startsWith('P')) expect(responses[0]).not.toEqual(responses[1]);
});

test('a matching salary appears in the history for readers with access', async () => {
  const { id } = await person();
  await blind.patch(`${people}/${id}`, { salary, location: 'Porto' }).expect(200);
  const [entry] = (await seeing.get(`${people}/${id}/history`).expect(200)).body.data;
  expect(entry).toMatchObject({ action: 'updated', description: 'Changed location, salary' });
  expect(entry.changes).toContainEqual({ field: 'salary', from: salary, to: salary });
  expect((await traces({ id, email: '' })).events).toEqual([[['location', 'salary'], { location: null }]]);
});

test('a commit by another admin reveals nothing either', async () => {
  const counts = [];
  for (const sent of [salary, salary + 1]) {
    const { email } = await person();
    const file = csv([
      [...requiredHeaders, 'salary'],
      ['Ada Hidden', email, 'Planner', 'Operations', sent],
    ]);
    const { id } = await runImport(blind, { file, mode: 'upsert', dry_run: true });
    await seeing.post(`/v1/imports/${id}/commit`).expect(202);
    counts.push((await waitForImport(seeing, id)).counts);
  }
  expect(counts[0]).toEqual(counts[1]);
});
