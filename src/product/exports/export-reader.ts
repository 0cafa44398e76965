/**
 * The requester may read an export while their access is unchanged: it shows what was readable when generated, so it expires when
 * their role or reach changes. The scopes of their token are checked on each request (`export-view.ts`).
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { notFound } from '../../contract/problem.ts';
import { readDirectories } from '../../identity/directories/company-directories.ts';
import { roleOfInstallation } from '../../identity/installations/installations.ts';
import { readFields } from '../../identity/members/company-fields.ts';
import { installed, type Member, type Role } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../access/permissions.ts';
import { teamOf } from '../access/records.ts';
import { type ExportRow, findExport } from './find-export.ts';

/** Roles that may request each kind; equal to the contract's rules of the operations. */
const rolesFor: Record<string, readonly Role[]> = {
  individual: ['employee', 'manager', 'admin'],
  list: ['manager', 'admin'],
  group: ['manager', 'admin'],
  personal_data: ['admin'],
};

/** @returns undefined if they have left, or may no longer export this kind */
export async function readerOf(
  tenant: Tenant,
  { created_by: createdBy, kind }: Pick<ExportRow, 'created_by' | 'kind'>,
): Promise<Member | undefined> {
  const found = await memberOf(tenant, createdBy);
  return found && rolesFor[kind]!.includes(found.role) ? found : undefined;
}

async function memberOf(tenant: Tenant, createdBy: string | null): Promise<Member | undefined> {
  const member = await tenant
    .selectFrom('collaborators')
    .select(['id as collaborator_id', 'role'])
    .where('user_id', '=', createdBy)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const company = { fields: await readFields(tenant), directories: await readDirectories(tenant) };
  if (member) return { ...member, role: member.role as Role, ...company };
  const installation = await installationOf(tenant, createdBy);
  return installation && { ...installation, ...company };
}

async function installationOf(tenant: Tenant, id: string | null): Promise<Member | undefined> {
  const role = id === null ? undefined : await roleOfInstallation(tenant, id);
  return role && installed(id!, role);
}

/** A fingerprint of the people in reach; null if the role alone determines them. */
export async function reachOf(tenant: Tenant, member: Member): Promise<Buffer | null> {
  if (scopeOf(visibility, member) !== 'team') return null;
  const team = await tenant
    .selectFrom('collaborators')
    .select('id')
    .where('id', 'in', teamOf(tenant, member.collaborator_id))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const hash = createHash('sha256');
  for (const { id } of team) hash.update(id);
  return hash.digest();
}

/** @throws 404, also if it has expired, or the caller's access has changed since */
export async function findReadableExport(tenant: Tenant, userId: string, id: string): Promise<ExportRow> {
  const row = await findExport(tenant, userId, id);
  if (await isReadable(tenant, row)) return row;
  throw notFound();
}

/** Permanently ends the user's exports whose access has changed. Runs before listing. */
export async function cancelUnreadable(tenant: Tenant, userId: string): Promise<void> {
  const rows = await tenant
    .selectFrom('exports')
    .select(['id', 'kind', 'status', 'role', 'reach'])
    .where('created_by', '=', userId)
    .where('expires_at', '>', new Date().toISOString())
    .execute();
  if (rows.length === 0) return;
  const member = await memberOf(tenant, userId);
  const reach = member && (await reachOf(tenant, member));
  const unreadable = rows.filter(({ kind, status, role, reach: previousReach }) => {
    if (!member || member.role !== role || !rolesFor[kind]!.includes(member.role)) return true;
    return status === 'completed' && reach !== null && !previousReach?.equals(reach!);
  });
  if (unreadable.length === 0) return;
  await tenant
    .updateTable('exports')
    // The clock of the list's filter; another could leave them listed for a millisecond.
    .set({ expires_at: new Date().toISOString() })
    .where(
      'id',
      'in',
      unreadable.map(({ id }) => id),
    )
    .execute();
}

/** Whether it is still readable. If the reader's access has changed, it ends permanently, even if the role is restored later. */
export async function isReadable(tenant: Tenant, row: ExportRow): Promise<boolean> {
  if (Date.parse(row.expires_at) <= Date.now()) return false;
  if (await isReaderUnchanged(tenant, row)) return true;
  const now = sql<string>`now()`; // its file is removed with the expired ones
  await tenant.updateTable('exports').set({ expires_at: now }).where('id', '=', row.id).execute();
  return false;
}

async function isReaderUnchanged(tenant: Tenant, row: ExportRow): Promise<boolean> {
  const member = await readerOf(tenant, row);
  if (member?.role !== row.role) return false;
  if (row.status !== 'completed') return true;
  const reach = await reachOf(tenant, member);
  return reach === null || (row.reach?.equals(reach) ?? false);
}
