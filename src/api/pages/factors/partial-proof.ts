/**
 * Carries a partial proof to the next page, encrypted in its form, bound to purpose, person, and password. Not in the session.
 */
import { openTicket, ticketOf } from '../../../identity/factors/challenges.ts';
import { passwordMark } from '../../../identity/passwords/passwords.ts';
import type { Database } from '../../../platform/db/client.ts';
import type { Vault } from '../../../platform/secrets/secrets.ts';

const lifetimeMs = 15 * 60_000;

export interface SignedUser {
  id: string;
  name: string;
  email: string;
  password_hash: string;
  /** The session at a company's provider, in base64url (`providerSessionHash`). */
  provider_session?: string | undefined;
}

interface Signed extends Pick<SignedUser, 'id' | 'provider_session'> {
  mark: string;
}

export function signedTicket(steps: Vault, purpose: string, user: SignedUser): string {
  const { id, password_hash: passwordHash, provider_session } = user;
  const signed: Signed = { id, mark: passwordMark(passwordHash), provider_session };
  return ticketOf(steps, purpose, JSON.stringify(signed), lifetimeMs);
}

/** @returns undefined for another purpose, an expired ticket, or a changed password */
export async function openSignedTicket(
  db: Database,
  steps: Vault,
  purpose: string,
  ticket: string,
): Promise<SignedUser | undefined> {
  const opened = openTicket(steps, purpose, ticket);
  if (!opened) return undefined;
  const { id, mark, provider_session } = JSON.parse(opened) as Signed;
  const user = await findSignedUser(db, id);
  return user && passwordMark(user.password_hash) === mark ? { ...user, provider_session } : undefined;
}

/** @returns undefined if the user is gone or has no password */
export async function findSignedUser(db: Database, id: string): Promise<SignedUser | undefined> {
  const user = await db.global
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.password_hash ? { ...user, password_hash: user.password_hash } : undefined;
}
