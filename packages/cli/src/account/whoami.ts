/** `whoami` and `use`: show the signed-in user, and set the default company. */

import type { Place } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { type OutputOptions, print, table } from '../terminal/output.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { chosenCompany, readAccount } from './companies.ts';
import { readCredentials, storeCompany } from './credentials.ts';
import { currentSignIn } from './token.ts';

type Options = AddressOptions & OutputOptions;

export async function whoami(place: Place, options: Options): Promise<void> {
  const baseUrl = await serviceAddress(place, options);
  const { access_token: accessToken, company_id: companyId = null } = await currentSignIn(place, baseUrl);
  const account = await readAccount(baseUrl, accessToken);
  const rows = account.companies.map(({ id, name, role }) => [id, name, role, id === companyId ? 'in use' : '']);
  const companies = table(['COMPANY', 'NAME', 'ROLE', ''], rows, 'This sign-in gives access to no company.');
  const text = `${account.name} <${account.email}> at ${baseUrl}\nScopes: ${account.scopes.join(' ')}\n\n${companies}`;
  print(options, { base_url: baseUrl, company_id: companyId, account }, text);
}

/** @param wanted id or name of a company */
export async function use(place: Place, wanted: string, options: Options): Promise<void> {
  const baseUrl = await serviceAddress(place, options);
  const { access_token: accessToken } = await currentSignIn(place, baseUrl);
  const company = chosenCompany((await readAccount(baseUrl, accessToken)).companies, wanted);
  const kept = (await readCredentials(place.environment))[baseUrl];
  if (!kept) throw new CliError('API_TOKEN is not stored: set its company in COMPANY_ID');
  await storeCompany(place.environment, baseUrl, company.id);
  print(options, { base_url: baseUrl, company }, `Commands now use ${company.name} (${company.id}) at ${baseUrl}.`);
}
