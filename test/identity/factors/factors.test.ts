/** Storage of second factors, and single use of each proof. */
import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import {
  newChallenge,
  openChallenge,
  openTicket,
  removeUsedChallenges,
  ticketOf,
  useChallenge,
} from '../../../src/identity/factors/challenges.ts';
import {
  addFactor,
  factorVault,
  hasFactor,
  listFactors,
  removeAllFactors,
  removeFactor,
  renameFactor,
} from '../../../src/identity/factors/factors.ts';
import { addPasskey, creationOptions, relyingParty, usePasskey } from '../../../src/identity/factors/passkeys.ts';
import { remainingRecoveryCodes, useRecoveryCode } from '../../../src/identity/factors/recovery-codes.ts';
import { addTotp, newTotpSecret, stepOf, useTotp } from '../../../src/identity/factors/totp.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { testPasskey } from '../../helpers/identity/authenticator.ts';

const keys = [Buffer.alloc(32, 7)] as const;
const sealed = factorVault(keys);
const rp = relyingParty('https://example.org')!;
const ceremony = (challenge: string) => ({ challenge, origin: rp.origin, rp_id: rp.id });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function newUser(): Promise<{ id: string; name: string; email: string }> {
  const user = { id: randomUUID(), name: 'Ana Lima', email: `${randomUUID()}@example.com` };
  await database.db.global.insertInto('users').values(user).execute();
  return user;
}

const codeAt = (secret: string, atMs: number) =>
  TOTP.generate({ secret: secretOf(secret), algorithm: 'SHA1', digits: 6, period: 30, timestamp: atMs });

function secretOf(base32: string) {
  return new TOTP({ secret: base32 }).secret;
}

/** A user with an authenticator app, set up half an hour ago. */
async function withApp() {
  const user = await newUser();
  const secret = newTotpSecret();
  const thenMs = Date.now() - 1_800_000;
  const step = stepOf(secret, codeAt(secret, thenMs), thenMs)!;
  const codes = await addFactor(database.db.global, user.id, async (tx) => {
    await addTotp(tx, sealed, { user_id: user.id, name: 'Phone', secret, step });
    return true;
  });
  return { user, secret, codes: codes! };
}

async function withPasskey(counter = 0) {
  const user = await newUser();
  const device = testPasskey();
  const { challenge } = newChallenge(sealed, 'a purpose');
  const sent = device.register({ ...ceremony(challenge), counter });
  const added = { user_id: user.id, name: 'Laptop', sent, challenge };
  const codes = await addFactor(database.db.global, user.id, (tx) => addPasskey(tx, rp, added));
  return { user, device, codes: codes! };
}

describe('an authenticator code', () => {
  test('is accepted once by concurrent processes', async () => {
    const { user, secret } = await withApp();
    const nowMs = Date.now();
    const code = codeAt(secret, nowMs);
    const tries = Array.from({ length: 6 }, () => useTotp(database.db.global, sealed, user.id, code, nowMs));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await useTotp(database.db.global, sealed, user.id, code, nowMs)).toBe(false);
  });

  test('is rejected after a later one', async () => {
    const { user, secret } = await withApp();
    const nowMs = Date.now();
    expect(await useTotp(database.db.global, sealed, user.id, codeAt(secret, nowMs), nowMs)).toBe(true);
    const before = codeAt(secret, nowMs - 30_000);
    expect(await useTotp(database.db.global, sealed, user.id, before, nowMs)).toBe(false);
  });

  test('of another person is rejected', async () => {
    const { secret } = await withApp();
    const other = await withApp();
    expect(await useTotp(database.db.global, sealed, other.user.id, codeAt(secret, Date.now()))).toBe(false);
  });

  test('has a secret that is encrypted in the database', async () => {
    const { user, secret } = await withApp();
    const [row] = await database.query<{ secret_encrypted: Buffer }>(
      'select secret_encrypted from totp_factors where user_id = $1',
      [user.id],
    );
    expect(row!.secret_encrypted.includes(secret)).toBe(false);
    expect(row!.secret_encrypted.includes(Buffer.from(secretOf(secret).bytes))).toBe(false);
  });
});

