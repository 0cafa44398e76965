/** The change of a group that a provider sends, as attributes (PUT) or operations (PATCH). */
import { type Filter, filter, parse } from 'scim2-parse-filter';
import { isId } from '../../access/records.ts';
import { type Attributes, isObject } from '../attributes.ts';
import type { PatchOperation } from '../patch.ts';
import { ScimProblem } from '../scim-problem.ts';

interface GroupNames {
  display_name: string;
  external_id: string | null;
}

/** Ids in lower case. Without `all`, members in neither set stay: a group may have thousands, of which a PATCH names one. */
export interface Members {
  all: Set<string> | undefined;
  added: Set<string>;
  removed: Set<string>;
}

interface Group extends GroupNames {
  members: Members;
}

/** @param attributes normalized @throws 400 */
export function groupOf(attributes: Attributes): Group {
  return {
    display_name: nameOf(attributes.displayName),
    external_id: externalIdOf(attributes.externalId),
    members: exactly(idsOf(attributes.members)),
  };
}

function nameOf(value: unknown): string {
  const isName = typeof value === 'string' && value.trim() !== '' && value.length <= 256 && !value.includes('\0');
  if (isName) return value;
  throw new ScimProblem(400, 'invalidValue', 'displayName is required, with at most 256 characters.');
}

function externalIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const isKey = typeof value === 'string' && value.length <= 256 && !value.includes('\0');
  if (isKey) return value;
  throw new ScimProblem(400, 'invalidValue', 'externalId must be a string of at most 256 characters.');
}

/** For a list of members, or a single one. @throws 400 */
function idsOf(members: unknown): Set<string> {
  const list = members === undefined || members === null ? [] : [members].flat();
  const ids = list.map((member) => (isObject(member) ? member.value : member));
  if (ids.every((id) => typeof id === 'string' && isId(id))) return new Set(ids.map((id) => String(id).toLowerCase()));
  throw new ScimProblem(400, 'invalidValue', 'members must be a list of {"value": id of a person}.');
}

export function exactly(ids: Iterable<string>): Members {
  return { all: new Set(ids), added: new Set(), removed: new Set() };
}

/** @param current reads the members; only some filters need them */
export async function patched(
  { display_name: displayName, external_id: externalId }: GroupNames,
  operations: readonly PatchOperation[],
  current: () => Promise<Set<string>>,
): Promise<Group> {
  const members: Members = { all: undefined, added: new Set(), removed: new Set() };
  const group: Group = { display_name: displayName, external_id: externalId, members };
  for (const operation of operations) await patchGroup(group, operation, current);
  return group;
}

const withFilter = /^members\[(.*)\]$/is;

async function patchGroup(
  group: Group,
  { op, path, value }: PatchOperation,
  current: () => Promise<Set<string>>,
): Promise<void> {
  const plain = path?.replace(/^urn:ietf:params:scim:schemas:core:2\.0:Group:/, '');
  if (plain === undefined) {
    for (const [name, inner] of Object.entries(value as Attributes))
      await patchGroup(group, { op, path: canonicalName(name), value: inner }, current);
    return;
  }
  const condition = withFilter.exec(plain)?.[1];
  if (condition !== undefined) {
    await patchFiltered(group, op, condition, current);
    return;
  }
  switch (plain) {
    case 'displayName':
      group.display_name = nameOf(op === 'remove' ? undefined : value);
      return;
    case 'externalId':
      group.external_id = externalIdOf(op === 'remove' ? undefined : value);
      return;
    case 'members':
      patchMembers(group, op, value);
      return;
    case 'id':
    case 'schemas':
    case 'meta':
      return; // Entra ID includes the group's own id
    default:
      throw new ScimProblem(400, 'invalidPath', `A group has no attribute ${plain.slice(0, 100)}.`);
  }
}

function canonicalName(name: string): string {
  const known = ['displayName', 'externalId', 'members', 'id', 'schemas', 'meta'];
  return known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}

function patchMembers(group: Group, op: PatchOperation['op'], value: unknown): void {
  if (op === 'remove' && value === undefined) group.members = exactly([]);
  else if (op === 'replace') group.members = exactly(idsOf(value));
  else for (const id of idsOf(value)) moveMember(group, op, id);
}

function moveMember({ members: { all, added, removed } }: Group, op: 'add' | 'remove', id: string): void {
  const [to, from] = op === 'add' ? [added, removed] : [removed, added];
  if (all) all[op === 'add' ? 'add' : 'delete'](id);
  from.delete(id);
  to.add(id);
}

/** `members[value eq "…"]`. @throws 400 */
async function patchFiltered(
  group: Group,
  op: PatchOperation['op'],
  condition: string,
  current: () => Promise<Set<string>>,
): Promise<void> {
  if (op !== 'remove') throw new ScimProblem(400, 'invalidPath', 'Members with a filter can only be removed.');
  let parsed: Filter;
  let matches: (member: object) => boolean;
  try {
    parsed = parse(condition);
    matches = filter(parsed);
  } catch (cause) {
    throw new ScimProblem(400, 'invalidFilter', 'The filter of the path is not valid under RFC 7644.', cause);
  }
  const isOne = parsed.op === 'eq' && parsed.attrPath === 'value' && isId(String(parsed.compValue));
  const one = isOne && 'compValue' in parsed ? [String(parsed.compValue).toLowerCase()] : undefined;
  const { all, added } = group.members;
  const ids = one ?? [...(all ?? (await current())), ...added].filter((value) => matches({ value }));
  for (const id of ids) moveMember(group, 'remove', id);
}
