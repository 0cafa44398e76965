/** Verification of access tokens, and the token cache: how long entries last, and how fast they are invalidated. */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { Problem } from '../../src/contract/problem.ts';
import { revokeGrant } from '../../src/identity/grants/grants.ts';
import { type PrivateKey, signingKeys } from '../../src/identity/tokens/signing-keys.ts';
import { createVerifier, type Verifier } from '../../src/identity/tokens/verify-token.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { type AccessListener, listenForAccessChanges, notifyAccessChanged } from '../../src/platform/notify/listen.ts';
import { eventually } from '../helpers/eventually.ts';
import { grantToken, signJwt } from '../helpers/identity/tokens.ts';
import { longLeaseMs } from '../helpers/settings.ts';
import { type OAuthService, oauthService } from './service.ts';

let service: OAuthService;
let key: PrivateKey;
let grantId: string;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await oauthService();
  key = (await signingKeys(service.database.db, service.config.encryption_keys))[0]!;
  grantId = claimsOf(await newToken()).grant_id;
});
afterAll(async () => {
  for (const close of closers) await close();
  await service.close();
});

function newToken(more: { scopes?: string[]; claims?: Record<string, unknown> } = {}): Promise<string> {
  const { database, config, base_url: baseUrl, ana, native, company_ids: companyIds } = service;
  const options = { user_id: ana.user_id, client_id: native.id, company_ids: [...companyIds], ...more };
  return grantToken(database.db, config, baseUrl, options);
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

async function otherProcess(): Promise<{ verifier: Verifier; access: AccessListener; closeDatabase(): Promise<void> }> {
  const { url } = service.database;
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 });
  const access = listenForAccessChanges({ url, leaseMs: longLeaseMs });
  await access.ready;
  const verifier = createVerifier({ db, base_url: service.base_url, cacheEntries: 100, access });
  let open = true;
  const closeDatabase = async () => {
    if (open) await db.close();
    open = false;
  };
  closers.push(closeDatabase, access.close);
  return { verifier, access, closeDatabase };
}

test('a valid token returns user, scopes, and companies', async () => {
  const token = await newToken({ scopes: ['profile', 'salary:read'] });
  const { exp, grant_id: grantId } = claimsOf(token);
  await expect(service.verify(token)).resolves.toEqual({
    auth_time_s: expect.any(Number),
    level: '1fa',
    hasPasskey: false,
    isOfProvider: false,
    user_id: service.ana.user_id,
    client_id: service.native.id,
    maker_id: null,
    grant_id: grantId,
    scopes: ['profile', 'salary:read'],
    company_ids: service.company_ids,
    signedInS: expect.any(Number),
    expiresAtS: exp,
    access_version: expect.any(Number),
  });
});

