/** Issues access tokens like the service does: signed with its own key and backed by a grant. */
import { randomUUID, sign } from 'node:crypto';
import { scopes as allScopes } from '../../../src/identity/grants/scopes.ts';
import { signingKeys } from '../../../src/identity/tokens/signing-keys.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import type { Database } from '../../../src/platform/db/client.ts';

export interface TokenOptions {
  user_id: string;
  company_ids?: string[];
  scopes?: string[];
  client_id?: string;
  grant_id?: string;
  claims?: Record<string, unknown>;
}

export async function grantToken(
  db: Database,
  config: Config,
  baseUrl: string,
  {
    user_id: userId,
    company_ids: companyIds = [],
    scopes = Object.keys(allScopes),
    client_id: clientId,
    grant_id: grantId = randomUUID(),
    claims,
  }: TokenOptions,
): Promise<string> {
  const client = clientId ?? (await testClient(db));
  await db.global
    .insertInto('oauth_grants')
    .values({ id: grantId, user_id: userId, client_id: client, company_ids: companyIds, scopes })
    .execute();
  const [key] = await signingKeys(db, config.encryption_keys);
  const nowS = Math.floor(Date.now() / 1000);
  const payload = {
    iss: baseUrl,
    aud: baseUrl,
    sub: userId,
    client_id: client,
    grant_id: grantId,
    jti: randomUUID(),
    iat: nowS,
    exp: nowS + 3_600,
    scope: scopes.join(' '),
    auth_time: nowS,
    acr: '1fa',
    amr: ['pwd'],
    ...claims,
  };
  return signJwt({ alg: 'ES256', typ: 'at+jwt', kid: key!.kid }, payload, key!);
}

/** @param jwk private key (P-256) */
export function signJwt(header: object, payload: object, jwk: object): string {
  const input = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const key = { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as never;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

async function testClient(db: Database): Promise<string> {
  const id = 'test-client';
  await db.global
    .insertInto('oauth_clients')
    .values({ id, name: 'Tests', redirect_uris: ['http://127.0.0.1/callback'] })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}
