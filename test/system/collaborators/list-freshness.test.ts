/** The stored counts that lists use always equal the actual counts, after every kind of change. */

import { createStorage } from '../../../src/platform/files/context.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { eraseCollaborator } from '../../../src/product/erasure/erase-person.ts';
import { expireInvitations } from '../../../src/product/invitations/expire-invitations.ts';
import { type Identity, type TestApp, testApp } from '../../helpers/app.ts';
import { picture } from '../../helpers/resources/documents.ts';
import { csv, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const collection = '/v1/collaborators';
const at = (id: string) => `${collection}/${id}`;
const queries = ['', '?status=active', '?include_deleted=true&page=2&per_page=2'];

let serial = 0;
/** A time before everything: this filter forces an actual count instead of the stored one. */
const unasked = () => new Date(Date.UTC(2001) + serial++).toISOString();
const person = () => ({ name: 'Nova Sousa', email: `nova${serial++}@example.com`, position: 'x', department: 'y' });

interface Row {
  avatar_url?: string | null;
}

/** Links have a new signature each time. */
const withoutSignatures = (rows: Row[]) =>
  rows.map(({ avatar_url: avatarUrl, ...row }) => ({ ...row, avatar_url: avatarUrl && new URL(avatarUrl).pathname }));

async function expectCurrent(when: string, callers: Identity[]): Promise<void> {
  for (const identity of callers) {
    for (const query of identity === 'admin' ? queries : ['']) {
      const { body } = await app[identity].get(collection + query).expect(200);
      const fresh = `${query || '?'}&updated_since=${unasked()}`;
      const { body: found } = await app[identity].get(collection + fresh).expect(200);
      const [actual, expected] = [body, found].map((each) => ({ ...each, data: withoutSignatures(each.data) }));
      expect({ when, identity, query, ...actual }).toEqual({ when, identity, query, ...expected });
    }
  }
}

const bulk = (mode: string, items: object[]) =>
  app.admin.post(`${collection}/bulk`, { mode, on_error: 'abort', items }).expect(200);

const erasing = () => ({
  db: app.database.db,
  storage: createStorage(app.config),
  encryption_keys: app.config.encryption_keys,
  dry_run: false,
  companyFiles: false,
});

test('every kind of change is visible immediately to everyone', async () => {
  const worker = await testWorker(app);
  try {
    const { id } = (await app.admin.post(collection, person()).expect(201)).body;
    const known = (await app.admin.get(at(app.report.collaborator_id))).body.email;
    const reportId = app.report.collaborator_id;
    const changes: [string, () => Promise<unknown>][] = [
      ['nothing yet', async () => {}],
      ['create', () => app.admin.post(collection, person()).expect(201)],
      ['patch', () => app.admin.patch(at(reportId), { position: 'Other' }).expect(200)],
      ['replace', () => app.admin.put(at(id), { ...person(), location: 'Porto' }).expect(200)],
      ['salary', () => app.admin.patch(at(reportId), { salary: 51_000 }).expect(200)],
      ['role', () => app.admin.post(`${at(app.employee.collaborator_id)}/role`, { role: 'manager' }).expect(200)],
      ['a place in the tree', () => app.admin.patch(at(id), { manager_id: app.manager.collaborator_id }).expect(200)],
      [
        'picture',
        async () =>
          app.admin.put(`${at(id)}/photo`, { content_base64: (await picture()).toString('base64') }).expect(200),
      ],
      ['no picture', () => app.admin.delete(`${at(id)}/photo`).expect(200)],
      ['invitation', () => app.admin.post(`${at(id)}/send-invitation`).expect(200)],
      [
        'its end',
        async () => {
          await app.database.query("update invitations set expires_at = now() - interval '1 day'");
          await expireInvitations(app.database.db.tenant(app.company_id), createMailQueue(app.config.encryption_keys));
        },
      ],
      ['activation', () => app.admin.post(`${at(id)}/activate`).expect(200)],
      ['deactivation', () => app.admin.post(`${at(id)}/deactivate`, {}).expect(200)],
      ['deletion', () => app.admin.delete(at(id)).expect(200)],
      ['restoration', () => app.admin.post(`${at(id)}/restore`).expect(200)],
      ['many at once', () => bulk('create', [person(), person()])],
      ['many changes', () => bulk('upsert', [{ ...person(), email: known, name: 'Noa Sousa' }])],
      [
        'import',
        () => runImport(app.admin, { file: csv([requiredHeaders, ['Ivo Sousa', 'ivo@example.com', 'x', 'y']]) }),
      ],
      ['erasure', () => eraseCollaborator(erasing(), { id: app.company_id, name: 'x' }, id)],
      ['a manager who leaves', () => app.admin.delete(at(app.manager.collaborator_id)).expect(200)],
    ];
    for (const [label, change] of changes) {
      await expectCurrent(`before: ${label}`, ['admin', 'manager']);
      await change();
    }
    await expectCurrent('at the end', ['admin', 'report', 'employee', 'outsider']);
  } finally {
    await worker.stop();
  }
});

test('every read of salaries in a list is recorded', async () => {
  // Two people, because repeated reads of the same ones are merged.
  for (const salary of [40_000, 50_000]) await app.admin.post(collection, { ...person(), salary }).expect(201);
  const entries = async () =>
    (
      await app.database.query<{ count: number }>(
        "select count(*)::int from audit_log where action = 'salary.read' and details->>'operation_id' = 'listCollaborators'",
      )
    )[0]!.count;
  await app.audit.flush();
  const before = await entries();
  for (let i = 0; i < 4; i++) await app.admin.get(`${collection}?per_page=50`).expect(200);
  await app.audit.flush();
  expect((await entries()) - before).toBe(4);
});