describe('rejected', () => {
  const payload = (changes: Record<string, unknown> = {}) => {
    const nowS = Math.floor(Date.now() / 1000);
    const { base_url: iss, ana, native } = service;
    const identity = { sub: ana.user_id, client_id: native.id, grant_id: grantId };
    return { iss, aud: iss, ...identity, jti: randomUUID(), iat: nowS, exp: nowS + 60, scope: 'profile', ...changes };
  };
  const header = (changes = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...changes });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('(control) the parts used below form a valid token', async () => {
    await expect(service.verify(signJwt(header(), payload(), key))).resolves.toMatchObject({ scopes: ['profile'] });
    const full = header({ typ: 'application/at+jwt' }); // the long form of the type, RFC 9068, section 2.1
    await expect(service.verify(signJwt(full, payload(), key))).resolves.toMatchObject({ scopes: ['profile'] });
  });

  const forged: [string, () => string | Promise<string>][] = [
    ['nothing', () => ''],
    ['a word', () => 'token'],
    ['three words', () => 'a.b.c'],
    ['a header that is not JSON', () => `${Buffer.from('{').toString('base64url')}.e30.AAAA`],
    ['a header that is null', () => 'bnVsbA.e30.AAAA'],
    ['claims that are not JSON', () => `${part(header())}.AAAA.AAAA`],
    ['claims that are a list', () => signJwt(header(), [], key)],
    ['letters no token has', () => `${signJwt(header(), payload(), key)}é`],
    ['a very long token', () => signJwt(header(), payload({ more: 'x'.repeat(9_000) }), key)],
    ['another issuer', () => signJwt(header(), payload({ iss: 'https://other.example' }), key)],
    ['another audience', () => signJwt(header(), payload({ aud: 'https://other.example' }), key)],
    ['no audience', () => signJwt(header(), payload({ aud: undefined }), key)],
    ['no expiry', () => signJwt(header(), payload({ exp: undefined }), key)],
    ['an expiry that is text', () => signJwt(header(), payload({ exp: '99999999999' }), key)],
    ['a later start', () => signJwt(header(), payload({ nbf: Math.floor(Date.now() / 1000) + 60 }), key)],
    ['no client', () => signJwt(header(), payload({ client_id: undefined }), key)],
    ['no subject', () => signJwt(header(), payload({ sub: undefined }), key)],
    ['no grant', () => signJwt(header(), payload({ grant_id: undefined }), key)],
    ['a grant that is a number', () => signJwt(header(), payload({ grant_id: 1 }), key)],
    ['scopes in a list', () => signJwt(header(), payload({ scope: ['profile'] }), key)],
    ['an unknown grant', () => signJwt(header(), payload({ grant_id: randomUUID() }), key)],
    ['the grant of another user', () => signJwt(header(), payload({ sub: randomUUID() }), key)],
    ['the grant of another client', () => signJwt(header(), payload({ client_id: 'other' }), key)],
    ['another type', () => signJwt(header({ typ: 'JWT' }), payload(), key)],
    ['no type', () => signJwt(header({ typ: undefined }), payload(), key)],
    ['a critical extension', () => signJwt(header({ crit: ['exp'] }), payload(), key)],
    ['no key id', () => signJwt(header({ kid: undefined }), payload(), key)],
    ['an unknown key id', () => signJwt(header({ kid: 'other' }), payload(), key)],
    ['another key behind a known id', () => signJwt(header(), payload(), otherKey())],
    ['changed claims', () => replaced(signJwt(header(), payload(), key), 1, part(payload({ scope: 'salary:write' })))],
    ['no signature', () => replaced(signJwt(header(), payload(), key), 2, '')],
    ['a short signature', () => replaced(signJwt(header(), payload(), key), 2, 'AAAA')],
    ['a signature of one letter', () => replaced(signJwt(header(), payload(), key), 2, 'A')],
    ['a signature of zeros', () => replaced(signJwt(header(), payload(), key), 2, 'A'.repeat(86))],
    ['alg none', () => `${part(header({ alg: 'none' }))}.${part(payload())}.`],
    ['alg none with a signature', () => `${part(header({ alg: 'none' }))}.${part(payload())}.AAAA`],
    ['HS256 with the public key', () => hs256(header({ alg: 'HS256' }), payload())],
    ['RS256', () => signJwt(header({ alg: 'RS256' }), payload(), key)],
    ['proof of possession that was never asked for', () => signJwt(header(), payload({ cnf: { jkt: 'x' } }), key)],
    ['a refresh token', () => 'PiIqG4sd_wyjkMPiAo7wSLUB5cZLvDfOYV_wVWDNd0d'],
  ];

  test.each(forged)('%s', async (_name, token) => {
    const error = await service.verify(await token()).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(error.headers['WWW-Authenticate']).toContain('error="invalid_token"');
  });

  test('an expired token, with its own error code', async () => {
    const nowS = Math.floor(Date.now() / 1000);
    const token = signJwt(header(), payload({ iat: nowS - 60, exp: nowS }), key);
    await expect(service.verify(token)).rejects.toMatchObject({ status: 401, code: 'token_expired' });
  });

  function hs256(head: object, claims: object): string {
    const { d: _, ...publicJwk } = key;
    const input = `${part(head)}.${part(claims)}`;
    return `${input}.${createHmac('sha256', JSON.stringify(publicJwk)).update(input).digest('base64url')}`;
  }

  function replaced(token: string, index: number, value: string): string {
    return token.split('.').with(index, value).join('.');
  }

  function otherKey(): object {
    return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  }
});

