/**
 * A change of the sign-in address by the person: requested after a proof of identity, and effective once the mailed link is
 * opened and identity proved again. So neither a typo nor a stolen session moves an account. The encrypted link is valid while
 * the account has the old address, so it works once.
 */
import type { Language } from '../../contract/languages/language.ts';
import { openTicket, ticketOf } from '../../identity/factors/challenges.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry, Origin } from '../../platform/audit/entry.ts';
import { isBroken } from '../../platform/db/broken-constraint.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { type EncryptionKeys, vault } from '../../platform/secrets/secrets.ts';
import { type Confirmation, moveUser } from './move-user.ts';

const validDays = 1;
const dayMs = 86_400_000;
const purpose = 'own address';

interface OwnChange {
  user_id: string;
  old_address: string;
  new_address: string;
}

export interface OwnAddressLinks {
  token(change: OwnChange): string;
  /** @returns undefined for an invalid or expired token */
  open(token: string): OwnChange | undefined;
}

export function createOwnAddressLinks(encryptionKeys: EncryptionKeys): OwnAddressLinks {
  const sealed = vault(encryptionKeys, 'own-address-links');
  return {
    token: (change) => ticketOf(sealed, purpose, JSON.stringify(change), validDays * dayMs),
    open(token) {
      const change = openTicket(sealed, purpose, token);
      return change === undefined ? undefined : (JSON.parse(change) as OwnChange);
    },
  };
}

interface AddressRequester {
  user: { id: string; name: string; email: string };
  origin: Origin;
  language: Language;
}

/** Mails the link to the new address, even if someone else signs in with it: only the owner of that mailbox learns that. */
export async function requestOwnAddress(
  { db, mail, links, base_url: baseUrl }: { db: Database; mail: MailQueue; links: OwnAddressLinks; base_url: string },
  { user: { id, name, email }, origin, language }: AddressRequester,
  newAddress: string,
): Promise<void> {
  const token = links.token({ user_id: id, old_address: email, new_address: newAddress });
  const values = { name, link: `${baseUrl}/oauth/address/${token}`, daysValid: validDays };
  await db.global.transaction().execute(async (tx) => {
    await mail.queue(tx, { template: 'confirm_own_address', to: newAddress, language, values });
    await queueForUser(tx, id, entryOf(id, 'sign_in_address.requested', origin));
  });
}

/** @returns undefined for a link that is invalid, used, expired, or superseded */
export async function findOwnChange(db: Database, links: OwnAddressLinks, token: string) {
  const change = links.open(token);
  if (!change) return undefined;
  const user = await db.global
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash'])
    .where('id', '=', change.user_id)
    .where('email', '=', change.old_address)
    .executeTakeFirst();
  return user && { email: change.new_address, user };
}

/** @param language of the mail to the old address */
export async function confirmOwnAddress(
  db: Database,
  mail: MailQueue,
  change: NonNullable<Awaited<ReturnType<typeof findOwnChange>>>,
  language: Language,
  origin: Origin,
): Promise<Confirmation> {
  const { id: userId, name, email: to } = change.user;
  try {
    const moved = await db.global.transaction().execute(async (tx) => {
      if (!(await moveUser(tx, userId, { from: to, to: change.email }))) return false;
      await mail.queue(tx, { template: 'address_changed', to, language, values: { name } });
      const details = { by: 'account_page' };
      await queueForUser(tx, userId, { ...entryOf(userId, 'sign_in_address.changed', origin), details });
      return true;
    });
    if (!moved) return 'gone';
  } catch (error) {
    if (isBroken(error, 'users_email_key')) return 'taken';
    throw error;
  }
  return 'confirmed';
}

function entryOf(userId: string, action: string, origin: Origin): AuditEntry {
  return { action, actor: { type: 'user', user_id: userId }, origin, target: { type: 'user', id: userId } };
}
