/**
 * Authenticator app codes (RFC 6238). SHA-1 and six digits, because some apps accept any QR code but always use these. A code
 * works once: the row stores the last used step.
 */
import type { Kysely, Transaction } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';

const issuer = 'Collaborators';
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Phone clocks drift and people type slowly, so the previous and next codes are valid too (section 5.2). */
const allowedDrift = 1;
const secretBytes = 20;

/** In base32, so that people can type it. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth:` URL for the QR code. @param label whose account it is */
export function totpAddress(secret: string, label: string): string {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), ...parameters }).toString();
}

/**
 * @param typed user input; spaces are ignored
 * @returns the step of the code; undefined for a wrong one
 */
export function stepOf(secret: string, typed: string, atMs: number): number | undefined {
  const token = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const found = { token, secret: Secret.fromBase32(secret), ...parameters, timestamp: atMs, window: allowedDrift };
  const delta = TOTP.validate(found);
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp: atMs }) + delta;
}

interface NewTotp {
  user_id: string;
  name: string;
  secret: string;
  /** Of the code that confirmed it. */
  step: number;
}

export async function addTotp(tx: Transaction<GlobalTables>, sealed: Vault, added: NewTotp): Promise<void> {
  const { user_id: userId, name, secret, step } = added;
  const id = newId();
  const now = new Date().toISOString();
  const secretEncrypted = sealed.seal(secret, contextOf(id));
  const times = { created_at: now, last_used_at: now };
  await tx
    .insertInto('totp_factors')
    .values({ id, user_id: userId, name, secret_encrypted: secretEncrypted, last_step: step, ...times })
    .execute();
}

/** Whether it is an unused code of one of the user's apps. Uses it. */
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
    const step = stepOf(sealed.open(secretEncrypted, contextOf(id)), typed, atMs);
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

function contextOf(id: string): readonly [string, string, string] {
  return ['totp_factors', 'secret_encrypted', id];
}
