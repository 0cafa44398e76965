import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  type ImportParts,
  requiredHeaders,
  runImport,
  startImport,
  summarizeErrors,
  waitForImport,
} from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

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
const email = (name: string) => `${name}@example.com`;
const names = (count: number) => Array.from({ length: count }, () => `someone${++serial}`);
const fileOf = (some: string[], ...more: (string | null)[][]) =>
  csv([[...requiredHeaders, 'manager_email'], ...some.map((name) => [name, email(name), 'x', 'y', null]), ...more]);
const checked = (parts: ImportParts) => runImport(app.admin, { dry_run: true, ...parts });
const commit = (id: string, client = app.admin) => client.post(`/v1/imports/${id}/commit`);
const countOf = async (sql: string) =>
  (await app.database.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]!.n;

describe('succeeds', () => {
  test('writes what was checked, except rows with errors', async () => {
    const some = names(3);
    const dry = await checked({ file: fileOf(some, ['Bad', 'bad', 'x', 'y', null]) });
    expect(dry).toMatchObject({ status: 'completed_with_errors', counts: { created: 3, failed: 1 } });
    expect(await countOf(`collaborators where email = '${email(some[0]!)}'`)).toBe(0);
    const { body, headers } = await commit(dry.id).expect(202);
    expect(headers.location).toBe(`/v1/imports/${dry.id}`);
    expect(body).toMatchObject({
      id: dry.id,
      status: 'queued',
      dry_run: false,
      progress: { rows_total: 4, rows_done: 1, percent: 50 },
      counts: { created: 0, failed: 1 },
      error_report_url: null,
      committed_by: app.admin.user_id,
      committed_at: expect.any(String),
      completed_at: null,
    });
    const job = await waitForImport(app.admin, dry.id);
    expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: 3, failed: 1 }, error_count: 1 });
    expect(summarizeErrors(await errorsOf(app.admin, dry.id))).toEqual(['B5 email invalid_format']);
    const { body: list } = await app.admin.get(`/v1/collaborators?search=${some[1]}`).expect(200);
    expect(list.data).toHaveLength(1);
    expect(await countOf(`events where name = 'import.completed' and payload like '%${dry.id}%'`)).toBe(2);
  });

  test('with an Idempotency-Key, runs once', async () => {
    const dry = await checked({ file: fileOf(names(1)) });
    const send = () => commit(dry.id).set('Idempotency-Key', 'commit-1').expect(202);
    expect((await send()).text).toBe((await send()).text);
    expect(await waitForImport(app.admin, dry.id)).toMatchObject({ counts: { created: 1, failed: 0 } });
  });
});

