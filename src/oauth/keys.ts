/**
 * The keys that sign access tokens, shared by all processes through the database. Private keys are encrypted with a
 * key from the configuration; public keys are what /oauth/jwks shows and what tokens are verified with.
 *
 * Rotation with overlap: every key that is not retired is published and accepted; the newest one signs.
 */
import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { secretHash, vault } from '../secrets.ts';

const lock_key = 727_002; // any number that no other advisory lock of this database uses
const algorithm = 'ES256';

export interface PublicKey {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: typeof algorithm;
  use: 'sig';
}

export interface PrivateKey extends PublicKey {
  d: string;
}

/**
 * The private keys, newest first. The first process to ask makes the first key; others that ask at the same time wait
 * for it.
 * @throws one clear sentence when a key was encrypted with another configured key
 */
export async function signingKeys(db: Database, encryption_key: Buffer): Promise<PrivateKey[]> {
  const found = await storedKeys(db, encryption_key);
  if (found.length > 0) return found;
  await db.global.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lock_key})`.execute(tx);
    const existing = await tx
      .selectFrom('signing_keys')
      .select('id')
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    if (existing) return;
    const { public_jwk, private_jwk } = newKey();
    const private_jwk_encrypted = keyVault(encryption_key).seal(JSON.stringify(private_jwk));
    const row = { id: public_jwk.kid, algorithm, public_jwk: JSON.stringify(public_jwk), private_jwk_encrypted };
    await tx.insertInto('signing_keys').values(row).execute();
  });
  return storedKeys(db, encryption_key);
}

/** The public keys that tokens may be signed with, newest first. */
export async function publicKeys(db: Database): Promise<PublicKey[]> {
  const rows = await currentKeys(db).select('public_jwk').execute();
  return rows.map((row) => row.public_jwk as unknown as PublicKey);
}

async function storedKeys(db: Database, encryption_key: Buffer): Promise<PrivateKey[]> {
  const rows = await currentKeys(db).select(['id', 'private_jwk_encrypted']).execute();
  return rows.map(({ id, private_jwk_encrypted }) => {
    try {
      return JSON.parse(keyVault(encryption_key).open(private_jwk_encrypted));
    } catch (cause) {
      throw new Error(`signing key ${id} can not be decrypted: it was stored under another ENCRYPTION_KEY`, { cause });
    }
  });
}

function currentKeys(db: Database) {
  return db.global
    .selectFrom('signing_keys')
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id');
}

/** A new ES256 key whose id is its thumbprint (RFC 7638). */
function newKey(): { public_jwk: PublicKey; private_jwk: PrivateKey } {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const { crv, kty, x, y, d } = jwk as unknown as PrivateKey;
  const kid = secretHash(JSON.stringify({ crv, kty, x, y })).toString('base64url');
  const public_jwk: PublicKey = { kty, crv, x, y, kid, alg: algorithm, use: 'sig' };
  return { public_jwk, private_jwk: { ...public_jwk, d } };
}

function keyVault(encryption_key: Buffer) {
  return vault(encryption_key, 'signing-keys');
}
