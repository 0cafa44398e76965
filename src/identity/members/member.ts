/** A user in one company: the role they hold there, and the collaborator they are. */
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FileLinks } from '../../platform/files/links.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';

export type Role = 'admin' | 'manager' | 'employee';

export interface Member {
  collaborator_id: string;
  role: Role;
}

/** Who looks at a record: what is shown depends on the token's scopes and on the member's role. */
export interface Viewer {
  caller: { scopes: readonly string[] };
  member: Member;
  tenant: { company_id: string };
  /** What is shown of files is a link. */
  files: { links: FileLinks };
}

/**
 * What was found for a verified token, company by company. The verifier hands out a new object when it forgets a token,
 * and it forgets all tokens of a user whose access changed; so nothing found here outlives its truth.
 */
const found = new WeakMap<VerifiedToken, Map<string, Member>>();

/**
 * The caller's place in a company.
 * @returns undefined when the token is not for that company, or the user is not an active collaborator of it
 */
export async function findMember(caller: VerifiedToken, tenant: Tenant): Promise<Member | undefined> {
  const known = found.get(caller)?.get(tenant.company_id);
  if (known) return known;
  if (!caller.company_ids.includes(tenant.company_id)) return undefined;
  const row = await tenant
    .selectFrom('collaborators')
    .select(['id', 'role'])
    .where('user_id', '=', caller.user_id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const member: Member = { collaborator_id: row.id, role: row.role as Role };
  const companies = found.get(caller) ?? new Map<string, Member>();
  found.set(caller, companies.set(tenant.company_id, member));
  return member;
}
