/** Attackers without a token, with the token of another directory, or with a valid token and malicious requests. */
import { randomUUID } from 'node:crypto';
import { newScannable } from '../../../src/platform/secrets/scannable.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  addDirectory,
  directoryClient,
  enterpriseUrn,
  type TestDirectory,
} from '../../helpers/resources/directories.ts';

let app: TestApp;
let directory: TestDirectory;
let foreign: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app);
  foreign = await addDirectory({ ...app, company_id: app.outsider.company_id });
});
afterAll(() => app.close());

const address = () => `${randomUUID()}@verdelog.example`;
const add = async (provider = directory) =>
  (await provider.post('/Users', { userName: address() }).expect(201)).body.id as string;
/** Sends a body as written, which the client of a provider wouldn't. */
const postRaw = (raw: string, type = 'application/scim+json') =>
  app.anon
    .post(`/scim/v2/${directory.id}/Users`)
    .set({ Authorization: `Bearer ${directory.token}`, 'Content-Type': type })
    .send(raw);
const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;

describe('tokens', () => {
  test('returns the same response for missing, wrong, and foreign tokens and unknown directories', async () => {
    const clients = [
      directoryClient(app.base_url, directory.id, newScannable('directory_token')),
      directoryClient(app.base_url, directory.id, foreign.token),
      directoryClient(app.base_url, randomUUID(), directory.token),
      directoryClient(app.base_url, 'x', directory.token),
      directoryClient(app.base_url, directory.id, app.admin.token),
    ];
    const requests = [
      ...clients.map((client) => client.get('/Users')),
      ...clients.slice(0, 1).map((client) => client.get('/Users').unset('Authorization')),
    ];
    const responses = await Promise.all(requests.map((request) => request.expect(401)));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    for (const { headers } of responses) expect(headers['www-authenticate']).toBe('Bearer realm="scim"');
  });

  test('a directory token gives access to nothing else', async () => {
    for (const path of [
      '/v1/collaborators',
      `/v1/directories/${directory.id}`,
      '/auth/user',
      '/oauth/userinfo',
      '/mcp',
    ]) {
      const request = path === '/mcp' ? app.anon.post(path).send({}) : app.anon.get(path);
      const { status } = await request
        .set('Authorization', `Bearer ${directory.token}`)
        .set('X-Company-Id', app.company_id);
      expect([path, status]).toEqual([path, 401]);
    }
    await directoryClient(app.base_url, foreign.id, directory.token).get('/Users').expect(401);
    await directory.get('/Users').expect(200);
  });

  test('after rotation, the old token stays valid for a day, or expires immediately', async () => {
    const { body: created } = await app.admin.post('/v1/directories', { name: 'Keycloak' }).expect(201);
    const first = directoryClient(app.base_url, created.id, created.token);
    const rotate = async (body?: object) =>
      (await app.admin.post(`/v1/directories/${created.id}/rotate-token`, body).expect(200)).body;
    const { token, previous_token_expires_at: until } = await rotate();
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await first.get('/Users').expect(200);
    await directoryClient(app.base_url, created.id, token).get('/Users').expect(200);
    const { token: newest } = await rotate({ immediately: true });
    await first.get('/Users').expect(401);
    await directoryClient(app.base_url, created.id, token).get('/Users').expect(401);
    const last = directoryClient(app.base_url, created.id, newest);
    await last.get('/Users').expect(200);
    await app.database.query(
      "update directories set previous_token_hash = token_hash, previous_token_expires_at = now() - interval '1 second', token_hash = decode(repeat('00', 32), 'hex') where id = $1",
      [created.id],
    );
    await last.get('/Users').expect(401);
    await app.admin.delete(`/v1/directories/${created.id}`).expect(200);
    await last.get('/Users').expect(401);
  });

  test('tokens aren’t stored in plain text', async () => {
    const rows = await app.database.query('select directories::text as text from directories where id = $1', [
      directory.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(directory.token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(directory.token).toString('hex'));
  });
});

describe('another company', () => {
  test('has people and groups that don’t exist here', async () => {
    const id = await add();
    const { body: group } = await directory
      .post('/Groups', { displayName: 'Secret', members: [{ value: id }] })
      .expect(201);
    const nothing = JSON.stringify((await foreign.get(`/Users/${randomUUID()}`).expect(404)).body);
    const responses = await Promise.all([
      foreign.get(`/Users/${id}`),
      foreign.put(`/Users/${id}`, { userName: address() }),
      foreign.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
      foreign.delete(`/Users/${id}`),
      foreign.get(`/Groups/${group.id}`),
      foreign.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members' }),
      foreign.delete(`/Groups/${group.id}`),
    ]);
    for (const { status, body } of responses) expect([status, JSON.stringify(body)]).toEqual([404, nothing]);
    expect(await record(id)).toMatchObject({ status: 'pending' });
    const { body: kept } = await directory.get(`/Groups/${group.id}`).expect(200);
    expect(kept).toMatchObject({ displayName: 'Secret', members: [{ value: id }] });
  });

  test('doesn’t reserve its emails and keys', async () => {
    const sent = { userName: address(), externalId: randomUUID() };
    await directory.post('/Users', sent).expect(201);
    await directory.post('/Users', { ...sent, userName: address() }).expect(409);
    await foreign.post('/Users', sent).expect(201);
    const { email: otherEmail } = await record(app.employee.collaborator_id);
    const { body } = await foreign.post('/Users', { userName: otherEmail }).expect(201);
    expect(body.id).not.toBe(app.employee.collaborator_id);
    expect(await record(app.employee.collaborator_id)).toMatchObject({ status: 'active', email: otherEmail });
  });

  test('has admins who can’t see the directory', async () => {
    await app.outsider.get(`/v1/directories/${directory.id}`).expect(404);
    await app.outsider.delete(`/v1/directories/${directory.id}`).expect(404);
    await app.outsider.get(`/v1/directories/${directory.id}/errors`).expect(404);
  });

  test('has managers who don’t exist here', async () => {
    const manager = await add();
    const managerOf = async (provider: TestDirectory) => {
      const sent = { userName: address(), [enterpriseUrn]: { manager: { value: manager } } };
      const { id } = (await provider.post('/Users', sent).expect(201)).body;
      return (await app.database.query('select manager_id from collaborators where id = $1', [id]))[0]!.manager_id;
    };
    expect(await managerOf(directory)).toBe(manager);
    expect(await managerOf(foreign)).toBeNull();
  });
});

describe('privileges', () => {
  test('a directory can’t make anyone an admin by an attribute', async () => {
    const { body } = await directory
      .post('/Users', { userName: address(), roles: [{ value: 'admin', primary: true }], role: 'admin', salary: 1 })
      .expect(201);
    expect(await record(body.id)).toMatchObject({ role: 'employee', salary: null });
  });

  test('the last admin can’t be deactivated or deleted', async () => {
    const { email } = await record(app.admin.collaborator_id);
    const { body } = await directory.post('/Users', { userName: email }).expect(201);
    expect(body.id).toBe(app.admin.collaborator_id);
    const refused = await directory
      .patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false })
      .expect(409);
    expect(refused.body).toMatchObject({ status: '409', detail: expect.stringContaining('admin') });
    await directory.delete(`/Users/${body.id}`).expect(409);
    await app.admin.get('/v1/permissions').expect(200);
  });

  test('the email of an admin who hasn’t accepted yet can’t be changed', async () => {
    const id = await add();
    await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'admin' }).expect(200);
    await directory
      .patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: 'thief@evil.example' }] })
      .expect(403);
    expect((await record(id)).email).not.toContain('evil');
  });

  test('a member signs in as before until they confirm another email', async () => {
    const { email, name } = await record(app.report.collaborator_id);
    const { body } = await directory.post('/Users', { userName: email, displayName: name }).expect(201);
    await directory
      .patch(`/Users/${body.id}`, { op: 'add', path: 'emails', value: [{ value: 'thief@evil.example', type: 'work' }] })
      .expect(200);
    const [user] = await app.database.query('select email from users where id = $1', [app.report.user_id]);
    expect(user).toEqual({ email });
  });
});

