/** `company quotas` and `company set-quota`: what a company may have at most. */

import { Failure } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import type { Environment } from '../../platform/config/development.ts';
import { findCompany, setQuota } from '../../product/companies/companies.ts';
import { createQuotas, ownLimits, type QuotaName, quotaNames, quotas } from '../../product/companies/quotas.ts';
import { noCompany } from './company.ts';
import { withDatabase } from './database.ts';

export async function show(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, async (db, config) => {
    if (!(await findCompany(db, id))) throw noCompany(id);
    const tenant = db.tenant(id);
    const known = createQuotas(config.quotas);
    const own = await ownLimits(tenant);
    const rows = [];
    for (const quota of quotaNames) {
      rows.push({ quota, ...(await known.use(tenant, quota)), is_default: own[quota] === undefined });
    }
    return rows;
  });
  const rows = data.map(({ quota, used, limit, is_default }) => [
    quota,
    String(used),
    `${limit}${is_default ? ' (default)' : ''}`,
    `${quotas[quota].what}`,
  ]);
  print(options, { data }, table(['QUOTA', 'USED', 'LIMIT', 'OF'], rows, ''));
}

/** @param limit a whole number, or `default` */
export async function set(
  environment: Environment,
  [id, name, limit]: [id: string, name: string, limit: string],
  options: OutputOptions,
): Promise<void> {
  if (!isQuota(name)) throw new Failure(`there is no quota ${name}; there are ${quotaNames.join(', ')}`);
  const is_default = limit === 'default';
  const number = Number(limit);
  if (!is_default && !(/^\d+$/.test(limit) && Number.isSafeInteger(number))) {
    throw new Failure(`${limit} is no limit: give a whole number, or default`);
  }
  const is_set = await withDatabase(environment, (db) => setQuota(db, id, name, is_default ? null : number));
  if (!is_set) throw noCompany(id);
  const text = is_default
    ? `${name} of company ${id} is the default again.`
    : `${name} of company ${id} is ${limit} now.`;
  print(options, { company_id: id, quota: name, limit: is_default ? null : number }, text);
}

function isQuota(name: string): name is QuotaName {
  return (quotaNames as string[]).includes(name);
}
