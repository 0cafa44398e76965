import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addConnection } from '../../../helpers/database/connections.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/connections/${id}`;

describe('succeeds', () => {
  test('shows app, user, scopes, and time, and when and from where it was last used', async () => {
    const clientId = await addApp(app, { name: 'Shift planner' });
    const grantId = randomUUID();
    const connected = await app.as('employee', {
      client_id: clientId,
      grant_id: grantId,
      scopes: ['collaborators:read'],
    });
    const before = (await app.admin.get(path(grantId)).expect(200)).body;
    expect(before).toEqual({
      id: grantId,
      kind: 'person',
      role: null,
      app: {
        client_id: clientId,
        name: 'Shift planner',
        website: null,
        made_by: 'company',
        company_name: 'Verde Logística',
      },
      allowed_by: { user_id: connected.user_id, collaborator_id: connected.collaborator_id, name: 'Tomás Rocha' },
      scopes: ['collaborators:read'],
      suspended_at: null,
      confirmation_requested_at: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      expires_at: null,
      last_used_at: null,
      last_ip: null,
    });
    const earliest = Date.now() - (Date.now() % 60_000);
    await connected.get('/v1/collaborators').expect(200);
    await app.uses.flush();
    const { last_used_at: lastUsedAt, last_ip: lastIp } = (await app.employee.get(path(grantId)).expect(200)).body;
    expect(lastIp).toBe('127.0.0.1');
    expect(lastUsedAt).toMatch(/:00\.000Z$/);
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(earliest);
    expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now());
  });

  test('hides the usage in one company from another', async () => {
    const grantId = randomUUID();
    const companyIds = [app.company_id, app.outsider.company_id];
    const both = await app.as('employee', { grant_id: grantId, company_ids: companyIds });
    await both.get('/v1/collaborators').expect(200);
    await app.uses.flush();
    expect((await app.admin.get(path(grantId)).expect(200)).body).toMatchObject({
      last_used_at: expect.any(String),
      last_ip: '127.0.0.1',
      allowed_by: { name: 'Tomás Rocha' },
    });
    expect((await app.outsider.get(path(grantId)).expect(200)).body).toMatchObject({
      last_used_at: null,
      last_ip: null,
      allowed_by: { name: null, collaborator_id: null },
    });
  });

  test.each([
    ['operator', async () => 'test-client', null],
    [
      'other_company',
      () => addApp({ database: app.database, company_id: app.outsider.company_id }),
      'Nordwind Spedition',
    ],
  ])('shows that the app was made by %s', async (madeBy, client, companyName) => {
    const id = await addConnection(app, { client_id: await client() });
    expect((await app.admin.get(path(id)).expect(200)).body.app).toMatchObject({
      made_by: madeBy,
      company_name: companyName,
    });
  });
});

test('refuses bad input: an unknown id', async () => {
  for (const id of ['nothing', 'a%00b']) await app.admin.get(path(id)).expect(404);
});

test('forbidden by role: only admins see connections of others', async () => {
  const id = await addConnection(app);
  for (const client of [app.manager, app.employee]) await client.get(path(id)).expect(404);
  await app.admin.get(path(id)).expect(200);
});

test('invisible to another company', async () => {
  const id = await addConnection(app);
  const foreign = await app.outsider.get(path(id)).expect(404);
  expect(foreign.text).toBe((await app.outsider.get(path(randomUUID())).expect(404)).text);
  await app.admin.get(path(id)).expect(200);
});
