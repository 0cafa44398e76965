/** Service discovery (RFC 7644, section 4). */
import { noSuchResource } from '../../product/directories/scim-problem.ts';
import { listResponse } from './lists.ts';
import type { ScimOperation } from './operation.ts';
import { resourceTypes, schemaDefinitions, serviceProviderConfig } from './schema-definitions.ts';

export const getServiceProviderConfig: ScimOperation = async (_, { scim_url: scimUrl, base_url: baseUrl }) => {
  return { status: 200, body: serviceProviderConfig(scimUrl, `${baseUrl}/docs/guides/directories`) };
};

export const listResourceTypes: ScimOperation = async (_, { scim_url: scimUrl }) => {
  return { status: 200, body: listResponse(resourceTypes(scimUrl)) };
};

export const getResourceType: ScimOperation = async ({ params }, { scim_url: scimUrl }) => {
  return { status: 200, body: findDefinition(resourceTypes(scimUrl), params.name!) };
};

export const listSchemas: ScimOperation = async (_, { scim_url: scimUrl }) => {
  return { status: 200, body: listResponse(schemaDefinitions(scimUrl)) };
};

export const getSchema: ScimOperation = async ({ params }, { scim_url: scimUrl }) => {
  return { status: 200, body: findDefinition(schemaDefinitions(scimUrl), params.name!) };
};

/** @throws 404 */
function findDefinition<D extends { id: string }>(definitions: readonly D[], id: string): D {
  const found = definitions.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (!found) throw noSuchResource();
  return found;
}
