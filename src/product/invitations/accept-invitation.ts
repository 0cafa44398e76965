/**
 * Accepts an invitation: the person behind the link becomes a user, and the collaborator active. The link proves access to a
 * mailbox, so it stops working when the collaborator's address changes.
 */
import { sql } from 'kysely';
import type { Language } from '../../contract/languages/language.ts';
import { Problem } from '../../contract/problem.ts';
import { languagesOf } from '../../identity/members/own-language.ts';
import { findAccount } from '../../identity/users/users.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newId } from '../../platform/values/ids.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { hasLeft } from '../collaborators/fields/employment-dates.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { parseInvitationToken } from '../collaborators/membership/invitations.ts';
import { addMembership } from '../collaborators/membership/link-user.ts';
import { eventSubject } from '../collaborators/responses/collaborator-response.ts';
import { changeStatus } from '../collaborators/status.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { recordHistory } from '../collaborators/write/history.ts';
import { emit } from '../events/emit.ts';
import { enabledConnections } from '../sign-in-connections/connection-at-sign-in.ts';

export interface OpenInvitation {
  company: string;
  name: string;
  email: string;
  language: Language | undefined;
  /** The existing user with this address; without a password, they choose one like a new user. */
  user: { id: string; name: string; email: string; password_hash: string | null } | undefined;
  connections: { id: string; name: string }[];
}

/** @returns undefined for a link that is unknown, used, expired, or replaced, or for a person who has left */
export async function findInvitation(db: Database, token: string): Promise<OpenInvitation | undefined> {
  const parsed = parseInvitationToken(token);
  if (!parsed) return undefined;
  const tenant = db.tenant(parsed.company_id);
  const row = await openInvitation(tenant, parsed.token_hash);
  if (!row) return undefined;
  const { name: company } = await db.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', tenant.company_id)
    .executeTakeFirstOrThrow();
  const { name, email, collaborator_id: collaboratorId } = row;
  const languages = await languagesOf(tenant, [collaboratorId]);
  const connections = await enabledConnections(db, tenant.company_id);
  const user = await findAccount(tenant.global, email);
  return { company, name, email, language: languages.get(collaboratorId), user, connections };
}

/** A user who was just authenticated as in a sign-in, or a new password. */
type AcceptingUser = { user_id: string } | { password_hash: string };

/**
 * None but `accepted` changes anything. `account_changed`: the account with that address has changed meanwhile. `someone_else`:
 * the user is already another collaborator of the company.
 */
type Acceptance = 'accepted' | 'gone' | 'account_changed' | 'someone_else';

/** Consumes the link: activates the collaborator, and links or creates the user with that address. */
export async function acceptInvitation(
  db: Database,
  token: string,
  acceptingUser: AcceptingUser,
  origin?: Origin,
): Promise<Acceptance> {
  const parsed = parseInvitationToken(token);
  if (!parsed) return 'gone';
  try {
    return await counted(db.tenant(parsed.company_id), (tx) => accept(tx, parsed.token_hash, acceptingUser, origin));
  } catch (error) {
    if (error instanceof NotAccepted) return error.reason;
    throw error;
  }
}

/**
 * For a person authenticated by the company's identity provider.
 * @param link links them to a user, as the last step that may fail
 */
export async function acceptWithin(
  db: Database,
  token: string,
  companyId: string,
  origin: Origin,
  link: (tx: CountedTransaction, row: CollaboratorRow) => Promise<CollaboratorRow & { user_id: string }>,
): Promise<'accepted' | 'gone'> {
  const parsed = parseInvitationToken(token);
  if (parsed?.company_id !== companyId) return 'gone';
  try {
    return await counted(db.tenant(companyId), async (tx) => {
      await lockAdmins(tx);
      const used = await consumeInvitation(tx, parsed.token_hash);
      if (!used) return 'gone';
      const linked = await link(tx, used);
      await welcome(tx, linked);
      recordAccepted(tx, linked.user_id, linked.id, origin);
      return 'accepted';
    });
  } catch (error) {
    if (error instanceof NotAccepted) return 'gone';
    throw error;
  }
}

/** Rolls back. */
class NotAccepted extends Error {
  readonly reason: Acceptance;

  constructor(reason: Acceptance) {
    super(reason);
    this.reason = reason;
  }
}

async function accept(
  tx: CountedTransaction,
  tokenHash: Buffer,
  acceptingUser: AcceptingUser,
  origin: Origin | undefined,
): Promise<Acceptance> {
  const row = await consumeInvitation(tx, tokenHash);
  if (!row) return 'gone';
  const userId = await accountOf(tx, row, acceptingUser);
  await activateMember(tx, row, userId);
  recordAccepted(tx, userId, row.id, origin);
  return 'accepted';
}

