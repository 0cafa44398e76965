import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { unzip } from '../../../helpers/archive.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addDirectory, enterpriseUrn } from '../../../helpers/resources/directories.ts';
import { addDocument, picture, upload } from '../../../helpers/resources/documents.ts';
import { download } from '../../../helpers/resources/exports.ts';
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

const path = (id: string) => `/v1/collaborators/${id}/personal-data`;

/** Waits until the export ends. */
async function ended(id: string, client = app.admin) {
  return eventually(async () => {
    const { body } = await client.get(`/v1/exports/${id}`).expect(200);
    expect(['completed', 'failed']).toContain(body.status);
    return body;
  });
}

async function archiveOf(collaboratorId: string) {
  const { body } = await app.admin.post(path(collaboratorId)).expect(202);
  const files = await unzip(await download((await ended(body.id)).url));
  return { files, json: (name: string) => JSON.parse(files.get(name)!.toString()) };
}

describe('succeeds', () => {
  const view = { name: 'My fleet', filters: { department: 'Fleet' }, sort: 'name' };
  let id: string;
  let medicalId: string;
  let longNameId: string;
  let archive: Awaited<ReturnType<typeof archiveOf>>;
  beforeAll(async () => {
    id = app.employee.collaborator_id;
    await app.admin.patch(`/v1/collaborators/${id}`, { salary: 61_000 }).expect(200);
    await app.employee.patch(`/v1/collaborators/${id}`, { phone: '+351 21 000 0000' }).expect(200);
    await app.employee.put(`/v1/collaborators/${id}/notifications`, { channels: { sms: true } }).expect(200);
    await app.employee.post('/v1/saved-views', view).expect(201);
    const photo = (await picture()).toString('base64');
    await app.admin.put(`/v1/collaborators/${id}/photo`, { content_base64: photo }).expect(200);
    medicalId = await addDocument(app, id, { filename: 'contract.pdf', type: 'medical' });
    await addDocument(app, id, { filename: 'contract.pdf' });
    longNameId = await addDocument(app, id, { filename: `${'ç'.repeat(118)}.pdf` });
    archive = await archiveOf(id);
  });

  test('a worker creates it, and it is stored as an export, recorded, and announced', async () => {
    const { body, headers } = await app.admin.post(path(app.report.collaborator_id)).expect(202);
    expect(body).toMatchObject({ kind: 'personal_data', format: 'zip', status: 'queued', url: null, omitted: [] });
    expect(headers).toMatchObject({ location: `/v1/exports/${body.id}`, 'retry-after': '2' });
    const done = await ended(body.id);
    expect(done).toMatchObject({ status: 'completed', row_count: 1, omitted: [] });
    expect(done.filename).toMatch(/\.zip$/);
    const { headers: file } = await fetch(done.url);
    expect(file.get('content-type')).toBe('application/zip');
    const { body: entries } = await app.admin
      .get('/v1/audit')
      .query({ target_id: app.report.collaborator_id, action: 'exportPersonalData' });
    expect(entries.data[0]).toMatchObject({ actor: { user_id: app.admin.user_id }, outcome: 'succeeded' });
    const [event] = await app.database.query<{ payload: string }>(
      "select payload from events where name = 'report.created' and payload::jsonb ->> 'id' = $1",
      [body.id],
    );
    expect(JSON.parse(event!.payload)).toMatchObject({ kind: 'personal_data', format: 'zip', row_count: 1 });
  });

  test('contains all data about a person in the format of the API, and the files', async () => {
    const { files, json } = archive;
    const get = async (part: string) => (await app.admin.get(`/v1/collaborators/${id}${part}`).expect(200)).body;
    const { avatar_url: _, ...profile } = await get('');
    expect(json('profile.json')).toEqual(profile);
    expect(json('profile.json').salary).toBe(61_000);
    expect(json('status.json')).toEqual(await get('/status'));
    expect(json('notifications.json')).toEqual(await get('/notifications'));
    expect(json('saved-views.json')).toMatchObject([{ list: 'collaborators', ...view }]);
    const history = (await get('/history?limit=100')).data as { actor?: unknown }[];
    expect(json('history.json')).toEqual(history.map(({ actor: _, ...entry }) => entry)); // without names of others
    expect(json('directories.json')).toEqual([]);
    expect(files.get('photo.webp')!.subarray(8, 12).toString()).toBe('WEBP');

    const documents = json('documents.json') as { id: string; name: string; type: string; file: string }[];
    expect(documents).toHaveLength(3);
    const medical = documents.find((each) => each.id === medicalId)!;
    expect(medical).toMatchObject({ name: 'contract.pdf', type: 'medical' });
    expect(medical).not.toHaveProperty('url');
    for (const { file } of documents) expect(files.get(file)!.toString()).toMatch(/^%PDF/);
    const readme = files.get('README.txt')!.toString();
    expect(readme).toMatch(/^Personal data of Tomás Rocha\n/);
    expect(readme).toContain(id);
    for (const name of files.keys())
      if (!name.includes('/') && name !== 'README.txt') expect(readme).toContain(`\n${name} `);
  });

  test('describes the files in the person’s language', async () => {
    const { collaborator_id: reportId } = app.report;
    await app.admin.put(`/v1/collaborators/${reportId}/notifications`, { locale: 'pt-BR' }).expect(200);
    const { files } = await archiveOf(reportId);
    expect(files.get('README.txt')!.toString()).toMatch(/^Dados pessoais de Clara Sousa\n/);
  });

  test('file names of documents fit every file system', () => {
    const { files, json } = archive;
    const { file } = json('documents.json').find((each: { id: string }) => each.id === longNameId);
    expect(files.has(file)).toBe(true);
    expect(file).toMatch(/ç\.pdf$/);
    for (const name of files.keys()) expect(Buffer.byteLength(name.split('/').at(-1)!)).toBeLessThanOrEqual(255);
  });

  test('contains actions by and about the person, with only ids of others', () => {
    const { json } = archive;
    const by = json('audit-by.json') as { actor: { user_id: string; email: string } }[];
    expect(by.length).toBeGreaterThan(0);
    for (const entry of by) expect(entry).toHaveProperty('ip');
    expect(new Set(by.map(({ actor }) => actor.user_id))).toEqual(new Set([app.employee.user_id]));
    const about = json('audit-about.json') as Record<string, unknown>[];
    expect(about.map(({ action }) => action)).toContain('patchCollaborator');
    for (const entry of about) {
      for (const key of ['ip', 'user_agent']) expect(entry).not.toHaveProperty(key);
      expect(Object.keys(entry.actor as object)).toEqual(['type', 'user_id']);
    }
  });

  test('contains the account, with the apps connected to this company; null without an account', async () => {
    const account = archive.json('account.json');
    expect(account.user_id).toBe(app.employee.user_id);
    expect(account.apps.length).toBeGreaterThan(0);
    expect(Object.keys(account.apps[0])).toEqual(['name', 'since']);

    const person = { name: 'Rui Paz', email: 'rui.paz@example.com', position: 'Cook', department: 'Kitchen' };
    const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
    await app.admin.post(`/v1/collaborators/${body.id}/send-invitation`).expect(200);
    const invited = await archiveOf(body.id);
    expect(invited.json('account.json')).toBeNull();
    expect(invited.json('invitations.json')).toMatchObject([{ sent_by: app.admin.user_id }]);
    expect(invited.files.has('audit-by.json')).toBe(false);
    expect([...invited.files.values()].join('')).not.toContain('token');
  });

  test('contains what directories sent about the person, without the manager’s name', async () => {
    const directory = await addDirectory(app);
    const sent = {
      userName: 'nia.scim',
      externalId: 'okta-nia',
      displayName: 'Nia Costa',
      nickName: 'Ni',
      emails: [{ value: 'nia@personal.example', type: 'work' }],
      [enterpriseUrn]: { costCenter: '4170', manager: { value: 'boss@personal.example', displayName: 'The Boss' } },
    };
    const { body } = await directory.post('/Users', sent).expect(201);
    await directory.post('/Groups', { displayName: 'Drivers', members: [{ value: body.id }] }).expect(201);
    await directory.put(`/Users/${body.id}`, { ...sent, emails: [{ value: 'no address' }] }).expect(400);
    await directory.post('/Users', { userName: 'other', emails: [] }).expect(400);
    const { json, files } = await archiveOf(body.id);
    expect(json('directories.json')).toEqual([
      {
        directory: { id: directory.id, name: 'Okta' },
        user_name: 'nia.scim',
        external_id: 'okta-nia',
        attributes: {
          displayName: 'Nia Costa',
          nickName: 'Ni',
          emails: sent.emails,
          [enterpriseUrn]: { costCenter: '4170' },
        },
        groups: ['Drivers'],
        errors: [
          expect.objectContaining({ subject: 'nia.scim', operation: 'replaceUser', status: 400, occurrences: 1 }),
        ],
        created_at: expect.any(String),
        updated_at: expect.any(String),
        removed_at: null,
      },
    ]);
    expect(json('profile.json').managed_by).toMatchObject({ directory_name: 'Okta' });
    expect([...files.values()].join('')).not.toContain('Boss');
  });
});

