import { randomUUID } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { createSignInSettings } from '../../../../src/product/sign-in-connections/sign-in-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());

const pathOf = (id: string) => `/v1/sign-in-connections/${id}`;
const rotate = (id: string) => app.admin.post(`${pathOf(id)}/rotate-key`);
const published = async (id: string) => {
  const response = await fetch(`${app.base_url}/oauth/connections/${id}/jwks`);
  const { keys } = response.status === 200 ? ((await response.json()) as JSONWebKeySet) : { keys: [] };
  return { status: response.status, keys };
};

test('stores private keys encrypted, and publishes only public ones of OpenID Connect', async () => {
  const id = await addSignInConnection(app);
  expect(await published(id)).toEqual({ status: 200, keys: [] });
  await rotate(id).expect(200);
  await rotate(id).expect(200);
  await rotate(id).expect(409);
  const { keys } = await published(id);
  expect(keys).toHaveLength(2);
  const rows = await app.database.query<{ id: string; text: string; sealed: Buffer }>(
    'select id, k::text as text, private_jwk_encrypted as sealed from sign_in_keys k',
  );
  expect(rows).toHaveLength(2);
  const { vault } = createSignInSettings(app.config);
  for (const { id: kid, text, sealed } of rows) {
    const { d } = JSON.parse(vault.open(sealed, ['sign_in_keys', 'private_jwk_encrypted', kid]));
    expect(text).not.toContain(d);
    expect(JSON.stringify(keys)).not.toContain(d);
  }
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  const saml = { kind: 'saml' as const, issuer: 'urn:idp', sso_url: 'https://idp.example/sso', certificates: ['-'] };
  const samlId = await addSignInConnection(app, saml);
  expect((await published(samlId)).status).toBe(404);
  await rotate(samlId).expect(409);
  expect((await published(randomUUID())).status).toBe(404);
  expect((await published('x')).status).toBe(404);
  await app.outsider.post(`${pathOf(id)}/rotate-key`).expect(404);
});

test('changes between a client secret and a key, and forgets the other', async () => {
  const base = { name: 'Okta', issuer: 'https://okta.example', client_id: 'a' };
  const create = (more: object) => app.admin.post('/v1/sign-in-connections', { ...base, ...more });
  await app.database.query('delete from sign_in_keys');
  await app.database.query('delete from sign_in_connections');
  const both = await create({ client_authentication: 'private_key_jwt', client_secret: 'x' }).expect(400);
  expect(both.body.details.client_secret).toMatchObject([{ code: 'field_not_allowed' }]);
  expect((await create({}).expect(400)).body.details.client_secret).toMatchObject([{ code: 'required' }]);
  const { body } = await create({ client_authentication: 'private_key_jwt' }).expect(201);
  expect(body).toMatchObject({ client_authentication: 'private_key_jwt', client_keys: [{ expires_at: null }] });
  const change = (more: object) => app.admin.patch(pathOf(body.id), more);
  await change({ client_secret: 'x' }).expect(400);
  await change({ client_authentication: 'client_secret' }).expect(400);
  await change({ client_authentication: 'other' }).expect(400);
  const bySecret = await change({ client_authentication: 'client_secret', client_secret: 'x' }).expect(200);
  expect(bySecret.body).toMatchObject({ client_authentication: 'client_secret', client_keys: [] });
  // A key can be published before it is used.
  const [key] = (await rotate(body.id).expect(200)).body.client_keys;
  const byKey = await change({ client_authentication: 'private_key_jwt' }).expect(200);
  expect(byKey.body).toMatchObject({ client_authentication: 'private_key_jwt', client_keys: [key] });
  const [row] = await app.database.query('select client_secret_encrypted from sign_in_connections where id = $1', [
    body.id,
  ]);
  expect(row).toEqual({ client_secret_encrypted: null });
  await app.admin.delete(pathOf(body.id)).expect(200);
  expect(await app.database.query('select 1 from sign_in_keys where connection_id = $1', [body.id])).toEqual([]);
});
