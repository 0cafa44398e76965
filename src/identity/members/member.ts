/** A user in one company: the role they hold there, and the collaborator they are. */
import { sql } from 'kysely';
import { type Language, languageOfLocale } from '../../contract/languages/language.ts';
import { pointRead } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FileLinks } from '../../platform/files/links.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import { type CompanyFields, readFields } from './company-fields.ts';
import {
  type CompanyPolicy,
  isConnectionOnly,
  nothingAsked,
  policiesOf,
  policyOf,
  secondFactorSince,
} from './company-policy.ts';

export type Role = 'admin' | 'manager' | 'employee';

export interface Member {
  collaborator_id: string;
  role: Role;
  /** An installation is nobody's record. As a manager it leads everybody. */
  isInstallation?: true;
  /** That they have set for themselves. */
  language?: Language | undefined;
  /** The fields that the company has defined. Without them, nobody's values are shown. */
  fields?: CompanyFields;
}

/** A member who asks for something: `policy` is that of the company they ask it of. */
export interface CompanyMember extends Member {
  fields: CompanyFields;
  policy: CompanyPolicy;
  /** When the policy began to ask for a second factor. */
  second_factor_since?: string | undefined;
  /** Whether the company's identity provider is the only way in. */
  isConnectionOnly?: boolean;
}

/** What a token may be used for, as far as it decides what is shown. */
export type Caller = Pick<VerifiedToken, 'lacks'> & { scopes: readonly string[] };

/** Who looks at a record: what is shown depends on the token's scopes and on the member's role. */
export interface Viewer {
  caller: Caller;
  member: Member;
  tenant: { company_id: string };
  /** What is shown of files is a link. */
  files: { links: FileLinks };
}

const mostRemembered = 10_000;
/** By user and company, with the version of the user's access under which it was found. The oldest comes first. */
const found = new Map<string, { member: CompanyMember; access_version: number }>();

const readMember = pointRead((tenant: Tenant, userId: string) =>
  tenant
    .selectFrom('collaborators as c')
    .leftJoin('notification_preferences as p', (join) =>
      join.onRef('p.company_id', '=', 'c.company_id').onRef('p.collaborator_id', '=', 'c.id'),
    )
    .select([
      'c.id',
      'c.role',
      sql<string | null>`p.preferences ->> 'locale'`.as('locale'),
      sql<unknown>`(select policy from companies where companies.id = c.company_id)`.as('policy'),
    ])
    .where('c.user_id', '=', userId)
    .where('c.status', '=', 'active')
    .where('c.deleted_at', 'is', null),
);

/**
 * The caller's place in a company.
 * @returns undefined when the token is not for that company, or the user is not an active collaborator of it
 */
export async function findMember(caller: VerifiedToken, tenant: Tenant): Promise<CompanyMember | undefined> {
  const {
    user_id: userId,
    company_ids: companyIds,
    access_version: accessVersion,
    installation_role: installationRole,
  } = caller;
  if (!companyIds.includes(tenant.company_id)) return undefined;
  const key = `${userId} ${tenant.company_id}`;
  const known = found.get(key);
  if (known && known.access_version === accessVersion) return known.member;
  const member = installationRole
    ? {
        ...installed(userId, installationRole),
        policy: await policyForApp(caller, tenant),
        fields: await readFields(tenant),
      }
    : await memberOf(tenant, userId);
  if (member && accessVersion !== undefined) {
    found.delete(key); // to the end
    if (found.size >= mostRemembered) found.delete(found.keys().next().value!);
    found.set(key, { member, access_version: accessVersion });
  }
  return member;
}

async function memberOf(tenant: Tenant, userId: string): Promise<CompanyMember | undefined> {
  const [row] = await readMember(tenant, userId);
  if (!row) return undefined;
  const { id: collaboratorId, locale } = row;
  return {
    collaborator_id: collaboratorId,
    role: row.role as Role,
    language: languageOfLocale(locale),
    policy: policyOf(row.policy),
    second_factor_since: secondFactorSince(row.policy),
    isConnectionOnly: isConnectionOnly(row.policy),
    fields: await readFields(tenant),
  };
}

/** For a process that has changed something of a company itself, and need not wait until it hears of it. */
export function forgetMembers(companyId: string): void {
  for (const key of found.keys()) if (key.endsWith(` ${companyId}`)) found.delete(key);
}

/** Nobody signs in as an installation. What foreign apps may ask for, it may not exceed either. */
async function policyForApp({ maker_id: makerId }: VerifiedToken, tenant: Tenant): Promise<CompanyPolicy> {
  if (makerId === null || makerId === tenant.company_id) return nothingAsked;
  const [policy] = await policiesOf(tenant.global, [tenant.company_id]);
  return { ...nothingAsked, allowed_scopes: policy?.allowed_scopes ?? null };
}

/**
 * The scopes that a token has in a company: those of another company's app are no more than the policy lets such apps have.
 */
export function scopesIn(
  { scopes, maker_id: makerId }: Pick<VerifiedToken, 'scopes' | 'maker_id'>,
  companyId: string,
  { allowed_scopes: allowedScopes }: CompanyPolicy,
): string[] {
  if (!allowedScopes || makerId === null || makerId === companyId) return scopes;
  return scopes.filter((scope) => allowedScopes.includes(scope));
}

/** An installation, in its company. @param id which no collaborator has */
export function installed(id: string, role: Role): Member {
  return { collaborator_id: id, role, isInstallation: true };
}
