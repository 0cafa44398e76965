/** Storage of the authorization server: clients, keys, and secrets, and what a reader of the tables can't do with it. */

import { randomBytes } from 'node:crypto';

import { ClientError, createClient, listClients } from '../../src/identity/clients/clients.ts';
import { artifactContext } from '../../src/identity/grants/grants.ts';
import { revokeAccess } from '../../src/identity/grants/revoke-access.ts';
import { describeScopes, parseScopes, scopes, supportedScopes } from '../../src/identity/grants/scopes.ts';
import { hashPassword, verifyPassword } from '../../src/identity/passwords/passwords.ts';
import { removeExpired } from '../../src/identity/provider/adapter.ts';
import { publicKeys, signingKeys } from '../../src/identity/tokens/signing-keys.ts';
import { vault } from '../../src/platform/secrets/secrets.ts';
import { revokeClient } from '../../src/product/connections/revoke-client.ts';
import { testDatabase } from '../helpers/database/database.ts';
import { fixStatistics, planRows, queriesOf } from '../helpers/database/explain.ts';
import { signIn } from '../helpers/identity/oauth.ts';
import { age, type OAuthService, oauthService, redirectUri } from './service.ts';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

describe('clients', () => {
  const name = 'Client';

  test('have a secret that is shown once', async () => {
    const { db } = service.database;
    const created = await createClient(db, { name, redirect_uris: [redirectUri], public: false });
    expect(created.secret).toMatch(/^cma_cs_[0-9A-Za-z]{49}$/);
    const listed = (await listClients(db)).find((client) => client.id === created.id);
    expect(listed).toEqual({
      id: created.id,
      name,
      redirect_uris: [redirectUri],
      public: false,
      company_id: null,
      visibility: 'company',
      approved_at: null,
      created_at: expect.any(String),
      revoked_at: null,
    });
    const rows = await service.database.query('select oauth_clients::text as row from oauth_clients where id = $1', [
      created.id,
    ]);
    expect(rows).toHaveLength(1);
    for (const form of [created.secret!, Buffer.from(created.secret!).toString('hex')]) {
      expect(JSON.stringify(rows)).not.toContain(form);
    }
  });

  test('have none if they can’t keep it', async () => {
    const created = await createClient(service.database.db, { name, redirect_uris: [redirectUri], public: true });
    expect(created).toEqual({ id: expect.any(String) });
  });

  test.each([
    'https://app.example/callback',
    'http://127.0.0.1/callback',
    'http://localhost:3000/',
    'http://[::1]/x',
    'com.example.app:/callback',
  ])('accept the redirect URI %s', async (uri) => {
    await createClient(service.database.db, { name, redirect_uris: [uri], public: true });
  });

  test.each([
    'nonsense',
    'http://app.example/callback',
    'https://localhost/callback',
    'https://app.example/#fragment',
    'https://user:password@app.example/',
    'javascript:alert(1)',
    'myapp:/callback',
    '',
  ])('reject the redirect URI %s', async (uri) => {
    const client = { name, redirect_uris: [redirectUri, uri], public: true };
    await expect(createClient(service.database.db, client)).rejects.toBeInstanceOf(ClientError);
  });

  test.each([
    { name: ' ', redirect_uris: [redirectUri], public: true },
    { name, redirect_uris: [], public: true },
    { name, redirect_uris: ['com.example.app:/callback'], public: false },
  ])('need a name and a redirect URI: %j', async (client) => {
    await expect(createClient(service.database.db, client)).rejects.toBeInstanceOf(ClientError);
  });

  test('lose all access immediately when revoked', async () => {
    const { db } = service.database;
    const created = await createClient(db, { name, redirect_uris: [redirectUri], public: false });
    const options = { ...service, ...service.ana, client: created, scopes: ['profile', 'offline_access'] };
    const tokens = [await signIn(options), await signIn(options)];
    expect(await revokeClient(db, created.id)).toBe(true);
    expect(await revokeClient(db, created.id)).toBe(false);
    expect(await revokeClient(db, 'unknown')).toBe(false);
    for (const { access_token: accessToken } of tokens) {
      await expect(service.verify(accessToken)).rejects.toMatchObject({ code: 'invalid_token' });
    }
    await expect(signIn(options)).rejects.toThrow('invalid_client');
    const remaining = await service.database.query(
      `select 1 from oauth_artifacts join oauth_grants on oauth_grants.id = oauth_artifacts.grant_id
       where client_id = $1`,
      [created.id],
    );
    expect(remaining).toEqual([]);
  });
});

