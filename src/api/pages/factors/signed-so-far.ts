/**
 * Who has proved something on one page, for the next one: sealed in its form, for one purpose, this person and the password they
 * had, for some minutes. Nothing of it is in a session.
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
}

/** @param purpose what was proved, and where */
export function signedTicket(steps: Vault, purpose: string, { id, password_hash: passwordHash }: SignedUser): string {
  return ticketOf(steps, purpose, JSON.stringify({ id, mark: passwordMark(passwordHash) }), lifetimeMs);
}

/** @returns undefined when it was not proved for this purpose, too long ago, or with another password */
export async function openSigned(
  db: Database,
  steps: Vault,
  purpose: string,
  ticket: string,
): Promise<SignedUser | undefined> {
  const opened = openTicket(steps, purpose, ticket);
  if (!opened) return undefined;
  const { id, mark } = JSON.parse(opened) as { id: string; mark: string };
  const user = await findSigned(db, id);
  return user && passwordMark(user.password_hash) === mark ? user : undefined;
}

/** @returns undefined for who is not there any more, or has no password */
export async function findSigned(db: Database, id: string): Promise<SignedUser | undefined> {
  const user = await db.global
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.password_hash ? { ...user, password_hash: user.password_hash } : undefined;
}
