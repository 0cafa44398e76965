import type { Selectable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Companies } from '../../../generated/db.ts';
import { policyOf } from '../../identity/members/company-policy.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { entityTag } from '../../platform/values/entity-tag.ts';

export type CompanyResponse = components['schemas']['Company'];

const columns = [
  'id',
  'name',
  'time_zone',
  'locale',
  'policy',
  'revision',
  'created_at',
  'updated_at',
] as const satisfies (keyof Companies)[];

export type CompanyRow = Pick<Selectable<Companies>, (typeof columns)[number]>;

export async function readCompany(tenant: Tenant): Promise<CompanyRow> {
  return tenant.global
    .selectFrom('companies')
    .select(columns)
    .where('id', '=', tenant.company_id)
    .executeTakeFirstOrThrow();
}

export function companyResponse({ revision: _, policy, updated_at: updatedAt, ...rest }: CompanyRow): CompanyResponse {
  return { ...rest, policy: policyOf(policy), updated_at: updatedAt ?? rest.created_at };
}

/** A strong validator of the representation (RFC 9110, section 8.8.3). */
export function companyEtag(row: CompanyRow): string {
  return entityTag(companyResponse(row));
}

export function showCompany(row: CompanyRow) {
  return { status: 200 as const, headers: { ETag: companyEtag(row) }, body: companyResponse(row) };
}