describe('keys', () => {
  test('are created once by concurrently starting processes', async () => {
    const database = await testDatabase();
    try {
      const { encryption_keys: encryptionKeys } = service.config;
      const all = await Promise.all(Array.from({ length: 4 }, () => signingKeys(database.db, encryptionKeys)));
      expect(new Set(all.flat().map((key) => key.kid)).size).toBe(1);
      expect(await database.query('select id from signing_keys')).toHaveLength(1);
      const [publicKey] = await publicKeys(database.db);
      expect(publicKey).not.toHaveProperty('d');
      await expect(signingKeys(database.db, [Buffer.alloc(32, 1)])).rejects.toThrow(/another ENCRYPTION_KEY/);
      await database.query("update signing_keys set private_jwk_encrypted = private_jwk_encrypted || '\\x00'");
      await expect(signingKeys(database.db, encryptionKeys)).rejects.toThrow(
        /: the stored key was altered: run `key rotate`, then `key retire --now`$/,
      );
      const [row] = await database.query<{ public_jwk: object; private_jwk_encrypted: Buffer }>(
        'select public_jwk, private_jwk_encrypted from signing_keys',
      );
      const stored = JSON.stringify(row!.public_jwk) + row!.private_jwk_encrypted.toString('latin1');
      const { d, x } = all[0]![0]!;
      expect(stored).toContain(x);
      for (const form of [d, Buffer.from(d, 'base64url').toString('latin1')]) expect(stored).not.toContain(form);
    } finally {
      await database.drop();
    }
  });
});

describe('stored data', () => {
  test('contains nothing usable, and is removed after it expires', async () => {
    const scopes = ['profile', 'offline_access'];
    const tokens = await signIn({ ...service, ...service.ana, client: service.native, scopes });
    const rows = await service.database.query<{ kind: string; payload_encrypted: Buffer }>(
      'select * from oauth_artifacts',
    );
    expect(new Set(rows.map((row) => row.kind))).toEqual(
      new Set(['Session', 'Grant', 'RefreshToken', 'AuthorizationCode']),
    );
    for (const row of rows) {
      const text = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
      );
      expect(text.join('\n')).not.toContain(tokens.refresh_token);
      expect(row.payload_encrypted.toString('latin1')).not.toContain('accountId');
    }
    await age(service, 'AuthorizationCode', 61);
    const codes = rows.filter((row) => row.kind === 'AuthorizationCode').length;
    expect(await removeExpired(service.database.db)).toBe(codes);
    expect(await removeExpired(service.database.db)).toBe(0);
  });
});

describe('passwords', () => {
  test('are hashed as OWASP recommends', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashPassword('correct horse')).not.toBe(stored);
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'correct horse ')).toBe(false);
    for (const none of [null, undefined, '']) expect(await verifyPassword(none, '')).toBe(false);
  });

  test('take the same time without an account', async () => {
    const stored = await hashPassword('correct horse');
    const cpuUs = [0, 0]; // wall-clock time depends on the load of the machine
    for (let i = 0; i < 20; i++) {
      const started = process.cpuUsage();
      await verifyPassword(i % 2 ? stored : undefined, 'wrong');
      const { user, system } = process.cpuUsage(started);
      cpuUs[i % 2]! += user + system;
    }
    const [without, withAccount] = cpuUs as [number, number];
    expect(without / withAccount).toBeGreaterThan(0.5);
    expect(without / withAccount).toBeLessThan(2);
  });
});

test('revoking access reads each session once, and no tokens', async () => {
  const { database, config, ana } = service;
  const sessions = 3_000;
  const sealed = vault(config.encryption_keys, 'oauth-artifacts');
  const hashes = Array.from({ length: sessions }, () => randomBytes(32));
  await database.query(
    `insert into oauth_artifacts (kind, id_hash, payload_encrypted) select 'Session', * from unnest($1::bytea[], $2::bytea[])
     union all select 'RefreshToken', sha256(n::text::bytea), decode(repeat('ab', 1000), 'hex') from generate_series(1, 30000) n`,
    [hashes, hashes.map((hash) => sealed.seal('{}', artifactContext('Session', hash)))],
  );
  await fixStatistics(database, ['oauth_artifacts']);
  const reads = await queriesOf(/^select .* from "oauth_artifacts"/, () =>
    revokeAccess(database.db, config.encryption_keys, ana.user_id, { actor: { type: 'operator' } }),
  );
  let rows = 0;
  for (const statement of reads) rows += await planRows(database, statement);
  expect(rows).toBeGreaterThanOrEqual(sessions);
  expect(rows).toBeLessThan(4 * sessions);
  await database.query("delete from oauth_artifacts where kind in ('Session', 'RefreshToken')");
});

test('scopes are a closed list', () => {
  expect(parseScopes('salary:read profile unknown profile')).toEqual(['profile', 'salary:read']);
  expect(parseScopes(undefined)).toEqual([]);
  expect(supportedScopes).toEqual(['openid', 'email', ...Object.keys(scopes)]);
  expect(describeScopes('constructor salary:read openid')).toHaveLength(2);
  expect(Object.keys(scopes)).toHaveLength(25);
});
