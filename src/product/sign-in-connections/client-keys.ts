/**
 * Keys that a connection authenticates with at its provider: `private_key_jwt` (RFC 7523; OpenID Connect Core 1.0, section 9). Each
 * connection has its own, so an assertion for one provider is of no use to another.
 *
 * Rotation with overlap: a new key is published at once and signs a day later, when providers have read it; the key before it is
 * published for another day.
 */
import { generateKeyPairSync, type webcrypto } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { SealContext } from '../../platform/secrets/secrets.ts';
import { newId } from '../../platform/values/ids.ts';
import type { SignInSettings } from './sign-in-settings.ts';

type ClientKey = components['schemas']['ClientKey'];

export interface PrivateClientKey {
  kid: string;
  jwk: webcrypto.JsonWebKey;
}

const now = sql<string>`statement_timestamp()`;
const afterDays = (days: number): RawBuilder<string> => sql`statement_timestamp() + make_interval(days => ${days})`;

const keyContext = (id: string): SealContext => ['sign_in_keys', 'private_jwk_encrypted', id];

/** Newest first. */
export async function clientKeysOf(tenant: Tenant, connectionId: string): Promise<ClientKey[]> {
  return published(tenant.global, connectionId)
    .select(['id', 'created_at', 'signs_from', 'expires_at'])
    .where('company_id', '=', tenant.company_id)
    .execute();
}

/** The JSON Web Key Set (RFC 7517) for the provider. */
export async function publicClientKeys(db: Database, connectionId: string): Promise<{ keys: unknown[] }> {
  const rows = await published(db.global, connectionId).select('public_jwk').execute();
  return { keys: rows.map((row) => row.public_jwk) };
}

/** The key that signs now. @returns undefined if the connection has none */
export async function signingClientKey(
  db: Database,
  { vault }: Pick<SignInSettings, 'vault'>,
  connectionId: string,
): Promise<PrivateClientKey | undefined> {
  const row = await published(db.global, connectionId)
    .select(['id', 'private_jwk_encrypted as sealed'])
    .where('signs_from', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row && { kid: row.id, jwk: JSON.parse(vault.open(row.sealed, keyContext(row.id))) };
}

/** The connection must be locked. @throws 409 while an earlier rotation isn't finished */
export async function rotateClientKey(
  tx: TenantTransaction,
  settings: Pick<SignInSettings, 'vault'>,
  connectionId: string,
): Promise<void> {
  const known = await clientKeysOf(tx, connectionId);
  if (known.length > 1) {
    const text = t`The key before the last rotation is still published. Rotate again after that.`;
    throw new Problem(409, 'conflict', text);
  }
  await tx.global
    .updateTable('sign_in_keys')
    .set({ expires_at: afterDays(2) })
    .where('connection_id', '=', connectionId)
    .where('company_id', '=', tx.company_id)
    .where('expires_at', 'is', null)
    .execute();
  await addKey(tx, settings, connectionId, known.length === 0 ? now : afterDays(1));
}

/** Creates the first key, unless there is one. The connection must be locked. */
export async function ensureClientKey(
  tx: TenantTransaction,
  settings: Pick<SignInSettings, 'vault'>,
  connectionId: string,
): Promise<void> {
  if ((await clientKeysOf(tx, connectionId)).length === 0) await rotateClientKey(tx, settings, connectionId);
}

export async function removeClientKeys(tx: TenantTransaction, connectionId: string): Promise<void> {
  await tx.global
    .deleteFrom('sign_in_keys')
    .where('connection_id', '=', connectionId)
    .where('company_id', '=', tx.company_id)
    .execute();
}

/** @returns how many */
export async function removeExpiredClientKeys(db: Database): Promise<number> {
  const result = await db.global
    .deleteFrom('sign_in_keys')
    .where('expires_at', '<', sql<string>`now()`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

async function addKey(
  tx: TenantTransaction,
  { vault }: Pick<SignInSettings, 'vault'>,
  connectionId: string,
  signsFrom: RawBuilder<string>,
): Promise<void> {
  const id = newId();
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const { kty, crv, x, y } = jwk;
  await tx.global
    .insertInto('sign_in_keys')
    .values({
      id,
      connection_id: connectionId,
      company_id: tx.company_id,
      public_jwk: JSON.stringify({ kty, crv, x, y, kid: id, alg: 'ES256', use: 'sig' }),
      private_jwk_encrypted: vault.seal(JSON.stringify(jwk), keyContext(id)),
      created_at: now,
      signs_from: signsFrom,
    })
    .execute();
}

function published(global: Database['global'] | Tenant['global'], connectionId: string) {
  return global
    .selectFrom('sign_in_keys')
    .where('connection_id', '=', connectionId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('signs_from', 'desc')
    .orderBy('id', 'desc');
}
