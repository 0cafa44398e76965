import { runOnce } from '../../../src/api/http/responses/idempotency.ts';
import { isReplay } from '../../../src/api/http/responses/replay.ts';
import { notFound } from '../../../src/contract/problem.ts';
import { responseContext } from '../../../src/platform/secrets/response-context.ts';
import { vault } from '../../../src/platform/secrets/secrets.ts';
import { removeOldIdempotencyKeys } from '../../../src/worker/tasks/cleanup/idempotency-keys.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { maskIds } from '../../helpers/contract/mask-ids.ts';
import { eventually } from '../../helpers/eventually.ts';

const path = '/v1/collaborators';
let app: TestApp;
let serial = 0;
const person = () => ({ name: 'Ike Idem', email: `ike${++serial}@example.com`, position: 'x', department: 'y' });
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const keyed = (key: string, body: object, client = app.admin) => client.post(path, body).set('Idempotency-Key', key);

test('the same key and body run once and get the same response', async () => {
  const body = person();
  const first = await keyed('a-1', body).expect(201);
  const second = await keyed('a-1', body).expect(201);
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(second.body).toEqual(first.body);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect(second.headers.location).toBe(first.headers.location);
  expect(await app.database.query('select 1 from collaborators where email = $1', [body.email])).toHaveLength(1);
});

test('member order, white space, and escapes don’t matter for the body', async () => {
  const { name, email, position, department } = person();
  const contact = { name: 'Ana', phone: '+1 22', relationship: 'sister' };
  const first = { name, email, position, department, emergency_contact: contact };
  const second = {
    emergency_contact: { relationship: 'sister', name: 'Ana', phone: '+1 22' },
    department,
    position,
    email,
    name,
  };
  const sent = await keyed('a-2', first).expect(201);
  const texts = [
    JSON.stringify(second),
    JSON.stringify(second, null, 4),
    JSON.stringify(first).replace('I', '\\u0049'),
  ];
  for (const text of texts) {
    const replay = await keyed('a-2', text as never)
      .set('Content-Type', 'application/json')
      .expect(201);
    expect([replay.headers['idempotency-replayed'], replay.body]).toEqual(['true', sent.body]);
  }
  await keyed('a-2', { ...second, emergency_contact: { ...contact, name: '+1 22', phone: 'Ana' } }).expect(422);
});

test('the order of lists matters', async () => {
  const items = [person(), person()];
  const sendRequest = (list: object[]) =>
    app.admin.post(`${path}/bulk`, { mode: 'create', items: list }).set('Idempotency-Key', 'a-3');
  await sendRequest(items).expect(200);
  await sendRequest(items.toReversed()).expect(422);
});

