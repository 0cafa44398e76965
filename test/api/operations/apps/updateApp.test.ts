import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addApp(app, { scopes: ['profile'], visibility: 'everyone', approved_at: '2026-01-01T00:00:00.000Z' });
});
afterEach(async () => {
  await app.database.query('delete from oauth_grants where client_id = $1', [id]);
  await app.database.query('delete from oauth_clients where company_id is not null');
});

const put = (body: unknown) => app.admin.put(`/v1/apps/${id}`, body);

describe('succeeds', () => {
  test('changes only the fields sent', async () => {
    const before = (await app.admin.get(`/v1/apps/${id}`).expect(200)).body;
    const change = { description: 'Plans', visibility: 'company' };
    const { body } = await put(change).expect(200);
    expect(body).toEqual({ ...before, ...change, updated_at: expect.any(String) });
    expect(body.updated_at).not.toBe(before.updated_at);
    expect((await put({}).expect(200)).body).toEqual(body);
    expect((await put(change).expect(200)).body).toEqual(body);
    expect((await put({ scopes: null, description: null }).expect(200)).body).toMatchObject({
      scopes: null,
      description: null,
    });
  });

  test('with If-Match, changes only the version that was read', async () => {
    const { headers } = await app.admin.get(`/v1/apps/${id}`).expect(200);
    const { headers: changed } = await put({ description: 'Plans' }).expect(200);
    expect(changed.etag).not.toBe(headers.etag);
    const late = await put({ name: 'Late' }).set('If-Match', headers.etag!).expect(412);
    expect(late.body.error).toBe('precondition_failed');
    expect(late.body.message).toBe('The app has changed since you read it. Read it again.');
    const { headers: read, body } = await app.admin.get(`/v1/apps/${id}`).expect(200);
    expect([read.etag, body.name]).toEqual([changed.etag, 'Shift planner']);
    await put({ name: 'In time' }).set('If-Match', `"other", ${read.etag}`).expect(200);
    await put({ name: 'Any' }).set('If-Match', '*').expect(200);
  });

  test('removing a scope takes it from existing tokens long before caches expire; adding one affects only new tokens', async () => {
    const { user_id: userId, company_id: companyId } = app.employee;
    const issued = {
      user_id: userId,
      company_ids: [companyId],
      client_id: id,
      scopes: ['profile', 'collaborators:read'],
    };
    await put({ scopes: ['profile', 'collaborators:read'] }).expect(200);
    const holder = await app.as('employee', issued);
    const own = `/v1/collaborators/${app.employee.collaborator_id}`;
    await holder.get(own).expect(200);
    await put({ scopes: ['profile', 'salary:read'] }).expect(200);
    await eventually(async () => {
      const { body } = await holder.get(own).expect(403);
      expect(body.error).toBe('insufficient_scope');
    });
    expect((await holder.get('/auth/user').expect(200)).body.scopes).toEqual(['profile']);
    const fresh = await app.as('employee', { ...issued, scopes: ['profile', 'salary:read'] });
    expect((await fresh.get('/auth/user').expect(200)).body.scopes.sort()).toEqual(['profile', 'salary:read']);
    await put({ scopes: null }).expect(200);
    await eventually(async () => {
      await holder.get(own).expect(200);
    });
    expect((await holder.get('/auth/user').expect(200)).body.scopes).toEqual(['profile', 'collaborators:read']);
  });

  test.each([
    { name: 'Your bank' },
    { website: 'https://elsewhere.example' },
    { logo_url: 'https://elsewhere.example/logo.png' },
    { redirect_uris: ['https://elsewhere.example/'] },
    { scopes: ['profile', 'salary:read'] },
    { scopes: null },
  ])('changing %j revokes the operator’s approval', async (change) => {
    expect((await put({ description: 'Plans' }).expect(200)).body.approved_at).not.toBeNull();
    expect((await put(change).expect(200)).body).toMatchObject({ ...change, approved_at: null });
  });
});

describe('refuses bad input', () => {
  test.each([
    [{ name: null }, 'name', 'not_clearable'],
    [{ name: 'Pay\u200broll' }, 'name', 'invalid_format'],
    [{ redirect_uris: null }, 'redirect_uris', 'not_clearable'],
    [{ redirect_uris: ['http://planner.example/'] }, 'redirect_uris.0', 'invalid_format'],
    [{ redirect_uris: ['com.example:/'] }, 'redirect_uris.0', 'invalid_format'],
    [{ scopes: ['everything'] }, 'scopes.0', 'not_in_enum'],
    [{ kind: 'public' }, 'kind', 'field_not_allowed'],
    [{ approved_at: '2027-01-01T00:00:00.000Z' }, 'approved_at', 'field_not_allowed'],
    [{ client_secret: 'mine' }, 'client_secret', 'field_not_allowed'],
  ])('rejects %j', async (change, field, code) => {
    const { body } = await put(change).expect(400);
    expect(body.details).toEqual({ [field]: [expect.objectContaining({ code })] });
  });
});

test('forbidden by role: only admins can update', async () => {
  for (const client of [app.manager, app.employee]) await client.put(`/v1/apps/${id}`, {}).expect(403);
});

test('invisible to another company', async () => {
  await app.outsider.put(`/v1/apps/${id}`, { name: 'Mine' }).expect(404);
  expect((await app.admin.get(`/v1/apps/${id}`).expect(200)).body.name).toBe('Shift planner');
});
