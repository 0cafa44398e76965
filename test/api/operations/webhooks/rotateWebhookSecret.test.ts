import { randomUUID } from 'node:crypto';
import {
  type StoredSecret,
  sealSecrets,
  unexpiredSecrets,
  validSecrets,
} from '../../../../src/product/webhooks/subscriptions/subscriptions.ts';
import { createWebhookSettings } from '../../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addWebhook, knownSecret } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app);
});

const hourMs = 3_600_000;
/** Tolerance: the database may run on a machine with a different clock. */
const clocksDifferMs = 5_000;
const path = (id: string) => `/v1/webhooks/${id}/rotate-secret`;
const rotate = () => app.admin.post(path(id));
const settings = () => createWebhookSettings(app.config);

async function row() {
  const [found] = await app.database.query('select company_id, id, secrets_encrypted from webhooks where id = $1', [
    id,
  ]);
  return found as { company_id: string; id: string; secrets_encrypted: Buffer };
}

/** The secrets that sign requests after this many hours. */
const valid = async (afterH = 0) => validSecrets(await row(), settings(), new Date(Date.now() + afterH * hourMs));

const store = (secrets: StoredSecret[]) =>
  app.database.query('update webhooks set secrets_encrypted = $2 where id = $1', [
    id,
    sealSecrets(settings(), { company_id: app.company_id, id }, secrets),
  ]);

describe('succeeds', () => {
  test('returns a new secret, and the old one stays valid for 24 hours', async () => {
    const { body: before } = await app.admin.get(`/v1/webhooks/${id}`).expect(200);
    const requestedMs = Date.now();
    const { body } = await rotate().expect(200);
    const { secret, previous_secret_expires_at: previousSecretExpiresAt, ...visible } = body;
    expect({ ...visible, previous_secret_expires_at: null }).toEqual(before);
    expect((await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body).toEqual({
      ...visible,
      previous_secret_expires_at: previousSecretExpiresAt,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const from = Date.parse(previousSecretExpiresAt) - 24 * hourMs;
    expect(from).toBeGreaterThan(requestedMs - clocksDifferMs);
    expect(from).toBeLessThan(Date.now() + clocksDifferMs);
    expect(await valid()).toEqual([secret, knownSecret]);
    expect(await valid(23.9)).toEqual([secret, knownSecret]);
    expect(await valid(24.1)).toEqual([secret]);
  });

  test('after two rotations in a day, each old secret has its own 24 hours, and expired ones are removed', async () => {
    const expires = (inH: number) => new Date(Date.now() + inH * hourMs).toISOString();
    await store([
      { secret: 'whsec_c', expires_at: null },
      { secret: 'whsec_b', expires_at: expires(5) },
      { secret: 'whsec_a', expires_at: expires(-1) },
    ]);
    const { secret } = (await rotate().expect(200)).body;
    expect(await valid(4)).toEqual([secret, 'whsec_c', 'whsec_b']);
    expect(await valid(6)).toEqual([secret, 'whsec_c']);
    const unexpired = unexpiredSecrets(await row(), settings(), new Date(0));
    expect(unexpired.map((each) => each.secret)).not.toContain('whsec_a');
  });

  test.each([{ immediately: false }, { immediately: null }, {}])('treats %j like no body', async (body) => {
    const { secret, previous_secret_expires_at: previousSecretExpiresAt } = (
      await app.admin.post(path(id), body).expect(200)
    ).body;
    expect(Date.parse(previousSecretExpiresAt)).toBeGreaterThan(Date.now());
    expect(await valid()).toEqual([secret, knownSecret]);
  });

  test('an immediate rotation revokes all earlier secrets, however many there are', async () => {
    const expiresAt = new Date(Date.now() + hourMs).toISOString();
    const earlier = Array.from({ length: 9 }, (_, n) => ({ secret: `whsec_${n}`, expires_at: expiresAt }));
    await store([{ secret: 'whsec_newest', expires_at: null }, ...earlier]);
    await rotate().expect(409);
    const { body } = await app.admin.post(path(id), { immediately: true }).expect(200);
    expect(body.previous_secret_expires_at).toBeNull();
    expect(await valid()).toEqual([body.secret]);
    expect(unexpiredSecrets(await row(), settings(), new Date(0))).toHaveLength(1);
  });

  test('works for a deactivated subscription', async () => {
    id = await addWebhook(app, { status: 'deactivated' });
    expect((await rotate().expect(200)).body.status).toBe('deactivated');
  });

  test('repeating the request with the same Idempotency-Key rotates once', async () => {
    const key = randomUUID();
    const [first, second] = [
      await rotate().set('Idempotency-Key', key).expect(200),
      await rotate().set('Idempotency-Key', key).expect(200),
    ];
    expect(second.body).toEqual(first.body);
    expect(await valid()).toEqual([first.body.secret, knownSecret]);
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
    const response = await app.admin.post(path(id), body).expect(400);
    expect(Object.keys(response.body.details)).toEqual([field]);
    expect(await valid()).toEqual([knownSecret]);
  });
});

describe('conflicts', () => {
  test('concurrent rotations lose no secret, and at most ten are valid', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => rotate()));
    const rotated = responses.filter(({ status }) => status === 200).map(({ body }) => body.secret);
    expect(rotated).toHaveLength(9);
    expect((await valid()).toSorted()).toEqual([...rotated, knownSecret].toSorted());
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([1, 2, 3].map(() => [409, 'conflict']));
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.post(path(id)).expect(403);
    expect(await valid()).toEqual([knownSecret]);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(id)).expect(404);
    expect(await valid()).toEqual([knownSecret]);
  });
});