// No operation has both a key and two query parameters yet.
test('the order of query parameters doesn’t matter', async () => {
  const of = {
    key: 'a-4',
    client_id: 'x',
    user_id: app.admin.user_id,
    role: 'admin',
    scopes: [],
    method: 'POST',
    path,
  };
  const run = async () => ({ status: 200, body: {} });
  const sendRequest = (query: object) => {
    const keyed = { ...of, query, body: undefined, language: () => 'en' as const };
    return runOnce(
      app.database.db.tenant(app.company_id),
      vault(app.config.encryption_keys, 'kept-answers'),
      keyed,
      run,
    );
  };
  expect(isReplay(await sendRequest({ wait: 'true', format: 'flat' }))).toBe(false);
  expect(isReplay(await sendRequest({ format: 'flat', wait: 'true' }))).toBe(true);
  await expect(sendRequest({ format: 'true', wait: 'flat' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('another body returns 422 and writes nothing', async () => {
  await keyed('b-1', person()).expect(201);
  const other = person();
  expect((await keyed('b-1', other).expect(422)).body.error).toBe('idempotency_key_reused');
  expect(await app.database.query('select 1 from collaborators where email = $1', [other.email])).toEqual([]);
});

test('another path, client, or company makes another key', async () => {
  const body = person();
  await keyed('c-1', body).expect(201);
  await app.database.query("insert into oauth_clients (id, name, redirect_uris) values ('other', 'Other', '{}')");
  await keyed('c-1', person(), await app.as('admin', { client_id: 'other' })).expect(201);
  await keyed('c-1', body, app.outsider).expect(201);
  const response = await app.admin
    .patch(`${path}/${app.report.collaborator_id}`, { phone: '+1 23' })
    .set('Idempotency-Key', 'c-1')
    .expect(200);
  expect(response.headers).not.toHaveProperty('idempotency-replayed');
});

test('of concurrent requests with the same key, one runs', async () => {
  const body = person();
  const responses = await Promise.all(Array.from({ length: 10 }, () => keyed('d-1', body)));
  for (const { status, headers, body: response } of responses) {
    if (status === 201) continue;
    expect([status, response.error, headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
  }
  expect(responses.some(({ status }) => status === 201)).toBe(true);
  expect(await app.database.query('select 1 from collaborators where email = $1', [body.email])).toHaveLength(1);
  await keyed('d-1', body).expect(201);
});

test('stores errors that a retry would repeat (404, 409), and changes nothing', async () => {
  const id = app.admin.collaborator_id;
  const before = await app.admin.get(`${path}/${id}`).expect(200);
  const demote = () => app.admin.post(`${path}/${id}/role`, { role: 'employee' }).set('Idempotency-Key', 'e-1');
  const first = await demote().expect(409);
  await app.database.query("update collaborators set role = 'admin' where id = $1", [app.manager.collaborator_id]);
  const second = await demote().expect(409);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(second.body).toEqual(first.body);
  expect((await app.admin.get(`${path}/${id}`).expect(200)).headers.etag).toBe(before.headers.etag);
});

test('stores a 404 of the work, and rolls back what it wrote', async () => {
  const tenant = app.database.db.tenant(app.company_id);
  const sender = { client_id: 'x', user_id: app.admin.user_id, role: 'admin', scopes: [], method: 'POST', path };
  const keyed = { ...sender, key: 'e-2', query: {}, body: undefined, language: () => 'en' as const };
  const location = 'Rolled back';
  let runs = 0;
  const send = () =>
    runOnce(tenant, vault(app.config.encryption_keys, 'kept-answers'), keyed, async (tx) => {
      runs += 1;
      await tx.updateTable('collaborators').set({ location }).where('id', '=', app.report.collaborator_id).execute();
      throw notFound();
    });
  for (let n = 0; n < 2; n++) await expect(send()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  expect(runs).toBe(1);
  expect(await app.database.query('select 1 from collaborators where location = $1', [location])).toEqual([]);
});

test('doesn’t store correctable errors such as 400 and 403', async () => {
  const body = person();
  await keyed('f-1', { ...body, name: '' }).expect(400);
  await keyed('f-1', { ...body, manager_id: 'nobody' }).expect(400);
  await keyed('f-1', body, await app.as('admin', { scopes: ['profile'] })).expect(403);
  await keyed('f-1', body).expect(201);
});

test('the key is free after 24 hours', async () => {
  await keyed('g-1', person()).expect(201);
  await app.database.query("update idempotency_keys set created_at = now() - interval '23 h'");
  await keyed('g-1', person()).expect(422);
  await app.database.query("update idempotency_keys set created_at = now() - interval '25 h'");
  const { headers } = await keyed('g-1', person()).expect(201);
  expect(headers).not.toHaveProperty('idempotency-replayed');
});

test('deletes expired keys only', async () => {
  await keyed('k-old', person()).expect(201);
  await app.database.query("update idempotency_keys set created_at = now() - interval '25 h'");
  const body = person();
  await keyed('k-new', body).expect(201);
  expect(await removeOldIdempotencyKeys(app.database.db)).toBeGreaterThan(0);
  expect(await app.database.query('select 1 from idempotency_keys')).toHaveLength(1);
  expect((await keyed('k-new', body).expect(201)).headers['idempotency-replayed']).toBe('true');
});

test('a replay needs the same permissions as the request', async () => {
  const body = person();
  await keyed('h-1', body).expect(201);
  await keyed('h-1', body, await app.as('admin', { scopes: ['profile'] })).expect(403);
});

test('rejects a key that is too long or not printable', async () => {
  const { body } = await keyed('x'.repeat(256), person()).expect(400);
  expect(Object.keys(body.details)).toEqual(['Idempotency-Key']);
  expect(body.message).toContain('Idempotency-Key');
  await keyed('schlüssel', person()).expect(400);
});

test('writes event and history entry once', async () => {
  const body = person();
  const { id } = (await keyed('i-1', body).expect(201)).body;
  await keyed('i-1', body).expect(201);
  expect(await app.database.query("select 1 from events where payload::json->>'id' = $1", [id])).toHaveLength(1);
  expect(await app.database.query('select 1 from collaborator_history where collaborator_id = $1', [id])).toHaveLength(
    1,
  );
});

test('updates the company’s count once', async () => {
  const total = async () => (await app.admin.get(path)).body.meta.total;
  const before = await total();
  const body = person();
  await keyed('j-1', body).expect(201);
  await keyed('j-1', body).expect(201);
  expect(await total()).toBe(before + 1);
});

test('encrypts stored responses', async () => {
  const body = { ...person(), phone: '+351 912 345 678' };
  const first = await keyed('l-1', body).expect(201);
  const rows = await app.database.query(
    'select * from idempotency_keys where created_at = (select max(created_at) from idempotency_keys)',
  );
  expect(rows).toHaveLength(1);
  const texts = Object.values(rows[0]!).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
  );
  expect(texts.length).toBeGreaterThan(4);
  for (const text of texts) expect(text).not.toMatch(/ike\d+@|Ike Idem|912 345/);
  const second = await keyed('l-1', body).expect(201);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(second.text).toBe(first.text);
  expect(second.body.email).toBe(body.email);
});

test('replays a response stored by an earlier version unchanged', async () => {
  const body = person();
  await keyed('n-1', body).expect(201);
  const [row] = await app.database.query<{ key_hash: Buffer; body_encrypted: Buffer }>(
    'select key_hash, body_encrypted from idempotency_keys order by created_at desc limit 1',
  );
  const box = vault(app.config.encryption_keys, 'kept-answers');
  const context = responseContext(app.company_id, row!.key_hash);
  const { department: _, ...earlier } = JSON.parse(box.open(row!.body_encrypted, context));
  await app.database.query('update idempotency_keys set body_encrypted = $2 where key_hash = $1', [
    row!.key_hash,
    box.seal(JSON.stringify(earlier), context),
  ]);
  const replay = await keyed('n-1', body).expect(201);
  expect(replay.body).toEqual(earlier);
});

test('the same response is encrypted differently for each key, and a modified one is never returned', async () => {
  const id = app.manager.collaborator_id;
  const rename = (key: string) => app.admin.patch(`${path}/${id}`, { location: 'Porto' }).set('Idempotency-Key', key);
  await rename('m-0').expect(200);
  await app.database.query('delete from idempotency_keys');
  await rename('m-1').expect(200);
  await rename('m-2').expect(200);
  const storedRows = await app.database.query<{ body_encrypted: Buffer }>(
    'select body_encrypted from idempotency_keys',
  );
  expect(storedRows).toHaveLength(2);
  expect(storedRows[0]!.body_encrypted.length).toBe(storedRows[1]!.body_encrypted.length);
  expect(storedRows[0]!.body_encrypted.equals(storedRows[1]!.body_encrypted)).toBe(false);
  await app.database.query(
    'update idempotency_keys set body_encrypted = set_byte(body_encrypted, 40, get_byte(body_encrypted, 40) # 1)',
  );
  const { body } = await rename('m-1').expect(500);
  expect(body.error).toBe('internal_error');
});

describe('permissions', () => {
  let own: TestApp;
  beforeAll(async () => {
    own = await testApp();
  });
  afterAll(() => own.close());

  test('another user of the same client has separate keys, and never gets that response', async () => {
    const target = `${path}/${own.report.collaborator_id}`;
    const move = (client: TestClient) => client.patch(target, { location: 'Faro' }).set('Idempotency-Key', 'n-1');
    expect((await move(own.admin).expect(200)).body).toHaveProperty('salary');
    const { body, headers } = await move(own.manager).expect(200);
    expect(headers).not.toHaveProperty('idempotency-replayed');
    expect(body).not.toHaveProperty('salary');
  });

  test('the same user with other scopes or another role gets 422 without the response', async () => {
    const target = `${path}/${own.report.collaborator_id}`;
    const scopes = ['collaborators:read', 'collaborators:write', 'salary:read'];
    const move = (client: TestClient) => client.patch(target, { location: 'Lagos' }).set('Idempotency-Key', 'n-2');
    const first = await own.as('admin', { scopes });
    expect((await move(first).expect(200)).body).toHaveProperty('salary');
    const refused = async (client: TestClient) => {
      const { body, text } = await move(client).expect(422);
      expect(body.error).toBe('idempotency_key_reused');
      expect(maskIds(text)).not.toContain('48000');
    };
    await refused(await own.as('admin', { scopes: scopes.slice(0, 2) }));
    await refused(await own.as('admin', { scopes: [...scopes, 'history:read'] }));
    const replay = await move(await own.as('admin', { scopes: scopes.toReversed() })).expect(200);
    expect(replay.headers['idempotency-replayed']).toBe('true');
    const phone = (client: TestClient) => client.patch(target, { phone: '+1 23' }).set('Idempotency-Key', 'n-3');
    await phone(own.manager).expect(200);
    await own.admin.post(`${path}/${own.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
    await eventually(async () => {
      expect((await phone(own.manager).expect(422)).body.error).toBe('idempotency_key_reused');
    });
  });

  test('a replay that shows a salary is recorded like the first response', async () => {
    const target = `${path}/${own.report.collaborator_id}`;
    const send = () => own.admin.patch(target, { location: 'Tavira' }).set('Idempotency-Key', 'n-4').expect(200);
    await send();
    await own.audit.flush();
    await own.database.query("delete from audit_log where action = 'salary.read'");
    expect((await send()).headers['idempotency-replayed']).toBe('true');
    await own.audit.flush();
    const storedRows = await own.database.query("select details from audit_log where action = 'salary.read'");
    expect(storedRows).toMatchObject([{ details: { operation_id: 'patchCollaborator' } }]);
  });
});
