/** Inviting someone: a mail with a link, at most one a minute and five a day for each collaborator. */
import { v7 as uuidv7 } from 'uuid';
import type { CollaboratorRow } from '../access/records.ts';
import type { Tenant, TenantTransaction } from '../db/tenant.ts';
import { Problem } from '../errors.ts';
import { emit } from '../events/emit.ts';
import type { MailQueue } from '../mail/queue.ts';
import { newSecret, secretHash } from '../secrets.ts';
import { recordHistory } from './history.ts';
import { cancelInvitations, invitationToken, newestInvitation } from './invitations.ts';
import { changeStatus, invalidTransition } from './status.ts';
import { eventSubject } from './view.ts';
import { type Actor, lockCollaborator } from './write.ts';

const valid_days = 7;
const day_ms = 86_400_000;
const pause_ms = 60_000;
const most_a_day = 5;

export interface Postage {
  mail: MailQueue;
  /** Where the link leads. */
  base_url: string;
}

/**
 * Invites a collaborator in a transaction of its own.
 * @returns what was told to the caller
 * @throws what `invite` throws
 */
export async function inviteNow(tenant: Tenant, actor: Actor, id: string, postage: Postage): Promise<string> {
  return tenant.transaction(async (tx) => {
    const row = await lockCollaborator(tx, id);
    await invite(tx, actor, row, postage);
    return `Invitation sent to ${row.email}.`;
  });
}

/**
 * Invites a locked collaborator by mail, as a job of the same transaction.
 * @throws 409 `already_active`, `invalid_status_transition`; 429 `invitation_throttled`
 */
export async function invite(
  tx: TenantTransaction,
  actor: Actor,
  row: CollaboratorRow,
  { mail, base_url }: Postage,
): Promise<void> {
  if (row.status === 'active') throw new Problem(409, 'already_active', 'This collaborator is active already.');
  if (row.status === 'inactive' && row.accepted_at) throw invalidTransition(row, 'pending');
  await throttle(tx, row.id);
  const pending = await changeStatus(tx, actor, row, 'pending', null);

  await cancelInvitations(tx, row.id);
  const secret = newSecret();
  const sent_at = new Date();
  const expires_at = new Date(sent_at.getTime() + valid_days * day_ms).toISOString();
  const invitation = {
    id: uuidv7(),
    collaborator_id: row.id,
    token_hash: secretHash(secret),
    sent_by: actor.user_id,
    sent_at: sent_at.toISOString(),
    expires_at,
  };
  await tx.insertInto('invitations', invitation).execute();
  const { name: company } = await tx.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', tx.company_id)
    .executeTakeFirstOrThrow();
  const link = `${base_url}/oauth/invitation/${invitationToken(tx.company_id, secret)}`;
  const values = { name: pending.name, company, link, days_valid: valid_days };
  await mail.queue(tx.raw, { template: 'invitation', to: pending.email, values });
  await recordHistory(tx, {
    collaborator_id: row.id,
    action: 'invited',
    description: `Invitation sent to ${pending.email}`,
    user_id: actor.user_id,
  });
  const { send_count } = await newestInvitation(tx, row.id);
  const { sent_by, sent_at: sent } = invitation;
  await emit(tx, 'collaborator.invited', { ...eventSubject(pending), sent_by, sent_at: sent, expires_at, send_count });
}

async function throttle(tx: TenantTransaction, collaborator_id: string): Promise<void> {
  const since = new Date(Date.now() - day_ms).toISOString();
  const sent = await tx
    .selectFrom('invitations')
    .select('sent_at')
    .where('collaborator_id', '=', collaborator_id)
    .where('sent_at', '>', since)
    .orderBy('sent_at', 'desc')
    .limit(most_a_day)
    .execute();
  const newest = sent[0] ? Date.parse(sent[0].sent_at) + pause_ms : 0;
  const fifth = sent.length === most_a_day ? Date.parse(sent.at(-1)!.sent_at) + day_ms : 0;
  const wait_ms = Math.max(newest, fifth) - Date.now();
  if (wait_ms <= 0) return;
  throw new Problem(429, 'invitation_throttled', 'This collaborator was invited just now, or five times today.', {
    headers: { 'Retry-After': String(Math.ceil(wait_ms / 1000)) },
  });
}
