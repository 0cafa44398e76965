/**
 * Codes of authenticator apps (RFC 6238): six digits, a new one every 30 seconds, from a secret that the app and we share.
 *
 * SHA-1 and six digits, for some apps take every QR code and then use these whatever it says. A code is taken once: the row
 * keeps the step of the last one, and all processes share it.
 */
import type { Kysely, Transaction } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';

const issuer = 'Collaborators';
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks of phones are a little off, and people type slowly: the code before and the one after count, too (section 5.2). */
const stepsOff = 1;
const secretBytes = 20;

/** A new secret, in base32, as people type it where they can't scan. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What the QR code says: an `otpauth:` address, which authenticator apps understand. @param label whose account it is */
export function totpAddress(secret: string, label: string): string {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), ...parameters }).toString();
}

/**
 * @param typed as a person types it: spaces count for nothing
 * @param atMs milliseconds since 1970
 * @returns the step that the code belongs to; undefined for a wrong one
 */
export function stepOf(secret: string, typed: string, atMs: number): number | undefined {
  const token = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const found = { token, secret: Secret.fromBase32(secret), ...parameters, timestamp: atMs, window: stepsOff };
  const delta = TOTP.validate(found);
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp: atMs }) + delta;
}

interface NewTotp {
  user_id: string;
  name: string;
  secret: string;
  /** Of the code by which it was confirmed. */
  step: number;
}

export async function addTotp(tx: Transaction<GlobalTables>, sealed: Vault, added: NewTotp): Promise<void> {
  const { user_id: userId, name, secret, step } = added;
  const id = newId();
  const now = new Date().toISOString();
  const secretEncrypted = sealed.seal(secret, placeOf(id));
  const times = { created_at: now, last_used_at: now };
  await tx
    .insertInto('totp_factors')
    .values({ id, user_id: userId, name, secret_encrypted: secretEncrypted, last_step: step, ...times })
    .execute();
}

/**
 * Whether it is the code of an app of theirs, and was not used before. It is used by this.
 * @param atMs milliseconds since 1970
 */
export async function useTotp(
  db: Kysely<GlobalTables>,
  sealed: Vault,
  userId: string,
  typed: string,
  atMs = Date.now(),
): Promise<boolean> {
  const factors = await db
    .selectFrom('totp_factors')
    .select(['id', 'secret_encrypted'])
    .where('user_id', '=', userId)
    .execute();
  for (const { id, secret_encrypted: secretEncrypted } of factors) {
    const step = stepOf(sealed.open(secretEncrypted, placeOf(id)), typed, atMs);
    if (step === undefined) continue;
    const used = await db
      .updateTable('totp_factors')
      .set({ last_step: step, last_used_at: new Date(atMs).toISOString() })
      .where('id', '=', id)
      .where('last_step', '<', step)
      .returning('id')
      .executeTakeFirst();
    if (used) return true;
  }
  return false;
}

function placeOf(id: string): readonly [string, string, string] {
  return ['totp_factors', 'secret_encrypted', id];
}
