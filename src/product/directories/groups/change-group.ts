/** Adds, changes, and removes a directory's groups, with the resulting roles. */
import { sql } from 'kysely';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { newId } from '../../../platform/values/ids.ts';
import { isId } from '../../access/records.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import type { Attributes } from '../attributes.ts';
import type { DirectoryContext } from '../directory-context.ts';
import type { PatchOperation } from '../patch.ts';
import { changedConcurrently, noSuchResource, ScimProblem } from '../scim-problem.ts';
import { applyRoles } from './group-roles.ts';
import { findGroup, type GroupRow, groupVersion } from './group-rows.ts';
import { exactly, groupOf, type Members, patched } from './sent-group.ts';

const maxGroups = 5_000;

/** @param attributes normalized @returns the id @throws 400; 409 `uniqueness` */
export async function addGroup(
  tx: CountedTransaction,
  context: DirectoryContext,
  attributes: Attributes,
): Promise<string> {
  await lockAdmins(tx);
  await requireRoom(tx, context.directory.id);
  const { members, ...columns } = groupOf(attributes);
  const id = newId();
  await tx
    .insertInto('directory_groups', { id, directory_id: context.directory.id, ...columns })
    .execute()
    .catch((error) => {
      throw asNameConflict(error);
    });
  await writeMembers(tx, context, id, members);
  return id;
}

async function requireRoom(tx: TenantTransaction, directoryId: string): Promise<void> {
  const number = await countRows(tx.selectFrom('directory_groups').where('directory_id', '=', directoryId));
  if (number >= maxGroups) throw new ScimProblem(409, undefined, `A directory can have ${maxGroups} groups.`);
}

/**
 * @param change the new attributes (PUT), or operations (PATCH)
 * @throws 400, 404, 409 `uniqueness` and `last_admin`, 412
 */
export async function changeGroup(
  tx: CountedTransaction,
  context: DirectoryContext,
  id: string,
  change: Attributes | readonly PatchOperation[],
  expected: readonly string[] | undefined,
): Promise<boolean> {
  const group = await lockGroup(tx, context, id, expected);
  const current = () => memberIds(tx, group.id);
  const after = Array.isArray(change) ? await patched(group, change, current) : groupOf(change as Attributes);
  const isSame = after.display_name === group.display_name && after.external_id === group.external_id;
  const hasMoved = await writeMembers(tx, context, group.id, after.members);
  if (isSame && !hasMoved) return false;
  await tx
    .updateTable('directory_groups')
    .set({
      display_name: after.display_name,
      external_id: after.external_id,
      revision: sql<number>`revision + 1`,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', group.id)
    .execute()
    .catch((error) => {
      throw asNameConflict(error);
    });
  return true;
}

/** @throws 404, 409 `last_admin`, 412 */
export async function removeGroup(
  tx: CountedTransaction,
  context: DirectoryContext,
  id: string,
  expected: readonly string[] | undefined,
): Promise<void> {
  const group = await lockGroup(tx, context, id, expected);
  await writeMembers(tx, context, group.id, exactly([]));
  await tx.deleteFrom('directory_groups').where('id', '=', group.id).execute();
}

/** @throws 404, 412 */
async function lockGroup(
  tx: CountedTransaction,
  { directory }: DirectoryContext,
  id: string,
  expected: readonly string[] | undefined,
): Promise<GroupRow> {
  await lockAdmins(tx);
  if (isId(id)) {
    const lock = tx.selectFrom('directory_groups').select('id').where('id', '=', id.toLowerCase());
    await lock.where('directory_id', '=', directory.id).forNoKeyUpdate().execute();
  }
  const group = await findGroup(tx, directory.id, id);
  if (!group) throw noSuchResource();
  if (expected && !expected.includes(groupVersion(group))) throw changedConcurrently();
  return group;
}

async function memberIds(tx: TenantTransaction, groupId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('directory_members')
    .select('collaborator_id')
    .where('group_id', '=', groupId)
    .execute();
  return new Set(rows.map(({ collaborator_id: id }) => id));
}

/** @returns whether membership changed @throws 400 for people outside of the directory */
async function writeMembers(
  tx: CountedTransaction,
  context: DirectoryContext,
  groupId: string,
  { all, added, removed }: Members,
): Promise<boolean> {
  const before = all && (await memberIds(tx, groupId));
  const joining = before ? [...all].filter((each) => !before.has(each)) : [...added];
  const leaving = before ? [...before].filter((each) => !all.has(each)) : [...removed];
  await requirePeople(tx, context.directory.id, joining);
  const moved = [...(await insertMembers(tx, groupId, joining)), ...(await deleteMembers(tx, groupId, leaving))];
  await applyRoles(tx, context, moved);
  return moved.length > 0;
}

/** @returns those who weren't in the group */
async function insertMembers(tx: TenantTransaction, groupId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    insert into directory_members (company_id, group_id, collaborator_id)
    select ${tx.company_id}::uuid, ${groupId}::uuid, id from unnest(${ids}::uuid[]) as come (id)
    on conflict do nothing
    returning collaborator_id as id`.execute(tx.raw);
  return rows.map(({ id }) => id);
}

/** @returns those who were in the group */
async function deleteMembers(tx: TenantTransaction, groupId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .deleteFrom('directory_members')
    .where('group_id', '=', groupId)
    .where('collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('collaborator_id as id')
    .execute();
  return rows.map(({ id }) => id);
}

async function requirePeople(tx: TenantTransaction, directoryId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await tx
    .selectFrom('directory_people as p')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.collaborator_id'),
    )
    .select('p.collaborator_id')
    .where('p.directory_id', '=', directoryId)
    .where('p.removed_at', 'is', null)
    .where('p.collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('c.deleted_at', 'is', null)
    .execute();
  if (known.length < ids.length) {
    throw new ScimProblem(
      400,
      'invalidValue',
      'members has a person who is not in this directory. Send the person first.',
    );
  }
}

function asNameConflict(error: unknown): unknown {
  if (!isBroken(error, 'directory_groups_name')) return error;
  return new ScimProblem(409, 'uniqueness', 'This directory already has a group of this name.');
}
