/**
 * Who reads an export: the person who asked for it, for as long as they are who they were. A file shows what could be read when it
 * was made, so it ends when their role or the people they reach are others. What their token may read is looked at with each
 * request (`export-view.ts`).
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { notFound } from '../../contract/problem.ts';
import { roleOfInstallation } from '../../identity/installations/installations.ts';
import { readFields } from '../../identity/members/company-fields.ts';
import { installed, type Member, type Role } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../access/permissions.ts';
import { teamOf } from '../access/records.ts';
import { type ExportRow, findExport } from './find-export.ts';

/** Who may have an export of each kind made; the contract says the same of the operations. */
const rolesFor: Record<string, readonly Role[]> = {
  individual: ['employee', 'manager', 'admin'],
  list: ['manager', 'admin'],
  group: ['manager', 'admin'],
  personal_data: ['admin'],
};

/** @returns undefined when they are no longer there, or may export nothing of this kind */
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
  const fields = await readFields(tenant);
  if (member) return { ...member, role: member.role as Role, fields };
  const installation = await installationOf(tenant, createdBy);
  return installation && { ...installation, fields };
}

async function installationOf(tenant: Tenant, id: string | null): Promise<Member | undefined> {
  const role = id === null ? undefined : await roleOfInstallation(tenant, id);
  return role && installed(id!, role);
}

/** A mark of whom somebody reaches; null where their role alone says it. */
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

/**
 * @param user_id of the caller
 * @throws 404, also once it has expired, and once the caller is no longer who they were when it was made
 */
export async function findReadableExport(tenant: Tenant, userId: string, id: string): Promise<ExportRow> {
  const row = await findExport(tenant, userId, id);
  if (await isReadable(tenant, row)) return row;
  throw notFound();
}

/**
 * Ends, for good, the exports that somebody has no more because they are not who they were when these were made: before they are
 * listed.
 */
export async function endUnreadable(tenant: Tenant, userId: string): Promise<void> {
  const rows = await tenant
    .selectFrom('exports')
    .select(['id', 'kind', 'status', 'role', 'reach'])
    .where('created_by', '=', userId)
    .where('expires_at', '>', new Date().toISOString())
    .execute();
  if (rows.length === 0) return;
  const member = await memberOf(tenant, userId);
  const reach = member && (await reachOf(tenant, member));
  const lost = rows.filter(({ kind, status, role, reach: then }) => {
    if (!member || member.role !== role || !rolesFor[kind]!.includes(member.role)) return true;
    return status === 'completed' && reach !== null && !then?.equals(reach!);
  });
  if (lost.length === 0) return;
  await tenant
    .updateTable('exports')
    // By the clock that the list goes by, or they could be on it for another millisecond.
    .set({ expires_at: new Date().toISOString() })
    .where(
      'id',
      'in',
      lost.map(({ id }) => id),
    )
    .execute();
}

/** Whether it has not ended. One whose reader has changed ends here, for good: it does not come back when a role does. */
export async function isReadable(tenant: Tenant, row: ExportRow): Promise<boolean> {
  if (Date.parse(row.expires_at) <= Date.now()) return false;
  if (await isReaderUnchanged(tenant, row)) return true;
  const now = sql<string>`now()`; // its file is removed with those that have expired
  await tenant.updateTable('exports').set({ expires_at: now }).where('id', '=', row.id).execute();
  return false;
}

/** Whether the person has the role, and reaches the people, that they had when the file was made. */
async function isReaderUnchanged(tenant: Tenant, row: ExportRow): Promise<boolean> {
  const member = await readerOf(tenant, row);
  if (member?.role !== row.role) return false;
  if (row.status !== 'completed') return true;
  const reach = await reachOf(tenant, member);
  return reach === null || (row.reach?.equals(reach) ?? false);
}
