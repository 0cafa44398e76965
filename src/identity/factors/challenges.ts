/** Passkey challenges. The page carries its challenge encrypted, so any process can verify it, once, for one purpose. */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type SealContext, secretHash, type Vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

const lifetimeMs = 10 * 60_000;
const challengeBytes = 32;

interface Challenge {
  /** In base64url, as browsers return it. */
  challenge: string;
  /** The encrypted challenge for the page. */
  ticket: string;
}

/** @param purpose what it is for, including the user */
export function newChallenge(sealed: Vault, purpose: string): Challenge {
  const challenge = randomBytes(challengeBytes).toString('base64url');
  return { challenge, ticket: ticketOf(sealed, purpose, challenge, lifetimeMs) };
}

/** @returns `stale` for an expired one; undefined for another purpose, or a forged one */
export function openChallenge(
  sealed: Vault,
  purpose: string,
  ticket: string,
): { challenge: string } | 'stale' | undefined {
  const opened = openToken(sealed, contextOf(purpose), ticket);
  if (!opened) return undefined;
  return opened.is_over ? 'stale' : { challenge: opened.values[0]! };
}

/**
 * @param validMs remaining validity in milliseconds, during which the use is remembered
 * @returns false if it was used before, in any process
 */
export async function useChallenge(
  db: Kysely<GlobalTables>,
  challenge: string,
  validMs = lifetimeMs,
): Promise<boolean> {
  const expiresAt = new Date(Date.now() + validMs).toISOString();
  const used = await db
    .insertInto('used_challenges')
    .values({ challenge_hash: secretHash(challenge), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst();
  return used !== undefined;
}

/** Called by the worker. @returns the number of deleted rows */
export async function removeUsedChallenges(db: Database): Promise<number> {
  return removeOlder(db.global, 'used_challenges', 'expires_at', new Date().toISOString());
}

/** An encrypted value that a page carries between requests. */
export function ticketOf(sealed: Vault, purpose: string, value: string, validMs: number): string {
  return sealToken(sealed, contextOf(purpose), [value], validMs);
}

/** @returns the value of `ticketOf` for this purpose; undefined when it has expired or is invalid */
export function openTicket(sealed: Vault, purpose: string, ticket: string): string | undefined {
  const opened = openToken(sealed, contextOf(purpose), ticket);
  return opened && !opened.is_over ? opened.values[0] : undefined;
}

/** Tickets aren't stored in a table, so they have a place of their own. */
function contextOf(purpose: string): SealContext {
  return ['page', purpose];
}
