/**
 * Maps a provider's subject to a user. The first sign-in needs a proof that the company knows the person: a directory that has
 * them by the provider's own key, or an invitation (`accept-by-provider.ts`). An email address in the claims proves nothing.
 *
 * A provider is trusted only for its company. So the person becomes a user of that company alone, without a password or other
 * memberships, and not found by any address: a hostile provider only reaches its own company.
 */
import { sql } from 'kysely';
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import { newProviderPlaceholder } from '../../identity/provider-users/provider-mark.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newId } from '../../platform/values/ids.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { addMembership, removeMembership } from '../collaborators/membership/link-user.ts';
import { changeStatus } from '../collaborators/status.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { requestInstallationApproval } from '../connections/installer-departure.ts';
import type { Claims } from './claims.ts';
import type { ConnectionAtSignIn } from './connection-at-sign-in.ts';
import { hasOwnAdmin } from './sign-in-methods.ts';

/**
 * `unknown`: no proof. `inactive`: the person was deactivated or has left. `taken`: the person is already linked to another
 * subject. `last_admin`: their own account must stay, so that the company isn't locked out.
 */
export type SignInRefusal = 'unknown' | 'inactive' | 'taken' | 'last_admin';

/** Rolls back. */
export class NotLinked extends Error {
  readonly why: SignInRefusal;

  constructor(reason: SignInRefusal) {
    super(reason);
    this.why = reason;
  }
}

export async function userOfSubject(
  db: Database,
  connection: ConnectionAtSignIn,
  claims: Claims,
  origin: Origin,
): Promise<{ user_id: string } | { why: SignInRefusal }> {
  const tenant = db.tenant(connection.company_id);
  const link = await linkOf(tenant, connection.id, claims.sub);
  const person = link && (await presentPerson(tenant, link.collaborator_id));
  try {
    if (!person) {
      const found = await linkByDirectory(tenant, connection, claims, origin);
      return link && 'why' in found && found.why === 'unknown' ? { why: 'inactive' } : found;
    }
  } catch (error) {
    if (error instanceof NotLinked) return { why: error.why };
    throw error;
  }
  if (person.user_id !== link.user_id || person.status !== 'active') return { why: 'inactive' };
  // Keeps name and address as in the company's record.
  await tenant.global
    .updateTable('users')
    .set({ name: person.name, email: person.email })
    .where('id', '=', link.user_id)
    .where('only_company_id', '=', connection.company_id)
    .execute();
  await tenant.global
    .updateTable('sign_in_links')
    .set({ last_sign_in_at: new Date().toISOString() })
    .where('connection_id', '=', connection.id)
    .where('subject', '=', claims.sub)
    .execute();
  return { user_id: link.user_id };
}

export async function personOfSubject(
  db: Database,
  connection: ConnectionAtSignIn,
  claims: Claims,
): Promise<string | undefined> {
  const tenant = db.tenant(connection.company_id);
  const link = await linkOf(tenant, connection.id, claims.sub);
  const linked = link && (await presentPerson(tenant, link.collaborator_id));
  if (linked) return linked.name;
  const id = await findInDirectories(tenant, claims);
  return id && (await presentPerson(tenant, id))?.name;
}

