/** Loads the resource that `{id}` or `{key}` identifies, by `x-resource`: 404 if it doesn't exist within the caller's reach. */
import type { Member } from '../../../identity/members/member.ts';
import type { VerifiedToken } from '../../../identity/tokens/verify-token.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { OperationAccess } from '../../../product/access/permissions.ts';
import type { Resource } from '../operation-record.ts';
import type { FoundResource, Step } from '../request-context.ts';

export interface ResourceRequest {
  tenant: Tenant;
  member: Member;
  caller: VerifiedToken;
  access: OperationAccess;
  includesDeleted: boolean;
}

/** @throws 404 */
export type ResourceLoader<C extends object = object> = (
  id: string,
  request: ResourceRequest,
) => Promise<FoundResource<C>>;

export type ResourceLoaders = Readonly<Record<Resource, ResourceLoader>>;

export function findResource(loaders: ResourceLoaders): Step {
  return async (exchange) => {
    const { operation, company, caller, pathParameters } = exchange;
    const { resource, access, includesDeleted } = operation;
    if (!resource || !company) return;
    const request = { ...company, caller, access, includesDeleted };
    exchange.resource = await loaders[resource]((pathParameters.id ?? pathParameters.key)!, request);
  };
}
