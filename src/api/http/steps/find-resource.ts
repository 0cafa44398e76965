/** What `{id}` of the path names is found by the loader that the operation's `x-resource` names: which, says a table. */
import type { Member } from '../../../identity/members/member.ts';
import type { VerifiedToken } from '../../../identity/tokens/verify-token.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { OperationAccess } from '../../../product/access/permissions.ts';
import type { OperationRecord, Resource } from '../engine.ts';

export interface ResourceRequest {
  tenant: Tenant;
  member: Member;
  caller: VerifiedToken;
  /** Of the operation. */
  access: OperationAccess;
  /** Whether what was deleted is found too. */
  finds_deleted: boolean;
}

export interface FoundResource<C extends object = object> {
  /** For the handler. */
  context: C;
  /** Whose record it is, for the rules that say `self` or `team`. */
  record_id?: string;
}

/** @throws 404 */
export type ResourceLoader<C extends object = object> = (
  id: string,
  request: ResourceRequest,
) => Promise<FoundResource<C>>;

export type ResourceLoaders = Readonly<Record<Resource, ResourceLoader>>;

/** @throws 404 */
export async function findResource(
  loaders: ResourceLoaders,
  { resource, access, finds_deleted }: OperationRecord,
  id: string | undefined,
  whose: Pick<ResourceRequest, 'tenant' | 'member' | 'caller'>,
): Promise<FoundResource> {
  return resource ? loaders[resource](id!, { ...whose, access, finds_deleted }) : { context: {} };
}
