/** `login`: signs in through the browser, and keeps the tokens and the company for other commands. */
import { note, type OutputOptions, print, printJson } from '../terminal/output.ts';
import type { Place } from '../terminal/place.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { openBrowser } from './browser.ts';
import { type Account, chosenCompany, readAccount } from './companies.ts';
import { credentialsFile, readCredentials, storeCompany, storeTokens } from './credentials.ts';
import { rememberService } from './last-service.ts';
import { authorizationRequest, discover, exchangeCode, type Server } from './oauth.ts';
import { receiveRedirect } from './redirect.ts';

export interface LoginOptions extends AddressOptions, OutputOptions {
  clientId?: string;
  company?: string;
  scope?: string;
  open: boolean;
  print?: boolean;
  timeoutS: number;
}

/** The client that every service has for this program: public, and back to the own machine only. */
export const own_client_id = 'command-line';

export async function login(place: Place, options: LoginOptions): Promise<void> {
  const { environment, program } = place;
  const base_url = await serviceAddress(place, options);
  const before = (await readCredentials(environment))[base_url];
  const client_id = options.clientId ?? before?.client_id ?? own_client_id;
  const server = await discover(base_url);
  const scope = options.scope ?? everyScope(server);
  const tokens = await receiveRedirect(options.timeoutS, async (redirect_uri) => {
    const request = await authorizationRequest(server, client_id, redirect_uri, scope);
    note(`Open this address in a browser to sign in:\n\n  ${request.url}\n`);
    if (options.open) openBrowser(request.url, environment);
    return { state: request.state, accept: (answer) => exchangeCode(server, request, answer) };
  });
  if (options.print) {
    printJson(tokens, 2);
    return;
  }
  const { expires_at, scope: granted } = await storeTokens(environment, base_url, client_id, tokens);
  await rememberService(environment, base_url);
  const account = granted.split(' ').includes('profile') ? await readAccount(base_url, tokens.access_token) : undefined;
  const company = account && (await keepCompany(place, base_url, account, options, before?.company_id));
  const file = credentialsFile(environment);
  const data = { base_url, client_id, company_id: company?.id ?? null, scope: granted, expires_at, stored_in: file };
  const who = account ? ` as ${account.email}` : '';
  const at = company ? `, for ${company.name}` : '';
  const lines = [`Signed in at ${base_url}${who}${at}. The tokens are in ${file}.`];
  if (!company) lines.push(`Choose the company that commands act for: ${program} use <company>`);
  print(options, data, lines.join('\n'));
}

/** The company that was asked for, else the one chosen before, else the only one. */
async function keepCompany(
  place: Place,
  base_url: string,
  { companies }: Account,
  options: LoginOptions,
  before?: string,
) {
  const usual = companies.find(({ id }) => id === before) ?? (companies.length === 1 ? companies[0] : undefined);
  const company = options.company === undefined ? usual : chosenCompany(companies, options.company);
  await storeCompany(place.environment, base_url, company?.id);
  return company;
}

function everyScope(server: Server): string {
  return (server.scopes_supported ?? []).join(' ');
}