test('the malleable twin of a signature is the same token, with the same claims and revocation', async () => {
  const token = await newToken();
  const [head, body, signature] = token.split('.') as [string, string, string];
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n; // the order of P-256
  const other = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0');
  const flipped = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other, 'hex')]).toString('base64url');
  const twin = `${head}.${body}.${flipped}`;
  expect(twin).not.toBe(token);
  const verified = await service.verify(token);
  expect(await service.verify(twin)).toEqual(verified);
  await revokeGrant(service.database.db.global, verified.grant_id);
  await eventually(async () => {
    for (const each of [token, twin]) await expect(service.verify(each)).rejects.toMatchObject({ status: 401 });
  });
});

describe('token cache', () => {
  test('returns the same object without a query', async () => {
    const { verifier, closeDatabase } = await otherProcess();
    const [known, unknown] = [await newToken(), await newToken()];
    const first = await verifier.verify(known);
    await closeDatabase(); // from here on, any query fails
    expect(await verifier.verify(known)).toBe(first);
    await expect(verifier.verify(unknown)).rejects.not.toBeInstanceOf(Problem);
  });

  test('entry expires with the token', async () => {
    const { verifier } = await otherProcess();
    const exp = Math.floor(Date.now() / 1000) + 2;
    const token = await newToken({ claims: { exp } });
    const first = await verifier.verify(token);
    expect(await verifier.verify(token)).toBe(first);
    await eventually(() => expect(verifier.verify(token)).rejects.toMatchObject({ code: 'token_expired' }));
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
  });

  test('is limited in size, and evicts the oldest entry', async () => {
    const { database, base_url: baseUrl } = service;
    const { access } = await otherProcess();
    const verifier = createVerifier({ db: database.db, base_url: baseUrl, cacheEntries: 2, access });
    const tokens = [await newToken(), await newToken(), await newToken()];
    const results = [];
    for (const token of tokens) results.push(await verifier.verify(token));
    expect(await verifier.verify(tokens[2]!)).toBe(results[2]);
    expect(await verifier.verify(tokens[1]!)).toBe(results[1]);
    expect(await verifier.verify(tokens[0]!)).not.toBe(results[0]);
  });

  test('can be disabled', async () => {
    const { database, base_url: baseUrl, access } = service;
    const verifier = createVerifier({ db: database.db, base_url: baseUrl, cacheEntries: 0, access });
    const token = await newToken();
    const [first, second] = [await verifier.verify(token), await verifier.verify(token)];
    expect(second).not.toBe(first);
    expect([first.access_version, second.access_version]).toEqual([undefined, undefined]);
    expect(verifier.figures()).toEqual({ entries: 0, hits: 0, misses: 2 });
  });

  test('can be invalidated by user, by grant, and completely', async () => {
    const { verifier } = await otherProcess();
    const token = await newToken();
    const { grant_id: grantId } = claimsOf(token);
    let last = await verifier.verify(token);
    const forgotten = async () => {
      const next = await verifier.verify(token);
      const changed = next !== last;
      last = next;
      return changed;
    };
    verifier.versions.changed({ user_id: randomUUID() });
    verifier.versions.changed({ grant_id: randomUUID() });
    expect(await forgotten()).toBe(false);
    verifier.versions.changed({ user_id: service.ana.user_id });
    expect(await forgotten()).toBe(true);
    verifier.versions.changed({ grant_id: grantId });
    expect(await forgotten()).toBe(true);
    verifier.versions.allChanged();
    expect(await forgotten()).toBe(true);
    expect(await forgotten()).toBe(false);
  });

  test('ignores a result that changed while it was being read', async () => {
    const { verifier } = await otherProcess();
    const token = await newToken();
    const pending = verifier.verify(token);
    verifier.versions.changed({ user_id: randomUUID() });
    expect(await verifier.verify(token)).not.toBe(await pending);
  });
});

