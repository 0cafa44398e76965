import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, type TestDirectory } from '../../helpers/resources/directories.ts';

let app: TestApp;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app, { on_create: 'invite' });
});
afterAll(() => app.close());

const address = () => `${randomUUID()}@verdelog.example`;
const invitationsOf = async (id: string) => {
  const rows = await app.database.query<{ state: string }>(
    'select state from invitations where collaborator_id = $1 order by sent_at, id',
    [id],
  );
  return rows.map(({ state }) => state);
};
const countsOf = async (id: string) => {
  const rows = await app.database.query<{ count: number }>(
    "select (payload::jsonb -> 'send_count')::int as count from events where name = 'collaborator.invited' and payload::jsonb ->> 'collaborator_id' = $1 order by created_at, id",
    [id],
  );
  return rows.map(({ count }) => count);
};
const workPath = 'emails[type eq "work"].value';

test('a changed address gets an invitation, because that to the previous address is cancelled', async () => {
  const userName = address();
  const { body } = await directory
    .post('/Users', { userName, emails: [{ value: userName, type: 'work' }] })
    .expect(201);
  const value = address();
  const change = { op: 'Replace', path: workPath, value };
  for (let i = 0; i < 2; i++) await directory.patch(`/Users/${body.id}`, change).expect(200);
  expect(await invitationsOf(body.id)).toEqual(['cancelled', 'sent']);
  expect(await countsOf(body.id)).toEqual([1, 2]);
  const [mail] = (await app.admin.get(`/v1/collaborators/${body.id}/history`).expect(200)).body.data;
  expect(mail.description).toBe(`Invitation sent to ${value}`);
});

test('nobody is invited at a changed address by a directory that leaves invitations to people', async () => {
  const quiet = await addDirectory(app);
  const { id } = (await quiet.post('/Users', { userName: address() }).expect(201)).body;
  await quiet.patch(`/Users/${id}`, { op: 'Add', path: workPath, value: address() }).expect(200);
  expect(await invitationsOf(id)).toEqual([]);
});

test('the invitation of a directory replaces the previous one', async () => {
  const email = address();
  const fields = { name: 'Ada Silva', email, position: 'Lead', department: 'Fleet' };
  const { id } = (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`, {}).expect(200);
  await directory.post('/Users', { userName: email }).expect(201);
  expect(await invitationsOf(id)).toEqual(['cancelled', 'sent']);
  expect(await countsOf(id)).toEqual([1, 2]);
});
