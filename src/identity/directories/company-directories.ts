import type { components } from '../../../generated/api.ts';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

export interface CompanyDirectory {
  id: string;
  /** Its current name. */
  name: string;
  on_local_change: components['schemas']['DirectoryOnLocalChange'];
}

/** A company's directories, a few at most. Cached with a membership (`member.ts`), like the policy. */
export async function readDirectories(tenant: Tenant): Promise<CompanyDirectory[]> {
  return (await ofCompany(tenant)) as CompanyDirectory[];
}

const ofCompany = preparedQuery((tenant) =>
  tenant.global
    .selectFrom('directories')
    .select(['id', 'name', 'on_local_change'])
    .where('company_id', '=', tenant.company_id),
);
