/** The SCIM operations on groups (RFC 7644, section 3). Members are not read if the client excludes them. */
import { type Attributes, canonicalAttributes } from '../../product/directories/attributes.ts';
import { conditionOf } from '../../product/directories/filter.ts';
import { addGroup, changeGroup, removeGroup } from '../../product/directories/groups/change-group.ts';
import {
  filterableGroups,
  findGroup,
  groupResponse,
  groupVersion,
  listGroups as list,
  membersOf,
} from '../../product/directories/groups/group-rows.ts';
import { type PatchOperation, readPatch } from '../../product/directories/patch.ts';
import { noSuchResource } from '../../product/directories/scim-problem.ts';
import { listResponse, pageOf } from './lists.ts';
import type { ScimContext, ScimOperation, ScimReply, ScimRequest } from './operation.ts';
import { includesMembers, project } from './projection.ts';
import { runChange } from './run-change.ts';

export const listGroups: ScimOperation = async ({ query }, { tenant, directory, scim_url: scimUrl }) => {
  const { start_index: startIndex, count } = pageOf(query);
  const condition = query.filter ? conditionOf(query.filter, filterableGroups) : undefined;
  const { rows, total } = await list(tenant, directory.id, { condition, start_index: startIndex, count });
  const ids = includesMembers(query) ? rows.map(({ id }) => id) : [];
  const members = Map.groupBy(await membersOf(tenant, directory.id, ids), (member) => member.group_id);
  const resources = rows.map((row) => {
    return project(
      groupResponse(row, includesMembers(query) ? (members.get(row.id) ?? []) : undefined, scimUrl),
      query,
    );
  });
  return { status: 200, body: listResponse(resources, total, startIndex) };
};

export const getGroup: ScimOperation = async (request, context) => show(request, context, request.params.id!, 200);

export const createGroup: ScimOperation = async (request, context) => {
  const attributes = groupAttributes(request.body);
  const id = await runChange(context, 'group', async (tx, directing) => {
    const added = await addGroup(tx, directing, attributes);
    return { id: added, outcome: 'created', subjects: [String(attributes.displayName)] };
  });
  return show(request, context, id, 201);
};

export const replaceGroup: ScimOperation = async (request, context) => {
  const id = await write(request, context, groupAttributes(request.body));
  return show(request, context, id, 200);
};

/** Without a body, unless attributes are requested (RFC 7644, section 3.5.2): a group may have thousands of members. */
export const patchGroup: ScimOperation = async (request, context) => {
  const id = await write(request, context, readPatch(request.body));
  const { attributes, excludedAttributes } = request.query;
  if (attributes || excludedAttributes) return show(request, context, id, 200);
  const group = await findGroup(context.tenant, context.directory.id, id);
  if (!group) throw noSuchResource();
  return { status: 204, headers: { ETag: groupVersion(group) } };
};

async function write(
  request: ScimRequest,
  context: ScimContext,
  changes: Attributes | PatchOperation[],
): Promise<string> {
  const id = request.params.id!;
  return runChange(context, 'group', async (tx, directing) => {
    const hasChanged = await changeGroup(tx, directing, id, changes, request.ifMatch);
    const group = await findGroup(tx, context.directory.id, id);
    return {
      id: id.toLowerCase(),
      outcome: hasChanged ? 'changed' : 'unchanged',
      subjects: [id, ...(group ? [group.display_name] : [])],
    };
  });
}

export const deleteGroup: ScimOperation = async ({ params, ifMatch }, context) => {
  const id = params.id!;
  await runChange(context, 'group', async (tx, directing) => {
    await removeGroup(tx, directing, id, ifMatch);
    return { id: id.toLowerCase(), outcome: 'removed', subjects: [id] };
  });
  return { status: 204 };
};

/** A group may have thousands of members, so the limits of people's attributes don't apply to them. */
function groupAttributes(body: Attributes): Attributes {
  const { members, ...rest } = body;
  return { ...canonicalAttributes(rest), ...(members !== undefined && { members }) };
}

/** @throws 404 */
async function show(request: ScimRequest, context: ScimContext, id: string, status: number): Promise<ScimReply> {
  const { tenant, directory, scim_url: scimUrl } = context;
  const group = await findGroup(tenant, directory.id, id);
  if (!group) throw noSuchResource();
  const members = includesMembers(request.query) ? await membersOf(tenant, directory.id, [group.id]) : undefined;
  const resource = groupResponse(group, members, scimUrl);
  const headers = { ETag: groupVersion(group), ...(status === 201 && { Location: resource.meta.location }) };
  return { status, headers, body: project(resource, request.query) };
}