describe('a recovery code', () => {
  test('comes with the first factor, tolerates typing variants, and works once under concurrency', async () => {
    const { user, codes } = await withApp();
    const { global } = database.db;
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^([2-9A-HJ-NP-Z]{4}-){5}[2-9A-HJ-NP-Z]{4}$/);
    const typed = ` ${codes[0]!.toLowerCase().replaceAll('-', ' ')} `;
    const tries = Array.from({ length: 6 }, () => useRecoveryCode(global, user.id, typed));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await remainingRecoveryCodes(global, user.id)).toBe(9);
    const other = await withApp();
    expect(await useRecoveryCode(global, other.user.id, codes[1]!)).toBe(false);
  });

  test('is stored as a hash, and deleted with the last factor', async () => {
    const { user, codes } = await withApp();
    const rows = await database.query<{ row: string }>(
      'select recovery_codes::text as row from recovery_codes where user_id = $1',
      [user.id],
    );
    expect(rows).toHaveLength(10);
    const stored = JSON.stringify(rows).toLowerCase();
    for (const code of codes) {
      for (const form of [code, code.replaceAll('-', '')].map((each) => each.toLowerCase())) {
        expect(stored).not.toContain(form);
        for (const bytes of [form, form.toUpperCase()])
          expect(stored).not.toContain(Buffer.from(bytes).toString('hex'));
      }
    }
    const [factor] = await listFactors(database.db.global, user.id);
    expect(await removeFactor(database.db.global, user.id, factor!.id, false)).toBe('last');
    expect(await removeFactor(database.db.global, user.id, factor!.id, true)).toBe('removed');
    expect(await remainingRecoveryCodes(database.db.global, user.id)).toBe(0);
    expect(await hasFactor(database.db.global, user.id)).toBe(false);
  });
});

describe('a passkey', () => {
  test('signs in its owner', async () => {
    const { user, device, codes } = await withPasskey();
    expect(codes).toHaveLength(10);
    const { challenge } = newChallenge(sealed, 'a purpose');
    const sent = device.signed(ceremony(challenge), user.id);
    expect(await usePasskey(database.db.global, rp, { sent, challenge })).toBe(user.id);
  });

  test('from the test vector of the standard (16.2, ES256 without attestation) counts only with user verification', async () => {
    const user = await newUser();
    const challenge = Buffer.from(vector.challenge, 'hex').toString('base64url');
    const id = Buffer.from(vector.credential_id, 'hex').toString('base64url');
    const response = {
      clientDataJSON: Buffer.from(vector.client_data, 'hex').toString('base64url'),
      attestationObject: Buffer.from(vector.attestation_object, 'hex').toString('base64url'),
    };
    const sent = JSON.stringify({ id, rawId: id, type: 'public-key', response });
    const add = (attestation: string) =>
      addPasskey(database.db.global, rp, {
        user_id: user.id,
        name: 'Vector',
        sent: sent.replace(response.attestationObject, attestation),
        challenge,
      });
    expect(await add(response.attestationObject)).toBe(false);
    // The same with the flag for user verification, which isn't signed without attestation.
    const verified = vector.attestation_object.replace('e0f01452b2e4b559', 'e0f01452b2e4b55d');
    expect(await add(Buffer.from(verified, 'hex').toString('base64url'))).toBe(true);
    const jwk = { kty: 'EC', crv: 'P-256', ...vector.key };
    const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
    const device = testPasskey({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) });
    const signed = device.signed(ceremony(challenge)).replaceAll(device.id, id);
    expect(await usePasskey(database.db.global, rp, { sent: signed, challenge })).toBe(user.id);
  });

  test.each<[string, (context: PasskeyContext) => Partial<Parameters<ReturnType<typeof testPasskey>['signed']>[0]>]>([
    ['another challenge', () => ({ challenge: Buffer.alloc(32, 1).toString('base64url') })],
    ['another origin', () => ({ origin: 'https://example.org.evil.example' })],
    ['another port of the host', () => ({ origin: 'https://example.org:8443' })],
    ['another host', () => ({ rp_id: 'evil.example' })],
    ['no verified person', () => ({ verified: false })],
  ])('is rejected with %s', async (_name, other) => {
    const { user, device } = await withPasskey();
    const { challenge } = newChallenge(sealed, 'a purpose');
    const sent = device.signed({ ...ceremony(challenge), ...other({ challenge }) }, user.id);
    expect(await usePasskey(database.db.global, rp, { sent, challenge })).toBeUndefined();
  });

  test('of a cloned authenticator is rejected, because its counter isn’t higher', async () => {
    const { user, device } = await withPasskey(5);
    const use = (counter: number) => {
      const { challenge } = newChallenge(sealed, 'a purpose');
      const sent = device.signed({ ...ceremony(challenge), counter }, user.id);
      return usePasskey(database.db.global, rp, { sent, challenge });
    };
    expect(await use(9)).toBe(user.id);
    expect(await use(8)).toBeUndefined();
    expect(await use(9)).toBeUndefined();
    expect(await use(0)).toBeUndefined();
    expect(await use(10)).toBe(user.id);
  });

  test('that is unknown, another person’s, or malformed is rejected', async () => {
    const [ana, rui] = [await withPasskey(), await withPasskey()];
    const { challenge } = newChallenge(sealed, 'a purpose');
    const sent = [
      testPasskey().signed(ceremony(challenge)),
      ana.device.signed(ceremony(challenge), rui.user.id),
      ana.device.signed(ceremony(challenge), ana.user.id).replaceAll(ana.device.id, rui.device.id),
      ana.device.register(ceremony(challenge)),
      '',
      '[]',
      '{"id":"x","rawId":"x","type":"public-key","response":{}}',
    ];
    for (const each of sent) {
      expect(await usePasskey(database.db.global, rp, { sent: each, challenge })).toBeUndefined();
    }
  });

  test('can’t be registered by another person', async () => {
    const { device } = await withPasskey();
    const other = await newUser();
    const { challenge } = newChallenge(sealed, 'a purpose');
    const added = { user_id: other.id, name: 'Mine', sent: device.register(ceremony(challenge)), challenge };
    expect(await addFactor(database.db.global, other.id, (tx) => addPasskey(tx, rp, added))).toBeUndefined();
    expect(await hasFactor(database.db.global, other.id)).toBe(false);
  });

  test('requires user verification, and can’t be registered twice on a device', async () => {
    const { user, device } = await withPasskey();
    const options = await creationOptions(database.db.global, rp, user, 'AAAA');
    expect(options).toMatchObject({
      rp: { id: 'example.org' },
      challenge: 'AAAA',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id }],
    });
  });

  test.each([
    ['http://127.0.0.1:3000', undefined],
    ['https://[::1]', undefined],
    ['http://example.org', undefined],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['https://api.example.org/', { id: 'api.example.org', origin: 'https://api.example.org' }],
  ])('at %s is for %j', (baseUrl, expected) => expect(relyingParty(baseUrl)).toEqual(expected));
});

