/** The SCIM operations on users (RFC 7644, section 3). */
import { type Attributes, canonicalAttributes } from '../../product/directories/attributes.ts';
import type { FieldMapping } from '../../product/directories/directories.ts';
import { conditionOf } from '../../product/directories/filter.ts';
import { applyPatch, readPatch } from '../../product/directories/patch.ts';
import { addPerson } from '../../product/directories/people/add-person.ts';
import { inAttributes } from '../../product/directories/people/attribute-names.ts';
import { changePerson, removePerson } from '../../product/directories/people/change-person.ts';
import { filterableUsers, findPerson, groupsOf, listPeople } from '../../product/directories/people/person-rows.ts';
import { personVersion, userResponse } from '../../product/directories/people/user-response.ts';
import { noSuchResource } from '../../product/directories/scim-problem.ts';
import { listResponse, pageOf } from './lists.ts';
import type { ScimContext, ScimOperation, ScimReply, ScimRequest } from './operation.ts';
import { project } from './projection.ts';
import { runChange } from './run-change.ts';

export const listUsers: ScimOperation = async ({ query }, { tenant, directory, scim_url: scimUrl }) => {
  const { start_index: startIndex, count } = pageOf(query);
  const { rows, total } = await listPeople(tenant, directory.id, {
    condition: query.filter ? conditionOf(query.filter, filterableUsers) : undefined,
    sort_by: query.sortBy,
    descending: query.sortOrder === 'descending',
    start_index: startIndex,
    count,
  });
  const ids = rows.map((row) => row.collaborator_id);
  const groups = Map.groupBy(await groupsOf(tenant, directory.id, ids), (group) => group.collaborator_id);
  const resources = rows.map((row) =>
    project(userResponse(row, groups.get(row.collaborator_id) ?? [], scimUrl), query),
  );
  return { status: 200, body: listResponse(resources, total, startIndex) };
};

export const getUser: ScimOperation = async (request, context) => show(request, context, request.params.id!, 200);

export const createUser: ScimOperation = async (request, context) => {
  const attributes = canonicalAttributes(request.body);
  const added = runChange(context, 'person', async (tx, directing) => {
    const id = await addPerson(tx, directing, attributes);
    return { id, outcome: 'created', subjects: [String(attributes.userName)] };
  });
  const id = await added.catch((error) => {
    throw inAttributes(error, attributes, mappingOf(context));
  });
  return show(request, context, id, 201);
};

export const replaceUser: ScimOperation = async (request, context) => {
  const attributes = canonicalAttributes(request.body);
  return change(request, context, () => attributes);
};

export const patchUser: ScimOperation = async (request, context) => {
  const operations = readPatch(request.body);
  return change(request, context, (before) => applyPatch(before, operations));
};

async function change(
  request: ScimRequest,
  context: ScimContext,
  transform: Parameters<typeof changePerson>[3],
): Promise<ScimReply> {
  const id = request.params.id!;
  let sent: Attributes = {};
  const changed = runChange(context, 'person', async (tx, directing) => {
    const remember: typeof transform = (before) => {
      sent = transform(before);
      return sent;
    };
    const hasChanged = await changePerson(tx, directing, id, remember, request.ifMatch);
    const person = await findPerson(tx, context.directory.id, id);
    return {
      id: id.toLowerCase(),
      outcome: hasChanged ? 'changed' : 'unchanged',
      subjects: [id, ...(person ? [person.user_name] : [])],
    };
  });
  await changed.catch((error) => {
    throw inAttributes(error, sent, mappingOf(context));
  });
  return show(request, context, id, 200);
}

function mappingOf({ directory }: ScimContext): FieldMapping {
  return directory.field_mapping as unknown as FieldMapping;
}

export const deleteUser: ScimOperation = async ({ params, ifMatch }, context) => {
  const id = params.id!;
  await runChange(context, 'person', async (tx, directing) => {
    await removePerson(tx, directing, id, ifMatch);
    return { id: id.toLowerCase(), outcome: 'removed', subjects: [id] };
  });
  return { status: 204 };
};

/** @throws 404 */
async function show(request: ScimRequest, context: ScimContext, id: string, status: number): Promise<ScimReply> {
  const { tenant, directory, scim_url: scimUrl } = context;
  const person = await findPerson(tenant, directory.id, id);
  if (!person) throw noSuchResource();
  const resource = userResponse(person, await groupsOf(tenant, directory.id, [person.collaborator_id]), scimUrl);
  const headers = { ETag: personVersion(person), ...(status === 201 && { Location: resource.meta.location }) };
  return { status, headers, body: project(resource, request.query) };
}