test('fails with a reason if the person was deleted, or the file of a document is missing after three attempts', async () => {
  const person = { name: 'Ivo Luz', email: 'ivo.luz@example.com', position: 'Cook', department: 'Kitchen' };
  const created = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
  const { collaborator_id: managerId } = app.manager;
  const { body: document } = await upload(app.admin, managerId).expect(201);
  await app.database.query(`update documents set key = replace(key, 'documents', 'documents/x') where id = $1`, [
    document.id,
  ]);
  await worker.stop();
  const { body: deleted } = await app.admin.post(path(created.id)).expect(202);
  const { body: missing } = await app.admin.post(path(managerId)).expect(202);
  await app.admin.delete(`/v1/collaborators/${created.id}`).expect(200);
  await app.database.query('update exports set attempts = 2 where id = $1', [missing.id]);
  worker = await testWorker(app);
  expect(await ended(deleted.id)).toMatchObject({ status: 'failed', failure: expect.stringMatching(/deleted/) });
  expect(await ended(missing.id)).toMatchObject({ status: 'failed', failure: expect.stringMatching(/Export again/) });
  await app.database.query('delete from documents where id = $1', [document.id]);
});

describe('forbidden', () => {
  test.each(['manager', 'employee'] as const)('rejects the role %s', async (role) => {
    const client: TestClient = app[role];
    const { body } = await client.post(path(client.collaborator_id)).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
  });

  const scopes = ['salary:read', 'documents:read', 'history:read', 'notifications:read', 'audit:read', 'exports:read'];

  test('needs each of these scopes, and no other', async () => {
    for (const scope of scopes) {
      const client = await app.as('admin', { scopes: scopes.filter((each) => each !== scope) });
      const { body } = await client.post(path(app.employee.collaborator_id)).expect(403);
      expect([scope, body.error]).toEqual([scope, 'insufficient_scope']);
      expect(body.details.required_scopes.toSorted()).toEqual(scopes.toSorted());
    }
    const whole = await app.as('admin', { scopes });
    await whole.post(path(app.employee.collaborator_id)).expect(202);
  });
});

test('invisible to another company', async () => {
  await app.outsider.post(path(app.employee.collaborator_id)).expect(404);
  await app.admin.post(path('0199c1d8-04e6-7b93-8a5d-f27c60b913ea')).expect(404);
});
