/** A connection that authenticates at its provider with a key (private_key_jwt) in place of a client secret. */

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { removeExpiredClientKeys } from '../../../../src/product/sign-in-connections/client-keys.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { type IdentityProvider, identityProvider } from '../../../helpers/identity/identity-provider.ts';
import {
  allowPrivate,
  directoryPerson,
  readPeople,
  type SignIns,
  signIns,
  tokensBy,
} from './company-sign-in-people.ts';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'], client_authentication: 'private_key_jwt' });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const rotate = () => app.admin.post(`/v1/sign-in-connections/${idp.connection_id}/rotate-key`);
const published = async () => {
  const response = await fetch(`${app.base_url}/oauth/connections/${idp.connection_id}/jwks`);
  return { headers: response.headers, set: (await response.json()) as JSONWebKeySet };
};
const signInOnce = async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens } = await tokensBy(signing, idp);
  return readPeople(signing, tokens.access_token);
};

test('signs people in with an assertion, whose key is rotated with an overlap', async () => {
  const first = (await rotate().expect(200)).body.client_keys;
  expect(first).toEqual([
    { id: expect.any(String), created_at: expect.any(String), signs_from: first[0].created_at, expires_at: null },
  ]);
  const { body } = await rotate().expect(200);
  const [next, old] = body.client_keys;
  expect(body.jwks_uri).toBe(`${app.base_url}/oauth/connections/${idp.connection_id}/jwks`);
  expect(old).toMatchObject({ id: first[0].id, expires_at: expect.any(String) });
  const day = 86_400_000;
  expect(Date.parse(next.signs_from) - Date.parse(next.created_at)).toBe(day);
  expect(Date.parse(old.expires_at) - Date.parse(next.signs_from)).toBeGreaterThan(day - 5_000);
  expect((await rotate().expect(409)).body.message).toContain('still published');

  expect(await signInOnce()).toBe(200);
  const assertion = idp.assertion!;
  expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: 'ES256', kid: old.id });
  const { headers, set } = await published();
  expect(headers.get('content-type')).toContain('application/jwk-set+json');
  expect(set.keys.map(({ kid }) => kid)).toEqual([next.id, old.id]);
  const { payload } = await jwtVerify(assertion, createLocalJWKSet(set), { issuer: 'verdelog', subject: 'verdelog' });
  expect(payload).toMatchObject({ aud: idp.issuer, jti: expect.any(String), exp: expect.any(Number) });

  await app.database.query('update sign_in_keys set signs_from = now() where id = $1', [next.id]);
  expect(await signInOnce()).toBe(200);
  expect(decodeProtectedHeader(idp.assertion!).kid).toBe(next.id);
  expect(decodeJwt(idp.assertion!).jti).not.toBe(payload.jti);

  await app.database.query("update sign_in_keys set expires_at = now() - interval '1 second' where id = $1", [old.id]);
  expect((await published()).set.keys).toMatchObject([{ kid: next.id }]);
  expect(await removeExpiredClientKeys(app.database.db)).toBe(1);
  expect((await rotate().expect(200)).body.client_keys).toHaveLength(2);
});
