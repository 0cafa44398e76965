/** Signing key rotation at runtime: tokens of the old and the new key are valid until the old one is retired. */
import {
  publicKeys,
  retireOldKeys,
  retireReplacedKeysNow,
  rotateSigningKey,
} from '../../../src/identity/tokens/signing-keys.ts';
import { backdated } from '../../helpers/database/backdated.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signIn, type Tokens, tokenRequest } from '../../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, otherProcess } from '../../identity/service.ts';

let service: OAuthService;
let other: Awaited<ReturnType<typeof otherProcess>>;
let refreshToken: string;

beforeAll(async () => {
  service = await oauthService();
  other = await otherProcess(service);
});
afterAll(() => service.close());

/** A token from one of the two processes, and the id of its signing key. */
async function tokenFrom(address: string): Promise<{ access_token: string; kid: string }> {
  const response = await tokenRequest(address, service.native, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  const tokens = (await response.json()) as Tokens;
  refreshToken = tokens.refresh_token!;
  const header = JSON.parse(Buffer.from(tokens.access_token.split('.')[0]!, 'base64url').toString());
  return { access_token: tokens.access_token, kid: header.kid };
}

async function published(): Promise<string[]> {
  const { keys } = (await (await fetch(`${other.address}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

const older = (seconds: number) =>
  service.database.query(`update signing_keys set ${backdated('created_at', "$1 * interval '1 second'")}`, [seconds]);

test('a new key takes over without a restart, and the old one is retired after its tokens expire', async () => {
  const { db } = service.database;
  const { encryption_keys: encryptionKeys, accessTokenLifetimeS } = service.config;
  const options = { ...service, ...service.ana, client: service.native, scopes: ['profile', 'offline_access'] };
  refreshToken = (await signIn(options)).refresh_token!;
  const before = await tokenFrom(service.address);
  const both = [service.verify, other.verify];
  for (const verify of both) await verify(before.access_token);

  const keyId = await rotateSigningKey(db, encryptionKeys);
  expect(await published()).toEqual([keyId, before.kid]);
  const after: string[] = [];
  for (const address of [service.address, other.address]) {
    const signed = await eventually(async () => {
      const token = await tokenFrom(address);
      // Every process accepts its tokens, whichever key signs.
      for (const verify of both) await expect(verify(token.access_token)).resolves.toBeTruthy();
      expect(token.kid).toBe(keyId);
      return token;
    });
    after.push(signed.access_token);
  }
  for (const verify of both) await expect(verify(before.access_token)).resolves.toBeTruthy();

  await older(accessTokenLifetimeS);
  expect(await retireOldKeys(db, accessTokenLifetimeS)).toBe(0); // the slowest process may have signed a little longer
  await older(600);
  expect(await retireOldKeys(db, accessTokenLifetimeS)).toBe(1);
  expect(await retireOldKeys(db, accessTokenLifetimeS)).toBe(0);
  expect(await published()).toEqual([keyId]);
  for (const verify of both) {
    const refused = () => expect(verify(before.access_token)).rejects.toMatchObject({ code: 'invalid_token' });
    await eventually(refused);
    for (const token of after) await expect(verify(token)).resolves.toBeTruthy();
  }
});

test('a leaked key is retired immediately with all its tokens', async () => {
  const { db } = service.database;
  const leaked = await tokenFrom(other.address);
  for (const verify of [service.verify, other.verify]) await verify(leaked.access_token);
  await rotateSigningKey(db, service.config.encryption_keys);
  await eventually(async () => expect(await retireReplacedKeysNow(db)).toBe(1));
  for (const verify of [service.verify, other.verify]) {
    const refused = () => expect(verify(leaked.access_token)).rejects.toMatchObject({ code: 'invalid_token' });
    await eventually(refused);
  }
  await eventually(async () => {
    const { access_token: accessToken } = await tokenFrom(other.address);
    await service.verify(accessToken);
  });
});

test('a process too busy for the notification of a new key adopts it afterwards', async () => {
  const heard = new Promise<void>((onKeys) => service.access.subscribe({ onChange() {}, onKeys, onGap() {} }));
  const keyId = await rotateSigningKey(service.database.db, service.config.encryption_keys);
  await heard;
  const busyUntilMs = performance.now() + 2_000;
  while (performance.now() < busyUntilMs);
  expect(service.access.connected).toBe(false);
  await eventually(async () => expect((await tokenFrom(service.address)).kid).toBe(keyId));
});

test('several concurrent rotations leave one signing key', async () => {
  const { db } = service.database;
  const { encryption_keys: encryptionKeys } = service.config;
  const ids = await Promise.all(Array.from({ length: 4 }, () => rotateSigningKey(db, encryptionKeys)));
  const found = (await publicKeys(db)).map(({ kid }) => kid);
  expect(found).toHaveLength(6);
  expect(ids).toContain(found[0]);
  for (const address of [service.address, other.address]) {
    await eventually(async () => expect((await tokenFrom(address)).kid).toBe(found[0]));
  }
});
