/**
 * What `{id}` or `{key}` of the path names: 404 where there is none in the caller's reach. The operation's `x-resource` says what it
 * is, and a table that stands outside of these steps says who looks for it.
 */
import type { Member } from '../../../identity/members/member.ts';
import type { VerifiedToken } from '../../../identity/tokens/verify-token.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { OperationAccess } from '../../../product/access/permissions.ts';
import type { FoundResource, Step } from '../exchange.ts';
import type { Resource } from '../operation-record.ts';

export interface ResourceRequest {
  tenant: Tenant;
  member: Member;
  caller: VerifiedToken;
  /** Of the operation. */
  access: OperationAccess;
  /** Whether what was deleted is found too. */
  findsDeleted: boolean;
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
    const { resource, access, findsDeleted } = operation;
    if (!resource || !company) return;
    const request = { ...company, caller, access, findsDeleted };
    exchange.resource = await loaders[resource]((pathParameters.id ?? pathParameters.key)!, request);
  };
}