describe('a change of access', () => {
  /** Waits until each process was notified of a change for a user. */
  const heardBy = (processes: { access: AccessListener }[], id: string) =>
    Promise.all(
      processes.map(
        ({ access }) =>
          new Promise<void>((hear) =>
            access.subscribe({ onChange: ({ user_id: userId }) => void (userId === id && hear()), onGap() {} }),
          ),
      ),
    );

  test('invalidates a token in a process as soon as it gets the next notification', async () => {
    const { db } = service.database;
    const processes = [await otherProcess(), await otherProcess()];
    const token = await newToken();
    for (const { verifier } of processes) await verifier.verify(token);
    const next = randomUUID();
    const heard = heardBy(processes, next);
    await revokeGrant(db.global, claimsOf(token).grant_id);
    await notifyAccessChanged(db.global, { user_id: next });
    await heard;
    for (const { verifier } of processes) {
      await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401 });
    }
  });

  test('of a user makes every process check again after the commit', async () => {
    const processes = [await otherProcess(), await otherProcess()];
    const token = await newToken();
    const first = await Promise.all(processes.map(({ verifier }) => verifier.verify(token)));
    const { db } = service.database;
    const next = randomUUID();
    const heard = heardBy(processes, next);
    const notify = (fail: boolean) =>
      db.global.transaction().execute(async (tx) => {
        await notifyAccessChanged(tx, { user_id: service.ana.user_id });
        if (fail) throw new Error('rolled back');
      });
    await expect(notify(true)).rejects.toThrow('rolled back');
    await notifyAccessChanged(db.global, { user_id: next });
    await heard;
    for (const [at, { verifier }] of processes.entries()) expect(await verifier.verify(token)).toBe(first[at]);
    await notify(false);
    for (const [at, { verifier }] of processes.entries()) {
      await eventually(async () => expect(await verifier.verify(token)).not.toBe(first[at]));
    }
  });

  test('isn’t missed while the listener is disconnected', async () => {
    const { verifier, access } = await otherProcess();
    const token = await newToken();
    await verifier.verify(token);
    await service.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'collaborator-api-listener'
       and datname = current_database()`,
    );
    await revokeGrant(service.database.db.global, claimsOf(token).grant_id);
    await eventually(() => expect(verifier.verify(token)).rejects.toThrow());
    await eventually(() => expect(access.connected).toBe(true));
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
    const other = await newToken();
    expect(await verifier.verify(other)).toBe(await verifier.verify(other));
  });
});

test('without a listener, nothing is cached, but valid tokens work', async () => {
  const access = listenForAccessChanges({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  try {
    const { database, base_url: baseUrl } = service;
    const verifier = createVerifier({ db: database.db, base_url: baseUrl, cacheEntries: 100, access });
    const token = await newToken();
    const first = await verifier.verify(token);
    const second = await verifier.verify(token);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  } finally {
    await access.close();
  }
});

test('a database outage isn’t reported as an invalid token', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/nothing';
  const db = openDatabase({ url, poolSize: 1, connectTimeoutMs: 500, statementTimeoutMs: 500 });
  const verifier = createVerifier({ db, base_url: service.base_url, cacheEntries: 100, access: service.access });
  const error = await verifier.verify(await newToken()).catch((thrown) => thrown);
  expect(error).not.toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  await db.close();
});

test('accepts a new key of another process, and rejects a retired key', async () => {
  const { verifier } = await otherProcess();
  await verifier.verify(await newToken());
  const { database, config } = service;
  const old = await newToken();
  await database.query('update signing_keys set retired_at = now()');
  const [next] = await signingKeys(database.db, config.encryption_keys);
  expect(next!.kid).not.toBe(key.kid);
  const token = await newToken(); // signed with the next key
  await eventually(() => expect(verifier.verify(token)).resolves.toBeDefined());
  await expect(verifier.verify(old)).rejects.toMatchObject({ code: 'invalid_token' });
  await database.query('update signing_keys set retired_at = null');
  const keys = await signingKeys(database.db, config.encryption_keys);
  expect(keys.map((each) => each.kid)).toEqual([next!.kid, key.kid]);
});