describe('conflicts', () => {
  const refused = async (id: string) => {
    const { body } = await commit(id).expect(409);
    expect(body.error).toBe('conflict');
    return body.message as string;
  };

  test('rejects imports that aren’t dry runs, were committed or canceled, or failed', async () => {
    const real = await runImport(app.admin, { file: fileOf(names(1)) });
    expect(await refused(real.id)).toMatch(/Only a dry run/);
    const twice = await checked({ file: fileOf(names(1)) });
    await commit(twice.id).expect(202);
    expect(await refused(twice.id)).toMatch(/Only a dry run/);
    await waitForImport(app.admin, twice.id);
    const cancelled = await checked({ file: fileOf(names(1)) });
    await app.admin.post(`/v1/imports/${cancelled.id}/cancel`).expect(200);
    expect(await refused(cancelled.id)).toMatch(/Only a dry run/);
    const failed = await checked({ file: fileOf(names(1), ['Bad', 'bad', 'x', 'y', null]), on_error: 'abort' });
    expect(failed.status).toBe('failed');
    expect(await refused(failed.id)).toMatch(/Only a dry run/);
  });

  test('rejects if a person or manager in the file was added, changed, or removed since', async () => {
    const [fresh, known, boss] = names(3) as [string, string, string];
    const add = async (name: string) =>
      (
        await app.admin
          .post('/v1/collaborators', { name, email: email(name), position: 'x', department: 'y' })
          .expect(201)
      ).body.id;
    const knownId = await add(known);
    const bossId = await add(boss);
    const file = csv([
      [...requiredHeaders, 'manager_email'],
      [fresh, email(fresh), 'x', 'y', email(boss)],
      [known, email(known), 'new', 'y', null],
    ]);
    const dry = () => checked({ file, mode: 'upsert' });
    const unharmed = await dry();

    const beforeAdd = await dry();
    const freshId = await add(fresh);
    expect(await refused(beforeAdd.id)).toMatch(/have changed/);
    await app.admin.delete(`/v1/collaborators/${freshId}`).expect(200);

    const beforeChange = await dry();
    await app.admin.patch(`/v1/collaborators/${knownId}`, { location: 'There' }).expect(200);
    expect(await refused(beforeChange.id)).toMatch(/have changed/);

    const beforeRemoval = await dry();
    await app.admin.delete(`/v1/collaborators/${bossId}`).expect(200);
    expect(await refused(beforeRemoval.id)).toMatch(/have changed/);
    expect(await refused(unharmed.id)).toMatch(/have changed/);

    // Changes of anyone else don't matter.
    const other = await checked({ file: fileOf(names(1)), mode: 'upsert' });
    await app.admin.patch(`/v1/collaborators/${knownId}`, { location: 'Elsewhere' }).expect(200);
    await commit(other.id).expect(202);
    await waitForImport(app.admin, other.id);
  });

  test('skips people who change between the response and their turn', async () => {
    const [known, taken, fine] = names(3) as [string, string, string];
    const body = { name: known, email: email(known), position: 'x', department: 'y' };
    const { id } = (await app.admin.post('/v1/collaborators', body).expect(201)).body;
    const file = csv([requiredHeaders, ...[known, taken, fine].map((name) => [name, email(name), 'new', 'y'])]);
    const dry = await checked({ file, mode: 'upsert' });
    // Queue it behind another import of the company to gain time.
    await app.database.query(
      "update imports set due_at = now() + interval '1 hour', status = 'processing' where id = (select id from imports where due_at is null and id <> $1 limit 1)",
      [dry.id],
    );
    await commit(dry.id).expect(202);
    await app.admin.patch(`/v1/collaborators/${id}`, { location: 'There' }).expect(200);
    await app.admin.post('/v1/collaborators', { ...body, email: email(taken) }).expect(201);
    await app.database.query(
      "update imports set due_at = null, status = 'cancelled', failure_reason = null where status = 'processing'",
    );
    const job = await waitForImport(app.admin, dry.id);
    expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: 1, updated: 0, failed: 2 } });
    expect(summarizeErrors(await errorsOf(app.admin, dry.id))).toEqual(['B2 email changed', 'B3 email changed']);
    expect((await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.position).toBe('x');
  });
});

describe('forbidden', () => {
  test('forbidden by role', async () => {
    const dry = await checked({ file: fileOf(names(1)) });
    await commit(dry.id, app.manager).expect(403);
    await commit(dry.id, app.employee).expect(403);
  });

  test('rejects a token without the scopes that the file needs', async () => {
    const [name] = names(1);
    const file = csv([
      [...requiredHeaders, 'salary'],
      [name!, email(name!), 'x', 'y', 1000],
    ]);
    const dry = await checked({ file, send_invitations: true });
    const client = await app.as('admin', { scopes: ['imports:write', 'invitations:send'] });
    const { body } = await commit(dry.id, client).expect(403);
    expect([body.error, body.details]).toEqual(['insufficient_scope', { required_scopes: ['salary:write'] }]);
    const neither = await app.as('admin', { scopes: ['imports:write'] });
    const both = { required_scopes: ['salary:write', 'invitations:send'] };
    expect((await commit(dry.id, neither).expect(403)).body.details).toEqual(both);
    await commit(dry.id).expect(202);
    expect(await waitForImport(app.admin, dry.id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  });
});

test('invisible to another company', async () => {
  const id = await startImport(app.admin, { file: fileOf(names(1)), dry_run: true });
  await commit(id, app.outsider).expect(404);
  await waitForImport(app.admin, id);
});
