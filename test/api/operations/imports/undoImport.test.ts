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
} from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
/** Each test imports people of its own. */
let turn = 0;
/** An import that nobody undoes. */
let untouched: string;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  untouched = (await runImport(app.admin, { file: some(1) })).id;
});
beforeEach(() => {
  turn++;
});
afterAll(async () => {
  await expectConsistent(app);
  await worker.stop();
  await app.close();
});

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
  test('deletes all people it added once, from the lowest level, with history and events, and they can be restored', async () => {
    const { id } = await runImport(app.admin, { file: fileOf([['ann', 'bob'], ['bob', 'cid'], ['cid']]) });
    const bob = await idOf('bob');
    const { body: preview } = await app.admin.get(path(id)).expect(200);
    expect(preview).toMatchObject({ import_id: id, status: 'available', removed_count: 3, kept: [], people: [] });
    expect(Date.parse(preview.until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await names()).toHaveLength(3);

    const { body } = await undo(id).expect(202);
    expect(body).toMatchObject({ requested_by: app.admin.user_id, requested_at: expect.any(String) });
    const report = await endOfUndo(id);
    expect(report).toMatchObject({ status: 'completed', removed_count: 3, kept: [], people: [] });
    expect(await names()).toEqual([]);
    expect((await undo(id).expect(202)).body).toEqual(report); // repeated, it deletes nobody twice
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

  test('if the worker dies, another takes over, and stops if the requester has lost the permission to import', async () => {
    const { id } = await runImport(app.admin, { file: some(3) });
    const { id: other } = await runImport(app.admin, { file: people(range(2, 1_000)) });
    await worker.stop();
    await undo(id).expect(202);
    expect((await app.admin.get(path(id)).expect(200)).body).toMatchObject({ status: 'running', removed_count: 0 });
    const set = (role: string) =>
      app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role }).expect(200);
    await set('admin');
    await undo(other, await app.as('manager', {})).expect(202);
    await set('manager');
    await app.database.query('delete from graphile_worker._private_jobs');
    await app.database.query("update imports set undo_due_at = now() - interval '1 hour' where id in ($1, $2)", [
      id,
      other,
    ]);
    worker = await testWorker(app);
    expect(await endOfUndo(id)).toMatchObject({ removed_count: 3 });
    const report = await endOfUndo(other);
    expect(report).toMatchObject({ removed_count: 0, kept: [{ reason: 'forbidden', count: 2 }] });
  });
});

describe('conflicts', () => {
  test('rejects dry runs, imports that added nobody, and unfinished ones', async () => {
    const dry = await runImport(app.admin, { file: some(1), dry_run: true });
    const emptyImport = await runImport(app.admin, { file: csv([requiredHeaders, ['Bad', 'bad', 'x', 'y']]) });
    const unfinished = (status: string, dueAt: string | null) =>
      app.database.query('update imports set status = $2, due_at = $3 where id = $1', [untouched, status, dueAt]);
    await unfinished('processing', '2100-01-01');
    for (const id of [dry.id, emptyImport.id, untouched]) {
      const { body } = await undo(id).expect(409);
      expect(body).toMatchObject({ error: 'conflict', message: expect.stringContaining('has ended and added people') });
      const { body: undoPreview } = await app.admin.get(path(id)).expect(200);
      expect(undoPreview).toMatchObject({ status: 'unavailable', until: null, removed_count: 0 });
    }
    await unfinished('completed', null);
  });

  test('rejects after 24 hours', async () => {
    const hours = (count: number) =>
      app.database.query(
        'update imports set completed_at = now() - make_interval(hours => $2, secs => 1) where id = $1',
        [untouched, count],
      );
    await hours(24);
    expect((await undo(untouched).expect(409)).body.message).toContain('within 24 hours');
    expect((await app.admin.get(path(untouched)).expect(200)).body.status).toBe('expired');
    await hours(0);
  });
});

describe('forbidden', () => {
  test('rejects by role, and without the scope to delete people', async () => {
    await undo(untouched, app.manager).expect(403);
    await undo(untouched, app.employee).expect(403);
    const client = await app.as('admin', { scopes: ['imports:write'] });
    const { body } = await undo(untouched, client).expect(403);
    expect([body.error, body.details]).toEqual(['insufficient_scope', { required_scopes: ['collaborators:write'] }]);
    expect((await app.admin.get(path(untouched)).expect(200)).body.status).toBe('available');
  });

  test('invisible to another company', async () => {
    await undo(untouched, app.outsider).expect(404);
    await app.outsider.get(path(untouched)).expect(404);
  });
});