describe('a leaver', () => {
  test('loses access as soon as processes are notified', async () => {
    const { email } = await record(app.employee.collaborator_id);
    const { body } = await directory.post('/Users', { userName: email }).expect(201);
    await app.employee.get('/v1/permissions').expect(200);
    await directory.patch(`/Users/${body.id}`, { op: 'Replace', path: 'active', value: 'False' }).expect(200);
    await eventually(async () => {
      const { status } = await app.employee.get('/v1/permissions');
      expect([401, 403]).toContain(status);
    });
    const events = await app.database.query(
      "select 1 from events where name = 'collaborator.status_changed' and payload::json ->> 'collaborator_id' = $1",
      [body.id],
    );
    expect(events).toHaveLength(1);
    const [grant] = await app.database.query('select company_ids from oauth_grants where user_id = $1', [
      app.employee.user_id,
    ]);
    expect(grant).toEqual({ company_ids: [] });
  });
});

describe('bodies', () => {
  let id: string;
  beforeAll(async () => {
    id = await add();
  });
  const polluted = () => ({}) as Record<string, unknown>;

  test.each<object>([
    { op: 'add', path: '__proto__.polluted', value: 'yes' },
    { op: 'add', path: 'constructor.prototype.polluted', value: 'yes' },
    { op: 'replace', path: 'name.__PROTO__.polluted', value: 'yes' },
    { op: 'add', path: 'urn:acme:2.0:User:__proto__.polluted', value: 'yes' },
    { op: 'add', value: { 'name.__proto__.polluted': 'yes' } },
    { op: 'add', value: { constructor: { prototype: { polluted: 'yes' } } } },
    { op: 'add', path: 'emails[__proto__ eq "x"].polluted', value: 'yes' },
  ])('can’t pollute prototypes: %j', async (operation) => {
    await directory.patch(`/Users/${id}`, operation).expect(400);
    expect(polluted().polluted).toBeUndefined();
  });

  test('with a raw __proto__ member are rejected', async () => {
    const raw = `{"userName":"${address()}","__proto__":{"polluted":"yes"}}`;
    const { body } = await postRaw(raw).expect(400);
    expect(body.scimType).toBe('invalidPath');
    expect(polluted().polluted).toBeUndefined();
    await postRaw(raw.replace('__proto__', 'urn:acme:2.0:User')).expect(201);
  });

  test.each([
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', value: { 'emails[type eq "work"]': 'x' } }, 'noTarget'],
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'emails[type eq "home"', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'userName.x.y', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'x'.repeat(600), value: 'x' }, 'invalidPath'],
  ])('with an invalid operation are rejected: %j', async (operation, scimType) => {
    const { body } = await directory.patch(`/Users/${id}`, operation);
    expect([body.status, body.scimType]).toEqual(['400', scimType]);
  });

  test('are limited to 16,384 characters per person, 200 operations, 32 levels (6 per person), and JSON', async () => {
    const refused = async (request: ReturnType<typeof postRaw>) => (await request.expect(400)).body.detail;
    const long = (characters: number) => ({ userName: address(), nickName: 'x'.repeat(characters) });
    expect(await refused(directory.post('/Users', long(16_384)))).toContain('16384 characters');
    await directory.post('/Users', long(16_200)).expect(201);
    const operations = (count: number) => Array(count).fill({ op: 'replace', path: 'title', value: 'x' });
    expect(await refused(directory.patch(`/Users/${id}`, ...operations(201)))).toContain('200 operations');
    await directory.patch(`/Users/${id}`, ...operations(200)).expect(200);
    const nested = (levels: number) =>
      postRaw(
        `{"userName":"${address()}","urn:acme:2.0:User":${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}}`,
      );
    expect(await refused(nested(33))).toContain('deeper than 32 levels');
    expect(await refused(nested(32))).toContain('attributes are nested too deeply');
    await nested(6).expect(201);
    await postRaw(`{"userName":"${address()}"}`, 'text/xml').expect(415);
    await postRaw('[1]').expect(400);
    await postRaw('{').expect(400);
    await postRaw(`{"userName":"${address()}"}`).expect(201);
  });

  test('for unsupported features get a SCIM error', async () => {
    for (const [path, status] of [
      ['/Me', 501],
      ['/Bulk', 501],
      ['/Users/.search', 501],
      ['/Devices', 404],
    ] as const) {
      const { body } = await directory.post(path, {}).expect(status);
      expect(body.status).toBe(String(status));
      expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    }
  });
});

test('beyond the rate limit, returns 429 with Retry-After and keeps the errors of people', async () => {
  const narrow = await testApp({ RATE_LIMIT_DIRECTORY_PER_MIN: '5' });
  try {
    const provider = await addDirectory(narrow);
    const userName = address();
    await provider.post('/Users', { userName, displayName: 'A\nB' }).expect(400);
    const responses = [];
    for (let i = 0; i < 5; i++) responses.push(await provider.post('/Users', { userName }));
    expect(responses.map(({ status }) => status)).toEqual([201, 409, 409, 409, 429]);
    const refused = responses.at(-1)!;
    const { body: errors } = await narrow.admin.get(`/v1/directories/${provider.id}/errors`).expect(200);
    expect(errors.data).toMatchObject([{ subject: userName, status: 409 }]);
    expect(refused.body).toMatchObject({ status: '429', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await narrow.close();
  }
});