interface PasskeyContext {
  challenge: string;
}

describe('a challenge', () => {
  test('works for its purpose, unmodified, and once', async () => {
    const { challenge, ticket } = newChallenge(sealed, 'one');
    expect(openChallenge(sealed, 'one', ticket)).toEqual({ challenge });
    expect(openChallenge(sealed, 'another', ticket)).toBeUndefined();
    const changed = (ticket.at(-3) === 'A' ? 'B' : 'A') + ticket.slice(-2);
    expect(openChallenge(sealed, 'one', ticket.slice(0, -3) + changed)).toBeUndefined();
    expect(openChallenge(sealed, 'one', '')).toBeUndefined();
    const uses = Array.from({ length: 6 }, () => useChallenge(database.db.global, challenge));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  test('expires, and its use is then forgotten', async () => {
    expect(openTicket(sealed, 'one', ticketOf(sealed, 'one', 'x', -1))).toBeUndefined();
    expect(openChallenge(sealed, 'one', ticketOf(sealed, 'one', 'x', -1))).toBe('stale');
    await useChallenge(database.db.global, 'old');
    await database.query("update used_challenges set expires_at = now() - interval '1 second'");
    expect(await useChallenge(database.db.global, 'old')).toBe(false);
    expect(await removeUsedChallenges(database.db)).toBeGreaterThan(0);
    expect(await useChallenge(database.db.global, 'old')).toBe(true);
  });
});

test('factors have names, and can all be removed', async () => {
  const { user } = await withApp();
  const { global } = database.db;
  const [factor] = await listFactors(global, user.id);
  expect(factor).toMatchObject({ kind: 'totp', name: 'Phone' });
  expect(await renameFactor(global, user.id, factor!.id, 'Old phone')).toBe(true);
  expect(await renameFactor(global, (await newUser()).id, factor!.id, 'Mine')).toBe(false);
  expect((await listFactors(global, user.id))[0]!.name).toBe('Old phone');
  expect(await removeFactor(global, (await newUser()).id, factor!.id, true)).toBe('unknown');
  expect(await global.transaction().execute((tx) => removeAllFactors(tx, user.id))).toBe(1);
  expect(await listFactors(global, user.id)).toEqual([]);
  expect(await remainingRecoveryCodes(global, user.id)).toBe(0);
});

const vector = {
  challenge: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
  credential_id: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
  client_data:
    '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
  attestation_object:
    'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  key: {
    d: Buffer.from('6e68e7a58484a3264f66b77f5d6dc5bc36a47085b615c9727ab334e8c369c2ee', 'hex').toString('base64url'),
    x: Buffer.from('afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61', 'hex').toString('base64url'),
    y: Buffer.from('930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220', 'hex').toString('base64url'),
  },
};
