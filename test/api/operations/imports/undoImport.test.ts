import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addDocument } from '../../../helpers/resources/documents.ts';
import {
  csv,
  expectConsistent,
  people,
  range,
  requiredHeaders,
  runImport,
  startImport,
} from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker | undefined;
/** Each test imports people of its own. */
let turn = 0;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  turn++;
  worker ??= await testWorker(app);
});
afterAll(async () => {
  await expectConsistent(app);
  await worker?.stop();
  await app.close();
});

async function stopWorker(): Promise<void> {
  await worker!.stop();
  worker = undefined;
}

const path = (id: string) => `/v1/imports/${id}/undo`;
const undo = (id: string, client = app.admin) => client.post(path(id));
const email = (name: string) => `${name}${turn}@example.com`;
/** @param staff names, each optionally with the name of the manager */
const fileOf = (staff: readonly (readonly [string, string?])[]) =>
  csv([
    [...requiredHeaders, 'manager_email'],
    ...staff.map(([name, manager]) => [`${name} x${turn}`, email(name), 'x', 'y', manager ? email(manager) : null]),
  ]);
const idOf = async (name: string): Promise<string> =>
  (await app.admin.get(`/v1/collaborators?email=${email(name)}`).expect(200)).body.data[0].id;
const names = async (): Promise<string[]> => {
  const { body } = await app.admin.get('/v1/collaborators?limit=100&sort=name').expect(200);
  const [suffix, all] = [` x${turn}`, body.data.map(({ name }: { name: string }) => name) as string[]];
  return all.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
};
const some = (count: number) => people(range(count, turn * 10_000));

async function undone(id: string) {
  await undo(id).expect(202);
  return endOfUndo(id);
}

async function endOfUndo(id: string) {
  await eventually(async () => expect((await app.admin.get(path(id)).expect(200)).body.status).toBe('completed'));
  return (await app.admin.get(path(id)).expect(200)).body;
}

describe('succeeds', () => {
  test('deletes all people it added, with history and events, and they can be restored', async () => {
    const { id } = await runImport(app.admin, { file: fileOf([['ann', 'bob'], ['bob', 'cid'], ['cid']]) });
    const bob = await idOf('bob');
    const { body: preview } = await app.admin.get(path(id)).expect(200);
    expect(preview).toMatchObject({ import_id: id, status: 'available', removed_count: 3, kept: [], people: [] });
    expect(Date.parse(preview.until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await names()).toHaveLength(3);

    const { body } = await undo(id).expect(202);
    expect(body).toMatchObject({ requested_by: app.admin.user_id, requested_at: expect.any(String) });
    expect(await endOfUndo(id)).toMatchObject({ status: 'completed', removed_count: 3, kept: [], people: [] });
    expect(await names()).toEqual([]);
    const history = await app.database.query(
      "select action, user_id from collaborator_history where collaborator_id = $1 and action <> 'created'",
      [bob],
    );
    expect(history).toEqual([{ action: 'deleted', user_id: app.admin.user_id }]);
    const events = await app.database.query(
      `select payload::json ->> 'deleted_by' as by from events e join collaborators c on c.id::text = e.payload::json ->> 'collaborator_id'
       where e.name = 'collaborator.deleted' and c.import_id = $1`,
      [id],
    );
    expect(events).toEqual(range(3).map(() => ({ by: app.admin.user_id })));
    const audit = await app.database.query(
      "select actor_id, target_id, details from audit_log where action = 'import.undone' and target_id = $1",
      [id],
    );
    expect(audit).toEqual([{ actor_id: app.admin.user_id, target_id: id, details: { removed: 3, kept: {} } }]);
    await app.admin.post(`/v1/collaborators/${bob}/restore`).expect(200);
    expect(await names()).toEqual(['bob']);
  });

  test('keeps people who were changed, and the managers above them', async () => {
    const staff = [['a'], ['b', 'a'], ['c', 'b'], ['d', 'a'], ['e'], ['f'], ['g']] as const;
    const { id } = await runImport(app.admin, { file: fileOf(staff) });
    await app.admin.patch(`/v1/collaborators/${await idOf('c')}`, { phone: '1' }).expect(200);
    await addDocument(app, await idOf('e'), { type: 'policy' });
    await app.admin.delete(`/v1/collaborators/${await idOf('f')}`).expect(200);
    // A person the import didn't add.
    const under = {
      name: `h x${turn}`,
      email: email('h'),
      position: 'x',
      department: 'y',
      manager_id: await idOf('g'),
    };
    await app.admin.post('/v1/collaborators', under).expect(201);
    const expected = {
      removed_count: 1,
      kept: expect.arrayContaining([
        { reason: 'changed', count: 2 },
        { reason: 'has_reports', count: 3 },
        { reason: 'already_deleted', count: 1 },
      ]),
      people: expect.arrayContaining([
        { id: await idOf('c'), name: `c x${turn}`, reason: 'changed' },
        { id: await idOf('e'), name: `e x${turn}`, reason: 'changed' },
        { id: await idOf('a'), name: `a x${turn}`, reason: 'has_reports' },
        { id: await idOf('b'), name: `b x${turn}`, reason: 'has_reports' },
        { id: await idOf('g'), name: `g x${turn}`, reason: 'has_reports' },
      ]),
    };
    expect((await app.admin.get(path(id)).expect(200)).body).toMatchObject({ status: 'available', ...expected });
    const report = await undone(id);
    expect(report).toMatchObject({ status: 'completed', ...expected });
    expect(report.people).toHaveLength(5);
    expect(await names()).toEqual(['a', 'b', 'c', 'e', 'g', 'h']);
    // People deleted later are no longer listed.
    await app.admin.delete(`/v1/collaborators/${await idOf('e')}`).expect(200);
    expect((await app.admin.get(path(id)).expect(200)).body.people).toHaveLength(4);
  });

  test('an invitation isn’t a change and is canceled; people the import updated keep their changes', async () => {
    const before = await app.admin.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    const rows = [
      ['Ann x', email('ann'), 'x', 'y'],
      ['Clara Sousa', before.body.email, 'Changed by a file', 'y'],
    ];
    const { id, counts } = await runImport(app.admin, {
      file: csv([requiredHeaders, ...rows]),
      mode: 'upsert',
      send_invitations: 'true',
    });
    expect(counts).toMatchObject({ created: 1, updated: 1 });
    expect(await undone(id)).toMatchObject({ removed_count: 1, kept: [] });
    const invitations = await app.database.query(
      'select state from invitations where collaborator_id in (select id from collaborators where import_id = $1)',
      [id],
    );
    expect(invitations).toEqual([{ state: 'cancelled' }]);
    const { body } = await app.admin.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    expect(body.position).toBe('Changed by a file');
  });

  test('repeating it returns the same report and deletes nobody twice', async () => {
    const { id } = await runImport(app.admin, { file: some(2) });
    const report = await undone(id);
    expect((await undo(id).expect(202)).body).toEqual(report);
    const deletions = await app.database.query(
      `select 1 from events e join collaborators c on c.id::text = e.payload::json ->> 'collaborator_id'
       where e.name = 'collaborator.deleted' and c.import_id = $1`,
      [id],
    );
    expect(deletions).toHaveLength(2);
    const { body } = await app.admin.get(`/v1/collaborators?search=person${turn}0`).expect(200);
    expect(body.data).toEqual([]);
  });

  test('handles more people than a batch, and updates the count', async () => {
    const total = async () => (await app.admin.get('/v1/collaborators').expect(200)).body.meta.total;
    const before = await total();
    const { id } = await runImport(app.admin, { file: some(1_001) });
    expect(await undone(id)).toMatchObject({ removed_count: 1_001, kept: [] });
    expect(await total()).toBe(before);
  });

  test('if the worker dies, another takes over after the lease expires', async () => {
    const { id } = await runImport(app.admin, { file: some(3) });
    await stopWorker();
    await undo(id).expect(202);
    expect((await app.admin.get(path(id)).expect(200)).body).toMatchObject({ status: 'running', removed_count: 0 });
    await app.database.query('delete from graphile_worker._private_jobs');
    await app.database.query("update imports set undo_due_at = now() - interval '1 hour' where id = $1", [id]);
    worker = await testWorker(app);
    expect(await endOfUndo(id)).toMatchObject({ removed_count: 3 });
  });

  test('stops if the requester has lost the permission to import', async () => {
    const { id } = await runImport(app.admin, { file: some(2) });
    await stopWorker();
    const set = (role: string) =>
      app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role }).expect(200);
    await set('admin');
    const other = await app.as('manager', {});
    await undo(id, other).expect(202);
    await set('manager');
    worker = await testWorker(app);
    const report = await endOfUndo(id);
    expect(report).toMatchObject({ removed_count: 0, kept: [{ reason: 'forbidden', count: 2 }] });
  });
});

