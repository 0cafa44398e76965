/** `whoami` and `use`: show the signed-in user, and set the default company. */

import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { type OutputOptions, print, table } from '../terminal/output.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { findCompany, readAccount } from './companies.ts';
import { readCredentials, storeCompany } from './credentials.ts';
import { currentSignIn } from './token.ts';

type Options = AddressOptions & OutputOptions;

export async function whoami(context: CliContext, options: Options): Promise<void> {
  const baseUrl = await serviceAddress(context, options);
  const { access_token: accessToken, company_id: companyId = null } = await currentSignIn(context, baseUrl);
  const account = await readAccount(baseUrl, accessToken);
  const rows = account.companies.map(({ id, name, role }) => [id, name, role, id === companyId ? 'in use' : '']);
  const companies = table(['COMPANY', 'NAME', 'ROLE', ''], rows, 'This sign-in gives access to no company.');
  const text = `${account.name} <${account.email}> at ${baseUrl}\nScopes: ${account.scopes.join(' ')}\n\n${companies}`;
  print(options, { base_url: baseUrl, company_id: companyId, account }, text);
}

/** @param idOrName id or name of a company */
export async function use(context: CliContext, idOrName: string, options: Options): Promise<void> {
  const baseUrl = await serviceAddress(context, options);
  const { access_token: accessToken } = await currentSignIn(context, baseUrl);
  const company = findCompany((await readAccount(baseUrl, accessToken)).companies, idOrName);
  const stored = (await readCredentials(context.environment))[baseUrl];
  if (!stored) throw new CliError('API_TOKEN is not stored: set its company in COMPANY_ID');
  await storeCompany(context.environment, baseUrl, company.id);
  print(options, { base_url: baseUrl, company }, `Commands now use ${company.name} (${company.id}) at ${baseUrl}.`);
}
