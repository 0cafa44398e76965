/** Attacks on a sensitive field: its value never reaches callers without access. */
import { randomUUID } from 'node:crypto';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
const path = '/v1/collaborators';
const secret = 'IBAN-4711-QUIRIN';
let id: string;
/** An admin whose token has every scope except the one for sensitive fields. */
let without: TestClient;

beforeAll(async () => {
  app = await testApp();
  await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true, read: 'employee', unique: true });
  await defineField(app.admin, { key: 'size', type: 'number', read: 'employee' });
  id = app.report.collaborator_id;
  await app.admin.patch(`${path}/${id}`, { custom_fields: { iban: secret, size: 1 } }).expect(200);
  const { scopes } = await import('../../../src/identity/grants/scopes.ts');
  without = await app.as('admin', {
    scopes: Object.keys(scopes).filter((scope) => scope !== 'custom_fields:sensitive'),
  });
});
afterAll(() => app.close());

const everywhere = [
  () => `${path}/${id}`,
  () => `${path}/${id}?fields=custom_fields.iban`,
  () => `${path}?limit=100`,
  () => `${path}?search=QUIRIN`,
  () => `${path}/${id}/history`,
  () => '/v1/events?limit=100',
  () => '/v1/audit?limit=100',
  () => '/v1/custom-fields',
  () => '/v1/webhooks/perform-list',
  () => `${path}/${id}/status`,
];

test('an admin without the scope sees that a value exists, but not the value', async () => {
  for (const pathOf of everywhere) {
    const { text } = await without.get(pathOf()).expect(200);
    expect(text).not.toContain('IBAN-4711');
  }
  const { body } = await without.get(`${path}/${id}`).expect(200);
  expect([body.custom_fields, body.restricted_fields]).toEqual([{ size: 1 }, ['custom_fields.iban']]);
  const [entry] = (await without.get(`${path}/${id}/history`).expect(200)).body.data;
  expect(entry.changes).toContainEqual({ field: 'custom_fields.iban', redacted: true });
});

test('the person with the scope sees their own; a manager without access and others see nothing', async () => {
  expect((await app.report.get(`${path}/${id}`).expect(200)).text).toContain(secret);
  const own = await app.as('report', { scopes: ['collaborators:read'] });
  expect((await own.get(`${path}/${id}`).expect(200)).text).not.toContain('IBAN-4711');
  const managers = await app.as('manager', { scopes: ['collaborators:read', 'history:read', 'salary:read'] });
  expect((await managers.get(`${path}/${id}`).expect(200)).text).not.toContain('IBAN-4711');
  expect((await managers.get(`${path}/${id}/history`).expect(200)).text).not.toContain('IBAN-4711');
  await app.employee.get(`${path}/${id}`).expect(404);
  await app.outsider.get(`${path}/${id}`).expect(404);
});

test('events, audit log, and stored requests contain no value', async () => {
  await app.admin
    .post(path, {
      ...{ name: 'Eva', email: 'eva@verde.example', position: 'x', department: 'y' },
      custom_fields: { iban: 'IBAN-4711-EVA' },
    })
    .set('Idempotency-Key', randomUUID())
    .expect(201);
  expect((await app.admin.get(`${path}/${id}`).expect(200)).text).toContain(secret); // which is audited
  await app.audit.flush();
  for (const [table, control] of [
    ['events', 'eva@verde.example'],
    ['audit_log', 'custom_fields.iban'],
    ['idempotency_keys', 'body_encrypted'],
  ] as const) {
    const rows = await app.database.query(`select to_json(t)::text as row from ${table} t`);
    const stored = rows.map(({ row }) => row).join();
    expect([table, stored]).toEqual([table, expect.stringContaining(control)]);
    expect(stored).not.toContain('IBAN-4711');
  }
});

test('the ETag doesn’t depend on the value', async () => {
  const tag = async () => {
    const { headers, body } = await without.get(`${path}/${id}`).expect(200);
    return [headers.etag, body.updated_at];
  };
  const read = async (value: string) => {
    await app.admin.patch(`${path}/${id}`, { custom_fields: { iban: value } }).expect(200);
    await app.database.query(`update collaborators set updated_at = '2026-01-01' where id = $1`, [id]);
    return tag();
  };
  expect(await read('IBAN-4711-B')).toEqual(await read('IBAN-4711-C'));
  await read(secret);
});

test('guesses are rejected the same way whether right or wrong', async () => {
  const guess = (value: string) => without.patch(`${path}/${id}`, { custom_fields: { iban: value } });
  const [right, wrong] = [await guess(secret), await guess('wrong')];
  expect([right.status, right.body.error]).toEqual([403, 'field_forbidden']);
  expect(right.text).toBe(wrong.text);
  const person = { name: 'Ana', email: 'ana@verde.example', position: 'x', department: 'y' };
  const added = [secret, 'wrong'].map((iban) => without.post(path, { ...person, custom_fields: { iban } }));
  const [rightOne, wrongOne] = await Promise.all(added);
  expect([rightOne!.status, rightOne!.body.error]).toEqual([403, 'field_forbidden']);
  expect(rightOne!.text).toBe(wrongOne!.text);
  const bulk = (iban: string) =>
    without.post(`${path}/bulk`, { mode: 'update', dry_run: true, items: [{ id, custom_fields: { iban } }] });
  const [first, other] = [await bulk(secret), await bulk('wrong')];
  expect([first.status, first.body.details['items.0.custom_fields.iban'][0].code]).toEqual([403, 'field_not_allowed']);
  expect(first.text).toBe(other.text);
  await without.put(`${path}/${id}`, { custom_fields: { size: 1 } }).expect(200);
});

test('with step-up, an old sign-in can’t read others’ values or write', async () => {
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  try {
    const { scopes } = await import('../../../src/identity/grants/scopes.ts');
    const signedIn = (secondsAgo: number) =>
      app.as('admin', {
        scopes: Object.keys(scopes),
        claims: { auth_time: Math.floor(Date.now() / 1000) - secondsAgo },
      });
    const recent = await signedIn(10);
    expect((await recent.get(`${path}/${id}`).expect(200)).text).toContain(secret);
    const late = await signedIn(3_600);
    expect((await late.get(`${path}/${id}`).expect(200)).text).not.toContain('IBAN-4711');
    await late.get(`${path}/${id}?fields=custom_fields.iban`).expect(401);
    await late.get(`${path}?custom_fields[iban]=${secret}`).expect(401);
    const { body } = await late.patch(`${path}/${id}`, { custom_fields: { iban: 'x' } }).expect(401);
    expect(body.error).toBe('insufficient_user_authentication');
  } finally {
    await app.admin.put('/v1/company', { policy: { step_up: false } }).expect(200);
  }
});
