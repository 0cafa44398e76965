/** `login`: signs in through the browser, and stores the tokens and the default company. */

import type { CliContext } from '../terminal/context.ts';
import { note, type OutputOptions, print, printJson } from '../terminal/output.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { openBrowser } from './browser.ts';
import { type Account, findCompany, readAccount } from './companies.ts';
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

/** The OAuth client that every service provides for this CLI: public, with loopback redirects only. */
export const ownClientId = 'command-line';

export async function login(context: CliContext, options: LoginOptions): Promise<void> {
  const { environment, program } = context;
  const baseUrl = await serviceAddress(context, options);
  const before = (await readCredentials(environment))[baseUrl];
  const clientId = options.clientId ?? before?.client_id ?? ownClientId;
  const server = await discover(baseUrl);
  const scope = options.scope ?? allScopes(server);
  const tokens = await receiveRedirect(options.timeoutS, async (redirectUri) => {
    const request = await authorizationRequest(server, clientId, redirectUri, scope);
    note(`Open this address in a browser to sign in:\n\n  ${request.url}\n`);
    if (options.open) openBrowser(request.url, environment);
    return { state: request.state, accept: (redirectParams) => exchangeCode(server, request, redirectParams) };
  });
  if (options.print) {
    printJson(tokens, 2);
    return;
  }
  const { expires_at: expiresAt, scope: granted } = await storeTokens(environment, baseUrl, clientId, tokens);
  await rememberService(environment, baseUrl);
  const account = granted.split(' ').includes('profile') ? await readAccount(baseUrl, tokens.access_token) : undefined;
  const company = account && (await saveCompany(context, baseUrl, account, options, before?.company_id));
  const file = credentialsFile(environment);
  const data = {
    base_url: baseUrl,
    client_id: clientId,
    company_id: company?.id ?? null,
    scope: granted,
    expires_at: expiresAt,
    stored_in: file,
  };
  const accountText = account ? ` as ${account.email}` : '';
  const companyText = company ? `, for ${company.name}` : '';
  const lines = [`Signed in at ${baseUrl}${accountText}${companyText}. The tokens are in ${file}.`];
  if (!company) lines.push(`Choose the company that commands act for: ${program} use <company>`);
  print(options, data, lines.join('\n'));
}

/** Precedence: the `--company` option, then the company stored before, then the only company. */
async function saveCompany(
  context: CliContext,
  baseUrl: string,
  { companies }: Account,
  options: LoginOptions,
  before?: string,
) {
  const defaultCompany =
    companies.find(({ id }) => id === before) ?? (companies.length === 1 ? companies[0] : undefined);
  const company = options.company === undefined ? defaultCompany : findCompany(companies, options.company);
  await storeCompany(context.environment, baseUrl, company?.id);
  return company;
}

function allScopes(server: Server): string {
  return (server.scopes_supported ?? []).join(' ');
}