/** @returns the locked collaborator; undefined for a link that can't be used (anymore) */
async function consumeInvitation(tx: CountedTransaction, tokenHash: Buffer): Promise<CollaboratorRow | undefined> {
  const found = await openInvitation(tx, tokenHash);
  if (!found) return undefined;
  // Collaborator first, then invitation: the lock order of all callers.
  const row = await lockCollaborator(tx, found.collaborator_id).catch(asNotAccepted);
  if (!(await openInvitation(tx, tokenHash))) return undefined; // used, canceled, or moved while waiting for the lock
  if (await hasLeft(tx, row)) return undefined; // the worker hasn't canceled it yet
  await tx
    .updateTable('invitations')
    .set({ state: 'accepted' })
    .where('collaborator_id', '=', row.id)
    .where('token_hash', '=', tokenHash)
    .execute();
  return row;
}

function recordAccepted(tx: TenantTransaction, userId: string, id: string, origin: Origin | undefined): void {
  const target = { type: 'collaborator', id };
  recordAudit(tx, { action: 'invitation.accepted', actor: { type: 'user', user_id: userId }, origin, target });
}

function asNotAccepted(error: unknown): never {
  throw error instanceof Problem && error.status === 404 ? new NotAccepted('gone') : error;
}

/** @returns the id of the accepting user, created if there is none */
async function accountOf(tx: TenantTransaction, row: CollaboratorRow, acceptingUser: AcceptingUser): Promise<string> {
  const user = await findAccount(tx.global, row.email);
  if ('user_id' in acceptingUser) {
    if (user?.id !== acceptingUser.user_id) throw new NotAccepted('account_changed');
    return user.id;
  }
  const account = user ? await setFirstPassword(tx, user.id, acceptingUser) : await addUser(tx, row, acceptingUser);
  if (!account) throw new NotAccepted('account_changed');
  return account.id;
}

async function activateMember(tx: CountedTransaction, row: CollaboratorRow, userId: string): Promise<void> {
  if (!(await addMembership(tx, userId, row.id))) throw new NotAccepted('someone_else');
  const acceptedAt = new Date().toISOString();
  await tx
    .updateTable('collaborators')
    .set({ user_id: userId, accepted_at: acceptedAt })
    .where('id', '=', row.id)
    .execute();
  await welcome(tx, { ...row, user_id: userId, accepted_at: acceptedAt });
}

async function welcome(tx: CountedTransaction, row: CollaboratorRow & { user_id: string }): Promise<void> {
  const { user_id: userId, accepted_at: acceptedAt } = row;
  recordHistory(tx, {
    collaborator_id: row.id,
    action: 'invitation_accepted',
    description: 'Invitation accepted',
    user_id: userId,
  });
  await changeStatus(tx, { user_id: userId }, row, 'active', null);
  emit(tx, 'collaborator.invitation_accepted', { ...eventSubject(row), user_id: userId, accepted_at: acceptedAt! });
  await notifyAccessChanged(tx.raw, { user_id: userId });
}

async function openInvitation(tenant: Tenant, tokenHash: Buffer) {
  return tenant
    .selectFrom('invitations as i')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.collaborator_id'),
    )
    .select(['c.name', 'c.email', 'i.collaborator_id'])
    .where('i.token_hash', '=', tokenHash)
    .where('i.state', '=', 'sent')
    .where('i.expires_at', '>', new Date().toISOString())
    .where('c.deleted_at', 'is', null)
    .where('c.status', '<>', 'inactive')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('collaborator_history as h')
            .select('h.id')
            .whereRef('h.company_id', '=', 'c.company_id')
            .whereRef('h.collaborator_id', '=', 'c.id')
            .whereRef('h.timestamp', '>=', 'i.sent_at')
            .where('h.changes', '@>', sql<string>`'[{"field": "email"}]'::jsonb`),
        ),
      ),
    )
    .executeTakeFirst();
}

/** @returns undefined if it was created concurrently */
async function addUser(
  tx: TenantTransaction,
  { email, name }: CollaboratorRow,
  acceptingUser: { password_hash: string },
) {
  return tx.global
    .insertInto('users')
    .values({
      id: newId(),
      email,
      name,
      password_hash: acceptingUser.password_hash,
      email_confirmed_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
}

async function setFirstPassword(
  tx: TenantTransaction,
  userId: string,
  { password_hash: passwordHash }: { password_hash: string },
) {
  return tx.global
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where('password_hash', 'is', null)
    .returning('id')
    .executeTakeFirst();
}