describe('conflicts', () => {
  test('rejects dry runs, imports that added nobody, and unfinished ones', async () => {
    const dry = await runImport(app.admin, { file: some(1), dry_run: true });
    const emptyImport = await runImport(app.admin, { file: csv([requiredHeaders, ['Bad', 'bad', 'x', 'y']]) });
    await stopWorker();
    const waiting = await startImport(app.admin, { file: people([2]) });
    for (const id of [dry.id, emptyImport.id, waiting]) {
      const { body } = await undo(id).expect(409);
      expect(body).toMatchObject({ error: 'conflict', message: expect.stringContaining('has ended and added people') });
      const { body: undoPreview } = await app.admin.get(path(id)).expect(200);
      expect(undoPreview).toMatchObject({ status: 'unavailable', until: null, removed_count: 0 });
    }
  });

  test('rejects after 24 hours', async () => {
    const { id } = await runImport(app.admin, { file: some(1) });
    await app.database.query("update imports set completed_at = now() - interval '24 hours 1 second' where id = $1", [
      id,
    ]);
    expect((await undo(id).expect(409)).body.message).toContain('within 24 hours');
    expect((await app.admin.get(path(id)).expect(200)).body.status).toBe('expired');
    expect(await app.admin.get(`/v1/collaborators?search=person${turn}0`).expect(200)).toMatchObject({
      body: { data: [{ name: `Person ${turn * 10_000}` }] },
    });
  });
});

describe('forbidden', () => {
  test('rejects by role, and without the scope to delete people', async () => {
    const { id } = await runImport(app.admin, { file: some(1) });
    await undo(id, app.manager).expect(403);
    await undo(id, app.employee).expect(403);
    const client = await app.as('admin', { scopes: ['imports:write'] });
    const { body } = await undo(id, client).expect(403);
    expect([body.error, body.details]).toEqual(['insufficient_scope', { required_scopes: ['collaborators:write'] }]);
    expect((await app.admin.get(path(id)).expect(200)).body.status).toBe('available');
  });

  test('invisible to another company', async () => {
    const { id } = await runImport(app.admin, { file: some(1) });
    await undo(id, app.outsider).expect(404);
    await app.outsider.get(path(id)).expect(404);
  });
});
