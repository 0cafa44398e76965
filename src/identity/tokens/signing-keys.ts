/**
 * The keys that sign access tokens, shared by all processes through the database. Private keys are encrypted with a configured
 * key; /oauth/jwks publishes the public keys.
 *
 * Rotation with overlap: every key that isn't retired is published and accepted; the newest one signs. A key is retired when its
 * last token has expired. Every process is notified of both (see `platform/notify/listen.ts`).
 */
import { generateKeyPairSync } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import {
  type EncryptionKeys,
  type SealContext,
  secretHash,
  UnknownKey,
  vault,
} from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

const lockKey = 727_002; // any number that no other advisory lock of this database uses
const algorithm = 'ES256';
/** How long a replaced key may still sign: until the slowest process knows its successor. */
const handoverS = 600;

interface PublicKey {
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

/** The private keys, newest first; creates the first one. @throws when a key can't be decrypted or was altered */
export async function signingKeys(db: Database, encryptionKeys: EncryptionKeys): Promise<PrivateKey[]> {
  const found = await storedKeys(db, encryptionKeys);
  if (found.length > 0) return found;
  await db.global.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(tx);
    const existing = await tx
      .selectFrom('signing_keys')
      .select('id')
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    if (!existing) await addKey(tx, encryptionKeys);
  });
  return storedKeys(db, encryptionKeys);
}

/** @throws when no signing key can be decrypted, so that a command with a wrong key doesn't store what no process can read */
export async function refuseOtherEncryptionKeys(db: Database, encryptionKeys: EncryptionKeys): Promise<void> {
  const rows = await currentKeys(db).select(['id', 'private_jwk_encrypted']).execute();
  if (rows.length === 0 || rows.some((row) => !encryptedElsewhere(row, encryptionKeys))) return;
  throw new Error('the database was written with another ENCRYPTION_KEY: set that key');
}

/** Creates a new signing key; earlier ones stay accepted until `retireOldKeys`. @returns its id */
export async function rotateSigningKey(db: Database, encryptionKeys: EncryptionKeys): Promise<string> {
  return db.global.transaction().execute(async (tx) => {
    const id = await addKey(tx, encryptionKeys);
    await notifyAccessChanged(tx, { keys: true });
    return id;
  });
}

/** Retires keys whose last token has expired: those with a successor older than the token lifetime. @returns how many */
export async function retireOldKeys(db: Database, accessTokenLifetimeS: number): Promise<number> {
  return retireReplaced(db, accessTokenLifetimeS + handoverS);
}

/** Immediately retires every key but the newest, and so all their tokens: for a leaked key. @returns how many */
export async function retireReplacedKeysNow(db: Database): Promise<number> {
  return retireReplaced(db, 0);
}

/** Deletes keys a day after they are retired. @returns how many */
export async function removeRetiredKeys(db: Database): Promise<number> {
  const before = sql<string>`now() - interval '1 day'`;
  const result = await db.global.deleteFrom('signing_keys').where('retired_at', '<', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** The accepted public keys, newest first. */
export async function publicKeys(db: Database): Promise<PublicKey[]> {
  const rows = await currentKeys(db).select('public_jwk').execute();
  return rows.map((row) => row.public_jwk as unknown as PublicKey);
}

async function addKey(tx: Transaction<GlobalTables>, encryptionKeys: EncryptionKeys): Promise<string> {
  const { public_jwk: publicJwk, privateJwk } = newKey();
  const { kid: id } = publicJwk;
  const privateJwkEncrypted = keyVault(encryptionKeys).seal(JSON.stringify(privateJwk), keyContext(id));
  const row = {
    id,
    algorithm,
    public_jwk: JSON.stringify(publicJwk),
    private_jwk_encrypted: privateJwkEncrypted,
  };
  await tx.insertInto('signing_keys').values(row).execute();
  return id;
}

async function retireReplaced(db: Database, ageS: number): Promise<number> {
  return db.global.transaction().execute(async (tx) => {
    const retired = await tx
      .updateTable('signing_keys')
      .set({ retired_at: sql`now()` })
      .where('retired_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('signing_keys as successor')
            .select('successor.id')
            .whereRef('successor.created_at', '>', 'signing_keys.created_at')
            .where('successor.created_at', '<=', sql<string>`statement_timestamp() - ${ageS} * interval '1 second'`),
        ),
      )
      .returning('id')
      .execute();
    if (retired.length > 0) await notifyAccessChanged(tx, { keys: true });
    return retired.length;
  });
}

async function storedKeys(db: Database, encryptionKeys: EncryptionKeys): Promise<PrivateKey[]> {
  const rows = await currentKeys(db).select(['id', 'private_jwk_encrypted']).execute();
  return rows.map(({ id, private_jwk_encrypted: privateJwkEncrypted }) => {
    try {
      return JSON.parse(keyVault(encryptionKeys).open(privateJwkEncrypted, keyContext(id)));
    } catch (cause) {
      const reason =
        cause instanceof UnknownKey
          ? 'it was stored under another ENCRYPTION_KEY: set that key'
          : 'the stored key was altered: run `key rotate`, then `key retire --now`';
      throw new Error(`signing key ${id} can't be decrypted: ${reason}`, { cause });
    }
  });
}

function encryptedElsewhere(
  { id, private_jwk_encrypted: sealed }: { id: string; private_jwk_encrypted: Buffer },
  encryptionKeys: EncryptionKeys,
): boolean {
  try {
    keyVault(encryptionKeys).open(sealed, keyContext(id));
    return false;
  } catch (error) {
    return error instanceof UnknownKey; // an altered key is replaced with `key rotate`
  }
}

function currentKeys(db: Database) {
  return db.global
    .selectFrom('signing_keys')
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id');
}

/** A new ES256 key whose id is its thumbprint (RFC 7638). */
function newKey(): { public_jwk: PublicKey; privateJwk: PrivateKey } {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const { crv, kty, x, y, d } = jwk as unknown as PrivateKey;
  const kid = secretHash(JSON.stringify({ crv, kty, x, y })).toString('base64url');
  const publicJwk: PublicKey = { kty, crv, x, y, kid, alg: algorithm, use: 'sig' };
  return { public_jwk: publicJwk, privateJwk: { ...publicJwk, d } };
}

function keyContext(id: string): SealContext {
  return ['signing_keys', 'private_jwk_encrypted', id];
}

function keyVault(encryptionKeys: EncryptionKeys) {
  return vault(encryptionKeys, 'signing-keys');
}
