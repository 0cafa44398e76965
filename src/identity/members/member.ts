/** A user in one company: their role, and their collaborator. */
import { sql } from 'kysely';
import { type Language, languageOfLocale } from '../../contract/languages/language.ts';
import { pointRead } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FileLinks } from '../../platform/files/links.ts';
import { type CompanyDirectory, readDirectories } from '../directories/company-directories.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import { type CompanyFields, readFields } from './company-fields.ts';
import {
  type CompanyPolicy,
  defaultPolicy,
  isConnectionOnly,
  policiesOf,
  policyOf,
  secondFactorSince,
} from './company-policy.ts';

export const roles = ['admin', 'manager', 'employee'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  collaborator_id: string;
  role: Role;
  /** Installations aren't anybody's record. As managers they reach everybody. */
  isInstallation?: true;
  /** Their own setting. */
  language?: Language | undefined;
  /** The company's custom fields. Without them, no custom values are shown. */
  fields?: CompanyFields;
  /** The company's directories. Without them, nobody is shown as managed. */
  directories?: readonly CompanyDirectory[];
}

/** The member behind a request, with the company's policy. */
export interface CompanyMember extends Member {
  fields: CompanyFields;
  policy: CompanyPolicy;
  /** Since when the policy requires a second factor. */
  second_factor_since?: string | undefined;
  /** Whether the company's identity provider is the only way to sign in for this role. */
  isConnectionOnly?: boolean;
}

/** The part of a token that determines what is visible. */
export type Caller = Pick<VerifiedToken, 'lacks'> & { scopes: readonly string[] };

/** The viewer of a record: token scopes and role determine what is visible. */
export interface Viewer {
  caller: Caller;
  member: Member;
  tenant: { company_id: string };
  /** For links to files. */
  files: { links: FileLinks };
}

const maxRemembered = 10_000;
/** A cache by user and company, with the access version it was loaded under. Oldest first. */
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

/** @returns undefined when the token isn't for that company, or the user isn't active in it */
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
        directories: await readDirectories(tenant),
      }
    : await memberOf(tenant, userId);
  if (member && accessVersion !== undefined) {
    found.delete(key); // to the end
    if (found.size >= maxRemembered) found.delete(found.keys().next().value!);
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
    isConnectionOnly: isConnectionOnly(row.policy, row.role),
    fields: await readFields(tenant),
    directories: await readDirectories(tenant),
  };
}

/** For a process that has changed a company itself, so that it needn't wait for the notification. */
export function forgetMembers(companyId: string): void {
  for (const key of found.keys()) if (key.endsWith(` ${companyId}`)) found.delete(key);
}

/** Installations don't sign in, so only the scope limit for other companies' apps applies to them. */
async function policyForApp({ maker_id: makerId }: VerifiedToken, tenant: Tenant): Promise<CompanyPolicy> {
  if (makerId === null || makerId === tenant.company_id) return defaultPolicy;
  const [policy] = await policiesOf(tenant.global, [tenant.company_id]);
  return { ...defaultPolicy, allowed_scopes: policy?.allowed_scopes ?? null };
}

/** A token's scopes in a company: the policy can limit those of other companies' apps. */
export function scopesIn(
  { scopes, maker_id: makerId }: Pick<VerifiedToken, 'scopes' | 'maker_id'>,
  companyId: string,
  { allowed_scopes: allowedScopes }: CompanyPolicy,
): string[] {
  if (!allowedScopes || makerId === null || makerId === companyId) return scopes;
  return scopes.filter((scope) => allowedScopes.includes(scope));
}

/** An installation as a member. @param id isn't any collaborator's */
export function installed(id: string, role: Role): Member {
  return { collaborator_id: id, role, isInstallation: true };
}
