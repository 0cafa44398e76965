/** Adds, changes, and removes a directory's groups, with the resulting roles. */
import { sql } from 'kysely';
import { filter, parse } from 'scim2-parse-filter';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { newId } from '../../../platform/values/ids.ts';
import { isId } from '../../access/records.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { type Attributes, isObject } from '../attributes.ts';
import type { Directing } from '../directing.ts';
import type { PatchOperation } from '../patch.ts';
import { changedMeanwhile, noSuchResource, ScimProblem } from '../scim-problem.ts';
import { applyRoles } from './group-roles.ts';
import { findGroup, type GroupRow, groupVersion } from './group-rows.ts';

const maxGroups = 5_000;

interface Group {
  display_name: string;
  external_id: string | null;
  /** Ids in lower case. */
  members: Set<string>;
}

/** @param attributes normalized @returns the id @throws 400; 409 `uniqueness` */
export async function addGroup(tx: CountedTransaction, directing: Directing, attributes: Attributes): Promise<string> {
  await lockAdmins(tx);
  await requireRoom(tx, directing.directory.id);
  const { members, ...columns } = groupOf(attributes);
  const id = newId();
  await tx
    .insertInto('directory_groups', { id, directory_id: directing.directory.id, ...columns })
    .execute()
    .catch((error) => {
      throw asTaken(error);
    });
  await writeMembers(tx, directing, id, new Set(), members);
  return id;
}

async function requireRoom(tx: TenantTransaction, directoryId: string): Promise<void> {
  const { number } = await tx
    .selectFrom('directory_groups')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .where('directory_id', '=', directoryId)
    .executeTakeFirstOrThrow();
  if (number >= maxGroups) throw new ScimProblem(409, undefined, `A directory can have ${maxGroups} groups.`);
}

/**
 * @param change the new attributes (PUT), or operations (PATCH)
 * @throws 400, 404, 409 `uniqueness` and `last_admin`, 412
 */
export async function changeGroup(
  tx: CountedTransaction,
  directing: Directing,
  id: string,
  change: Attributes | readonly PatchOperation[],
  expected: readonly string[] | undefined,
): Promise<boolean> {
  const group = await lockGroup(tx, directing, id, expected);
  const before: Group = { ...group, members: await memberIds(tx, group.id) };
  const after = Array.isArray(change) ? patched(before, change) : groupOf(change as Attributes);
  const isSame = after.display_name === before.display_name && after.external_id === before.external_id;
  const hasMoved = await writeMembers(tx, directing, group.id, before.members, after.members);
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
      throw asTaken(error);
    });
  return true;
}

/** @throws 404, 409 `last_admin`, 412 */
export async function removeGroup(
  tx: CountedTransaction,
  directing: Directing,
  id: string,
  expected: readonly string[] | undefined,
): Promise<void> {
  const group = await lockGroup(tx, directing, id, expected);
  await writeMembers(tx, directing, group.id, await memberIds(tx, group.id), new Set());
  await tx.deleteFrom('directory_groups').where('id', '=', group.id).execute();
}

/** @throws 404, 412 */
async function lockGroup(
  tx: CountedTransaction,
  { directory }: Directing,
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
  if (expected && !expected.includes(groupVersion(group))) throw changedMeanwhile();
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
  directing: Directing,
  groupId: string,
  before: Set<string>,
  after: Set<string>,
): Promise<boolean> {
  const come = [...after].filter((each) => !before.has(each));
  const gone = [...before].filter((each) => !after.has(each));
  await requirePeople(tx, directing.directory.id, come);
  if (come.length > 0) {
    await sql`
      insert into directory_members (company_id, group_id, collaborator_id)
      select ${tx.company_id}::uuid, ${groupId}::uuid, id from unnest(${come}::uuid[]) as come (id)
      on conflict do nothing`.execute(tx.raw);
  }
  if (gone.length > 0) {
    const theirs = tx.deleteFrom('directory_members').where('group_id', '=', groupId);
    await theirs.where('collaborator_id', '=', sql<string>`any(${gone}::uuid[])`).execute();
  }
  await applyRoles(tx, directing, [...come, ...gone]);
  return come.length + gone.length > 0;
}