/** @returns undefined if the person was deleted: the subject may then belong to another record of theirs */
async function presentPerson(tenant: Tenant, id: string) {
  return tenant
    .selectFrom('collaborators')
    .select(['name', 'email', 'status', 'user_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** @returns undefined if nobody was signed in as this subject of the connection */
export async function userOfLink(tenant: Tenant, connectionId: string, subject: string): Promise<string | undefined> {
  return (await linkOf(tenant, connectionId, subject))?.user_id;
}

async function linkOf(tenant: Tenant, connectionId: string, subject: string) {
  return tenant.global
    .selectFrom('sign_in_links')
    .select(['user_id', 'collaborator_id'])
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .where('company_id', '=', tenant.company_id)
    .executeTakeFirst();
}

async function linkByDirectory(
  tenant: Tenant,
  connection: ConnectionAtSignIn,
  claims: Claims,
  origin: Origin,
): Promise<{ user_id: string } | { why: SignInRefusal }> {
  const collaboratorId = await findInDirectories(tenant, claims);
  if (!collaboratorId) return { why: 'unknown' };
  return counted(tenant, async (tx) => {
    await lockAdmins(tx);
    const row = await lockCollaborator(tx, collaboratorId);
    if (row.status === 'inactive') return { why: 'inactive' };
    const linked = await linkPerson(tx, connection, claims.sub, row, origin);
    if (row.status === 'pending') await changeStatus(tx, { user_id: linked.user_id }, linked, 'active', null);
    return { user_id: linked.user_id };
  });
}

/**
 * The person a directory has with the subject, or Entra ID's `oid`, as `externalId`. User names prove nothing: people may change
 * them.
 */
async function findInDirectories(tenant: Tenant, { sub, oid }: Claims): Promise<string | undefined> {
  const keys = [sub, oid].filter((key): key is string => typeof key === 'string' && key !== '' && !key.includes('\0'));
  const rows = await tenant
    .selectFrom('directory_people as p')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.collaborator_id'),
    )
    .select('p.collaborator_id')
    .distinct()
    .where('p.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .where('p.external_id', '=', sql<string>`any(${keys}::text[])`)
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0]!.collaborator_id : undefined;
}

/**
 * The transaction must have called `lockAdmins`. If the person joined with their own account, that account loses access.
 * @throws NotLinked
 */
export async function linkPerson(
  tx: CountedTransaction,
  { id: connectionId, company_id: companyId }: ConnectionAtSignIn,
  subject: string,
  row: CollaboratorRow,
  origin: Origin,
): Promise<CollaboratorRow & { user_id: string }> {
  const userId = await userOf(tx, row);
  const link = {
    connection_id: connectionId,
    subject,
    company_id: companyId,
    collaborator_id: row.id,
    user_id: userId,
  };
  await removeLinkOfDeleted(tx, connectionId, subject);
  const inserted = await tx.global
    .insertInto('sign_in_links')
    .values({ ...link, last_sign_in_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  if (!inserted && !(await isSame(tx, link))) throw new NotLinked('taken');
  const acceptedAt = row.accepted_at ?? new Date().toISOString();
  await tx
    .updateTable('collaborators')
    .set({ user_id: userId, accepted_at: acceptedAt })
    .where('id', '=', row.id)
    .execute();
  const target = { type: 'collaborator', id: row.id };
  recordAudit(tx, {
    action: 'sign_in_connection.linked',
    actor: { type: 'user', user_id: userId },
    origin,
    target,
    details: { connection_id: connectionId },
  });
  await notifyAccessChanged(tx.raw, { user_id: userId });
  return { ...row, user_id: userId, accepted_at: acceptedAt };
}

async function removeLinkOfDeleted(tx: TenantTransaction, connectionId: string, subject: string): Promise<void> {
  const link = await linkOf(tx, connectionId, subject);
  if (!link || (await presentPerson(tx, link.collaborator_id))) return;
  await tx.global
    .deleteFrom('sign_in_links')
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .where('company_id', '=', tx.company_id)
    .execute();
}

async function isSame(
  tx: TenantTransaction,
  link: { connection_id: string; subject: string; collaborator_id: string },
): Promise<boolean> {
  const found = await linkOf(tx, link.connection_id, link.subject);
  return found?.collaborator_id === link.collaborator_id;
}

/** @returns the person's user in this company alone, created if there is none */
async function userOf(tx: CountedTransaction, row: CollaboratorRow): Promise<string> {
  const present = row.user_id
    ? await tx.global
        .selectFrom('users')
        .select(['id', 'only_company_id'])
        .where('id', '=', row.user_id)
        .executeTakeFirst()
    : undefined;
  if (present?.only_company_id === tx.company_id) return present.id;
  if (present) await revokeOwnAccount(tx, row, present.id);
  const { id } = await tx.global
    .insertInto('users')
    .values({
      id: newId(),
      email: row.email,
      name: row.name,
      password_hash: newProviderPlaceholder(),
      only_company_id: tx.company_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addMembership(tx, id, row.id);
  return id;
}

/** @throws NotLinked for the last admin who could sign in while the provider is unavailable */
async function revokeOwnAccount(tx: CountedTransaction, row: CollaboratorRow, userId: string): Promise<void> {
  const isAdmin = row.role === 'admin' && row.status === 'active';
  if (isAdmin && !(await hasOwnAdmin(tx, { passkey: true, excludedId: row.id }))) throw new NotLinked('last_admin');
  await revokeCompanyGrants(tx.global, [userId], tx.company_id);
  await requestInstallationApproval(tx, [userId]);
  await removeMembership(tx, userId);
}
