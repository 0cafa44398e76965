/** `company quotas` and `company set-quota`: the quotas of a company. */

import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
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
  const rows = data.map(({ quota, used, limit, is_default: isDefault }) => [
    quota,
    String(used),
    `${limit}${isDefault ? ' (default)' : ''}`,
    `${quotas[quota].label}`,
  ]);
  print(options, { data }, table(['QUOTA', 'USED', 'LIMIT', 'OF'], rows, ''));
}

export async function set(
  environment: Environment,
  [id, name, limit]: [id: string, name: string, limit: string],
  options: OutputOptions,
): Promise<void> {
  if (!isQuota(name)) throw new CliError(`unknown quota ${name}; available: ${quotaNames.join(', ')}`, 2);
  const isDefault = limit === 'default';
  const number = Number(limit);
  if (!isDefault && !(/^\d+$/.test(limit) && Number.isSafeInteger(number))) {
    throw new CliError(`${limit} is not a limit: pass a whole number or default`, 2);
  }
  const isSet = await withDatabase(environment, (db) => setQuota(db, id, name, isDefault ? null : number));
  if (!isSet) throw noCompany(id);
  const text = isDefault
    ? `${name} of company ${id} is reset to the default.`
    : `${name} of company ${id} is now ${limit}.`;
  print(options, { company_id: id, quota: name, limit: isDefault ? null : number }, text);
}

function isQuota(name: string): name is QuotaName {
  return (quotaNames as string[]).includes(name);
}