async function requirePeople(tx: TenantTransaction, directoryId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await tx
    .selectFrom('directory_people')
    .select('collaborator_id')
    .where('directory_id', '=', directoryId)
    .where('removed_at', 'is', null)
    .where('collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  if (known.length < ids.length) {
    throw new ScimProblem(
      400,
      'invalidValue',
      'members names somebody whom this directory does not have. Send the person first.',
    );
  }
}

/** @param attributes normalized @throws 400 */
function groupOf(attributes: Attributes): Group {
  return {
    display_name: nameOf(attributes.displayName),
    external_id: keyOf(attributes.externalId),
    members: idsOf(attributes.members),
  };
}

function nameOf(value: unknown): string {
  const isName = typeof value === 'string' && value.trim() !== '' && value.length <= 256 && !value.includes('\0');
  if (isName) return value;
  throw new ScimProblem(400, 'invalidValue', 'displayName is required, with 256 characters at most.');
}

function keyOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const isKey = typeof value === 'string' && value.length <= 256 && !value.includes('\0');
  if (isKey) return value;
  throw new ScimProblem(400, 'invalidValue', 'externalId must be a text of 256 characters at most.');
}

/** For a list of members, or a single one. @throws 400 */
function idsOf(members: unknown): Set<string> {
  const list = members === undefined || members === null ? [] : [members].flat();
  const ids = list.map((member) => (isObject(member) ? member.value : member));
  if (ids.every((id) => typeof id === 'string' && isId(id))) return new Set(ids.map((id) => String(id).toLowerCase()));
  throw new ScimProblem(400, 'invalidValue', 'members must be a list of {"value": id of a person}.');
}

/** Uses a set: groups may have thousands of members, and the generic PATCH would compare each with each. */
function patched(before: Group, operations: readonly PatchOperation[]): Group {
  const group: Group = { ...before, members: new Set(before.members) };
  for (const operation of operations) patchGroup(group, operation);
  return group;
}

const withFilter = /^members\[(.*)\]$/is;

function patchGroup(group: Group, { op, path, value }: PatchOperation): void {
  const plain = path?.replace(/^urn:ietf:params:scim:schemas:core:2\.0:Group:/, '');
  if (plain === undefined) {
    for (const [name, inner] of Object.entries(value as Attributes))
      patchGroup(group, { op, path: lowered(name), value: inner });
    return;
  }
  const condition = withFilter.exec(plain)?.[1];
  if (condition !== undefined) {
    patchFiltered(group, op, condition);
    return;
  }
  switch (plain) {
    case 'displayName':
      group.display_name = nameOf(op === 'remove' ? undefined : value);
      return;
    case 'externalId':
      group.external_id = keyOf(op === 'remove' ? undefined : value);
      return;
    case 'members':
      group.members = newMembers(group.members, op, value);
      return;
    case 'id':
    case 'schemas':
    case 'meta':
      return; // Entra ID includes the group's own id
    default:
      throw new ScimProblem(400, 'invalidPath', `A group has no attribute ${plain.slice(0, 100)}.`);
  }
}

function lowered(name: string): string {
  const known = ['displayName', 'externalId', 'members', 'id', 'schemas', 'meta'];
  return known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}

function newMembers(before: Set<string>, op: PatchOperation['op'], value: unknown): Set<string> {
  if (op === 'remove' && value === undefined) return new Set();
  const named = idsOf(value);
  if (op === 'replace') return named;
  return new Set(op === 'add' ? [...before, ...named] : [...before].filter((id) => !named.has(id)));
}

/** `members[value eq "…"]`. @throws 400 */
function patchFiltered(group: Group, op: PatchOperation['op'], condition: string): void {
  if (op !== 'remove') throw new ScimProblem(400, 'invalidPath', 'Members with a filter can only be removed.');
  let matches: (member: object) => boolean;
  try {
    matches = filter(parse(condition));
  } catch (cause) {
    throw new ScimProblem(400, 'invalidFilter', 'The filter of the path is not one of RFC 7644.', cause);
  }
  group.members = new Set([...group.members].filter((value) => !matches({ value })));
}

function asTaken(error: unknown): unknown {
  if (!isBroken(error, 'directory_groups_name')) return error;
  return new ScimProblem(409, 'uniqueness', 'This directory already has a group of this name.');
}
