import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const pathOf = (id: string) => `/v1/sign-in-connections/${id}`;

test('changes only the fields sent, and retained domains stay verified', async () => {
  const id = await addSignInConnection(app, { domains: ['verdelog.example', 'old.example'] });
  const change = { name: 'Entra', sign_in: 'connection', domains: ['new.example', 'verdelog.example'] };
  const before = (await app.admin.get(pathOf(id)).expect(200)).body;
  const { body } = await app.admin.patch(pathOf(id), change).expect(200);
  const { name, sign_in: signIn } = change;
  const expected = { ...before, name, sign_in: signIn, domains: expect.anything(), updated_at: expect.any(String) };
  expect(body).toEqual(expected);
  expect(body.domains).toMatchObject([
    { domain: 'new.example', verified_at: null },
    { domain: 'verdelog.example', verified_at: expect.any(String) },
  ]);
  for (const wrong of [
    { issuer: 'https://other.example' },
    { status: 'on' },
    { client_secret: '' },
    { domains: [1] },
  ]) {
    await app.admin.patch(pathOf(id), wrong).expect(400);
  }
  await app.outsider.patch(pathOf(id), change).expect(404);
});

test('with If-Match, changes only the version that was read', async () => {
  const id = await addSignInConnection(app, { domains: ['kept.example'] });
  const read = async () => (await app.admin.get(pathOf(id)).expect(200)).headers.etag!;
  const etag = await read();
  await app.database.query('update sign_in_connections set tested_at = now() where id = $1', [id]);
  await app.database.query('update sign_in_domains set verified_at = null where connection_id = $1', [id]);
  expect(await read()).toBe(etag);
  const change = (domains: string[], tag: string) => app.admin.patch(pathOf(id), { domains }).set('If-Match', tag);
  const changed = await change(['kept.example', 'first.example'], etag).expect(200);
  const { body } = await change(['kept.example', 'second.example'], etag).expect(412);
  expect(body.error).toBe('precondition_failed');
  expect((await app.admin.get(pathOf(id))).body.domains).toMatchObject([
    { domain: 'first.example' },
    { domain: 'kept.example' },
  ]);
  expect(await read()).toBe(changed.headers.etag);
  await app.admin.patch(pathOf(id), { client_secret: 'another' }).expect(200);
  await change(['kept.example'], changed.headers.etag!).expect(412);
});

test('returns 409 when enabling a connection whose client wasn’t tested', async () => {
  const id = await addSignInConnection(app);
  await app.admin.patch(pathOf(id), { client_id: 'another' }).expect(200);
  const refused = await app.admin.patch(pathOf(id), { status: 'enabled' }).expect(409);
  expect(refused.body).toMatchObject({ error: 'conflict', message: 'Test the connection before you enable it.' });
  await app.database.query('update sign_in_connections set tested_at = now() where id = $1', [id]);
  expect((await app.admin.patch(pathOf(id), { status: 'enabled' }).expect(200)).body.status).toBe('enabled');
});

test('keeps a policy of single roles, which null clears, and refuses unknown ones', async () => {
  const id = await addSignInConnection(app, { sign_in: 'connection' });
  const change = async (byRole: object) =>
    (await app.admin.patch(pathOf(id), { sign_in_by_role: byRole }).expect(200)).body.sign_in_by_role;
  expect((await app.admin.get(pathOf(id))).body.sign_in_by_role).toEqual({
    admin: null,
    manager: null,
    employee: null,
  });
  expect(await change({ admin: 'any', manager: 'connection_only' })).toEqual({
    admin: 'any',
    manager: 'connection_only',
    employee: null,
  });
  expect(await change({ manager: null })).toEqual({ admin: 'any', manager: null, employee: null });
  expect(await change({})).toEqual({ admin: 'any', manager: null, employee: null });
  for (const wrong of [{ owner: 'any' }, { admin: 'never' }, [], null]) {
    await app.admin.patch(pathOf(id), { sign_in_by_role: wrong }).expect(400);
  }
});

test('returns 409 for connection_only without an admin who has a passkey and an account', async () => {
  const id = await addSignInConnection(app, { status: 'enabled' });
  const change = { sign_in: 'connection_only' };
  expect((await app.admin.patch(pathOf(id), change).expect(409)).body.message).toContain('passkey');
  await app.admin.patch(pathOf(id), { sign_in_by_role: { admin: 'connection_only' } }).expect(409);
  await app.database.query(
    "insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports) values (gen_random_uuid(), $1, 'Key', 'AA', '\\x00', 0, '{}')",
    [app.admin.user_id],
  );
  await app.admin.patch(pathOf(id), change).expect(200);
  const policy = () => app.database.query('select policy from companies where id = $1', [app.company_id]);
  expect(await policy()).toMatchObject([{ policy: { connection_only: ['admin', 'manager', 'employee'] } }]);
});
