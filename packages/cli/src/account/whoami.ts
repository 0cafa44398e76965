/** `whoami` and `use`: who is signed in, and the company that commands act for. */
import { Failure } from '../terminal/failure.ts';
import { type OutputOptions, print, table } from '../terminal/output.ts';
import type { Place } from '../terminal/place.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { chosenCompany, readAccount } from './companies.ts';
import { readCredentials, storeCompany } from './credentials.ts';
import { currentSignIn } from './token.ts';

type Options = AddressOptions & OutputOptions;

export async function whoami(place: Place, options: Options): Promise<void> {
  const base_url = await serviceAddress(place, options);
  const { access_token, company_id = null } = await currentSignIn(place, base_url);
  const account = await readAccount(base_url, access_token);
  const rows = account.companies.map(({ id, name, role }) => [id, name, role, id === company_id ? 'in use' : '']);
  const companies = table(['COMPANY', 'NAME', 'ROLE', ''], rows, 'This sign-in gives access to no company.');
  const text = `${account.name} <${account.email}> at ${base_url}\nScopes: ${account.scopes.join(' ')}\n\n${companies}`;
  print(options, { base_url, company_id, account }, text);
}

/** @param wanted id or name of a company */
export async function use(place: Place, wanted: string, options: Options): Promise<void> {
  const base_url = await serviceAddress(place, options);
  const { access_token } = await currentSignIn(place, base_url);
  const company = chosenCompany((await readAccount(base_url, access_token)).companies, wanted);
  const kept = (await readCredentials(place.environment))[base_url];
  if (!kept) throw new Failure('API_TOKEN is not kept here: name its company in COMPANY_ID');
  await storeCompany(place.environment, base_url, company.id);
  print(options, { base_url, company }, `Commands act for ${company.name} (${company.id}) at ${base_url} from now on.`);
}
