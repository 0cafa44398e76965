/** Invites people: a mail with a link, at most one a minute and five a day per collaborator. */

import { sql } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { type Text, t } from '../../contract/languages/text.ts';
import { forbidden, Problem } from '../../contract/problem.ts';
import type { Member } from '../../identity/members/member.ts';
import { languageOfCompany, languageOfMember, languagesOf } from '../../identity/members/own-language.ts';
import { insertEach } from '../../platform/db/insert-each.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import { secondsUntilTomorrow } from '../../platform/mail/mail-quota.ts';
import { newSecret, secretHash } from '../../platform/secrets/secrets.ts';
import { newId } from '../../platform/values/ids.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { hasLeft } from '../collaborators/fields/employment-dates.ts';
import { cancelInvitations, invitationToken, newestInvitation } from '../collaborators/membership/invitations.ts';
import { eventSubject } from '../collaborators/responses/collaborator-response.ts';
import { changeStatus, invalidTransition } from '../collaborators/status.ts';
import { type Actor, lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { type HistoryEntry, recordEach, recordHistory } from '../collaborators/write/history.ts';
import { emit, emitEach } from '../events/emit.ts';

const validDays = 7;
const dayMs = 86_400_000;
const pauseMs = 60_000;
const maxPerDay = 5;

export interface Postage {
  mail: MailQueue;
  base_url: string;
}

/** The inviter. The role is null for the operator's command line, which has an admin's rights. */
interface Inviter extends Actor {
  role: Member['role'] | null;
}

/** Invites a collaborator in its own transaction. @returns the message for the caller */
export async function inviteNow(tenant: Tenant, inviter: Inviter, id: string, postage: Postage): Promise<Text> {
  return counted(tenant, async (tx) => {
    const row = await lockCollaborator(tx, id);
    await invite(tx, inviter, row, postage);
    return t`Invitation sent to ${row.email}.`;
  });
}

/**
 * An active person who hasn't accepted stays active; a deactivated one becomes pending again, which only an admin may do.
 * @throws 403 `forbidden`; 409 `already_active`, `invalid_status_transition`, `conflict`; 429 `invitation_throttled`
 */
export async function invite(
  tx: CountedTransaction,
  inviter: Inviter,
  row: CollaboratorRow,
  { mail, base_url: baseUrl }: Postage,
): Promise<void> {
  const actor: Actor = { user_id: inviter.user_id };
  if (row.status === 'active' && row.user_id) {
    throw new Problem(409, 'already_active', t`This collaborator is already active and has accepted an invitation.`);
  }
  if (row.status === 'inactive' && row.accepted_at) throw invalidTransition(row, 'pending');
  if (row.status === 'inactive' && inviter.role && inviter.role !== 'admin') throw forbidden('admin');
  if (await hasLeft(tx, row)) throw employmentEnded(row.termination_date!);
  await throttle(tx, row.id);
  const pending = row.status === 'active' ? row : await changeStatus(tx, actor, row, 'pending', null);

  await cancelInvitations(tx, [row.id]);
  const { secret, invitation } = newInvitation(actor, row);
  await tx.insertInto('invitations', invitation).execute();
  const company = await companyName(tx);
  const language = await languagesFor(tx, actor, [row]);
  const queued = await mail.queueOfCompany(tx, [mailOf(tx, pending, secret, { company, base_url: baseUrl, language })]);
  if (queued === 0) throw mailLimitReached();
  recordHistory(tx, invitedEntry(actor, pending));
  const { send_count: sendCount } = await newestInvitation(tx, row.id);
  emit(tx, 'collaborator.invited', { ...eventSubject(pending), ...sendDetails(invitation), send_count: sendCount });
}

/**
 * Invites pending people added by this transaction, in a constant number of statements. About a thousand at a time. People beyond
 * the company's daily mail limit aren't invited, and can be invited later.
 */
export async function inviteAdded(
  tx: TenantTransaction,
  actor: Actor,
  added: readonly CollaboratorRow[],
  { mail, base_url: baseUrl }: Postage,
): Promise<void> {
  const rows = added.filter(({ status }) => status === 'pending');
  if (rows.length === 0) return;
  const company = await companyName(tx);
  const prepared = rows.map((row) => ({ row, ...newInvitation(actor, row) }));
  const language = await languagesFor(tx, actor, rows);
  const mails = prepared.map(({ row, secret }) => mailOf(tx, row, secret, { company, base_url: baseUrl, language }));
  const queuedInvitations = prepared.slice(0, await mail.queueOfCompany(tx, mails));
  if (queuedInvitations.length === 0) return;
  const earlier = await replaceInvitations(
    tx,
    queuedInvitations.map(({ row }) => row.id),
  );
  const invitations = queuedInvitations.map(({ invitation }) => invitation);
  await insertEach(tx, 'invitations', invitationColumns, invitations).execute(tx.raw);
  recordEach(
    tx,
    queuedInvitations.map(({ row }) => invitedEntry(actor, row)),
  );
  const payloads = queuedInvitations.map(({ row, invitation }) => {
    return { ...eventSubject(row), ...sendDetails(invitation), send_count: 1 + (earlier.get(row.id) ?? 0) };
  });
  emitEach(tx, 'collaborator.invited', payloads);
}

/** Cancels invitations of people added by a directory. @returns the number of earlier invitations by person */
async function replaceInvitations(tx: TenantTransaction, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('invitations')
    .select(({ fn }) => ['collaborator_id as id', fn.countAll<number>().as('number')] as const)
    .where('collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .groupBy('collaborator_id')
    .execute();
  const earlier = new Map(rows.map(({ id, number }) => [id, number]));
  if (earlier.size > 0) await cancelInvitations(tx, [...earlier.keys()]);
  return earlier;
}

function employmentEnded(lastDay: string): Problem {
  const message = t`The last day of this collaborator was ${lastDay}. Clear or change termination_date first.`;
  return new Problem(409, 'conflict', message);
}

function mailLimitReached(): Problem {
  const message = t`Your company has reached its daily email limit. It resets at midnight (UTC).`;
  return new Problem(429, 'invitation_throttled', message, {
    headers: { 'Retry-After': String(secondsUntilTomorrow()) },
  });
}

const invitationColumns = {
  id: 'uuid',
  collaborator_id: 'uuid',
  token_hash: 'bytea',
  sent_by: 'uuid',
  sent_at: 'timestamptz',
  expires_at: 'timestamptz',
};

interface NewInvitation {
  id: string;
  collaborator_id: string;
  token_hash: Buffer;
  sent_by: string | null;
  sent_at: string;
  expires_at: string;
}

function newInvitation(actor: Actor, row: CollaboratorRow): { secret: string; invitation: NewInvitation } {
  const secret = newSecret();
  const sentAt = new Date();
  const invitation = {
    id: newId(),
    collaborator_id: row.id,
    token_hash: secretHash(secret),
    sent_by: actor.user_id,
    sent_at: sentAt.toISOString(),
    expires_at: new Date(sentAt.getTime() + validDays * dayMs).toISOString(),
  };
  return { secret, invitation };
}

async function companyName(tx: TenantTransaction): Promise<string> {
  const { name } = await tx.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', tx.company_id)
    .executeTakeFirstOrThrow();
  return name;
}

function mailOf(
  { company_id: companyId }: TenantTransaction,
  { id, name, email: to }: CollaboratorRow,
  secret: string,
  { company, base_url: baseUrl, language }: { company: string; base_url: string; language: (id: string) => Language },
): Mail {
  const link = `${baseUrl}/oauth/invitation/${invitationToken(companyId, secret)}`;
  return {
    template: 'invitation',
    to,
    language: language(id),
    values: { name, company, link, daysValid: validDays },
  };
}

/** The languages from the company's records, else of the company, or the inviter: most people of a company share one. */
async function languagesFor(
  tx: TenantTransaction,
  { user_id: userId }: Actor,
  rows: readonly CollaboratorRow[],
): Promise<(id: string) => Language> {
  const [set, companyLanguage, inviterLanguage] = await Promise.all([
    languagesOf(
      tx,
      rows.map(({ id }) => id),
    ),
    languageOfCompany(tx),
    userId ? languageOfMember(tx, userId) : undefined,
  ]);
  return (id) => set.get(id) ?? companyLanguage ?? inviterLanguage ?? defaultLanguage;
}

function invitedEntry(actor: Actor, row: CollaboratorRow): HistoryEntry {
  const description = `Invitation sent to ${row.email}`;
  return { collaborator_id: row.id, action: 'invited', description, user_id: actor.user_id };
}

function sendDetails({ sent_by: sentBy, sent_at: sentAt, expires_at: expiresAt }: NewInvitation) {
  return { sent_by: sentBy, sent_at: sentAt, expires_at: expiresAt };
}

async function throttle(tx: TenantTransaction, collaboratorId: string): Promise<void> {
  const since = new Date(Date.now() - dayMs).toISOString();
  const sent = await tx
    .selectFrom('invitations')
    .select('sent_at')
    .where('collaborator_id', '=', collaboratorId)
    .where('sent_at', '>', since)
    .orderBy('sent_at', 'desc')
    .limit(maxPerDay)
    .execute();
  const newest = sent[0] ? Date.parse(sent[0].sent_at) + pauseMs : 0;
  const fifth = sent.length === maxPerDay ? Date.parse(sent.at(-1)!.sent_at) + dayMs : 0;
  const waitMs = Math.max(newest, fifth) - Date.now();
  if (waitMs <= 0) return;
  const message =
    fifth > newest
      ? t`This collaborator was invited five times in 24 hours. Try again tomorrow.`
      : t`This collaborator was invited less than a minute ago. Try again in a minute.`;
  throw new Problem(429, 'invitation_throttled', message, {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });
}
