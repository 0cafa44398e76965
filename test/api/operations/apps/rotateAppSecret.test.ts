import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { tokenRequest } from '../../../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addApp(app);
});
afterEach(() => app.database.query('delete from oauth_clients where company_id is not null'));

const path = (id: string) => `/v1/apps/${id}/rotate-secret`;
const rotate = (body?: object) => app.admin.post(path(id), body);

/** Whether a secret is accepted: if it is, the request fails on the invalid code instead. */
async function isAccepted(secret: string): Promise<boolean> {
  const body = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'http://127.0.0.1/callback' };
  const response = await tokenRequest(app.base_url, { id, secret }, { ...body, code_verifier: 'x'.repeat(43) });
  const { error } = (await response.json()) as { error: string };
  expect(['invalid_grant', 'invalid_client']).toContain(error);
  return error === 'invalid_grant';
}

const earlierSecrets = async () =>
  (
    await app.database.query<{ earlier: unknown[] }>(
      'select earlier_secrets as earlier from oauth_clients where id = $1',
      [id],
    )
  )[0]!.earlier;

/** Backdates the earlier secrets. */
const later = (hours: number) =>
  app.database.query(
    `update oauth_clients set earlier_secrets = (
       select coalesce(jsonb_agg(jsonb_build_object('hash', s ->> 'hash', 'expires_at', to_jsonb(
         to_char(((s ->> 'expires_at')::timestamptz - $2 * interval '1 hour') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))), '[]')
       from jsonb_array_elements(earlier_secrets) s) where id = $1`,
    [id, hours],
  );

describe('succeeds', () => {
  test('returns a new secret, and the old one stays valid for 24 hours', async () => {
    const before = (await app.admin.get(`/v1/apps/${id}`).expect(200)).body;
    const earliest = Date.now();
    const { client_secret: clientSecret, ...visible } = (await rotate().expect(200)).body;
    const dayMs = 24 * 3_600_000;
    const { previous_secret_expires_at: previousSecretExpiresAt } = visible;
    expect(Date.parse(previousSecretExpiresAt)).toBeGreaterThanOrEqual(earliest + dayMs);
    expect(Date.parse(previousSecretExpiresAt)).toBeLessThanOrEqual(Date.now() + dayMs);
    expect(visible).toEqual({ ...before, previous_secret_expires_at: previousSecretExpiresAt });
    expect((await app.admin.get(`/v1/apps/${id}`).expect(200)).body).toEqual(visible);
    expect(clientSecret).toMatch(/^cma_cs_[0-9A-Za-z]{49}$/);
    for (const secret of [clientSecret, knownAppSecret]) expect(await isAccepted(secret)).toBe(true);
    await later(23);
    expect(await isAccepted(knownAppSecret)).toBe(true);
    await later(2);
    expect(await isAccepted(knownAppSecret)).toBe(false);
    expect((await app.admin.get(`/v1/apps/${id}`).expect(200)).body).toEqual(before);
    expect(await isAccepted(clientSecret)).toBe(true);
    expect(await isAccepted('cma_cs_nothing')).toBe(false);
  });

  test('after two rotations in a day, each old secret has its own 24 hours', async () => {
    const second = (await rotate().expect(200)).body.client_secret;
    await later(12);
    const third = (await rotate().expect(200)).body.client_secret;
    for (const secret of [knownAppSecret, second, third]) expect(await isAccepted(secret)).toBe(true);
    await later(13);
    expect(await isAccepted(knownAppSecret)).toBe(false);
    expect(await isAccepted(second)).toBe(true);
  });

  test('an immediate rotation revokes all earlier secrets', async () => {
    const second = (await rotate().expect(200)).body.client_secret;
    const { body } = await rotate({ immediately: true }).expect(200);
    expect(body.previous_secret_expires_at).toBeNull();
    for (const secret of [knownAppSecret, second]) expect(await isAccepted(secret)).toBe(false);
    expect(await isAccepted(body.client_secret)).toBe(true);
  });

  test('repeating the request with the same Idempotency-Key rotates once', async () => {
    const key = randomUUID();
    const [first, second] = [await rotate().set('Idempotency-Key', key), await rotate().set('Idempotency-Key', key)];
    expect(second!.body).toEqual(first!.body);
    expect(second!.headers['idempotency-replayed']).toBe('true');
    expect(await isAccepted(knownAppSecret)).toBe(true);
    expect(await isAccepted(first!.body.client_secret)).toBe(true);
    expect(await earlierSecrets()).toHaveLength(1);
  });
});

describe('refuses bad input', () => {
  test('returns 404 for an unknown id', async () => {
    await app.admin.post(path('nothing')).expect(404);
  });

  test.each([
    [{ immediately: 'yes' }, 'immediately'],
    [{ now: true }, 'now'],
  ])('rejects %j', async (body, field) => {
    expect(Object.keys((await rotate(body).expect(400)).body.details)).toEqual([field]);
  });
});

describe('conflicts', () => {
  test('concurrent rotations lose no secret, and at most ten are valid', async () => {
    const responses = await Promise.all(Array.from({ length: 11 }, () => rotate()));
    const rotated = responses.filter(({ status }) => status === 200).map(({ body }) => body.client_secret);
    expect(rotated).toHaveLength(9);
    for (const secret of [...rotated, knownAppSecret]) expect(await isAccepted(secret)).toBe(true);
    expect(responses.filter(({ status }) => status === 409).map(({ body }) => body.error)).toEqual([
      'conflict',
      'conflict',
    ]);
    await rotate({ immediately: true }).expect(200);
  });

  test('returns 409 for a public app, which has no secret', async () => {
    id = await addApp(app, { secret_hash: null });
    await rotate().expect(409);
  });
});

test('forbidden by role: only admins can rotate', async () => {
  for (const client of [app.manager, app.employee]) await client.post(path(id)).expect(403);
  expect(await earlierSecrets()).toEqual([]);
});

test('invisible to another company', async () => {
  await app.outsider.post(path(id)).expect(404);
  await app.outsider.post(path(id), { immediately: true }).expect(404);
  expect(await earlierSecrets()).toEqual([]);
  expect(await isAccepted(knownAppSecret)).toBe(true);
});
