/** `login`: signs in through the browser, and keeps the tokens for `token`. */

import { scopes } from '../../identity/grants/scopes.ts';
import { developmentSettings, type Environment, runningService } from '../../platform/config/development.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { openBrowser } from './browser.ts';
import { credentialsFile, readCredentials, storeTokens } from './credentials.ts';
import { Failure } from './failure.ts';
import { authorizationRequest, discover, exchangeCode, type Server } from './oauth.ts';
import { type OutputOptions, print } from './output.ts';
import { receiveRedirect } from './redirect.ts';

export interface LoginOptions extends AddressOptions, OutputOptions {
  clientId?: string;
  scope?: string;
  open: boolean;
  print?: boolean;
  timeoutS: number;
}

export async function login(environment: Environment, options: LoginOptions): Promise<void> {
  const base_url = await serviceAddress(environment, options);
  const client_id = options.clientId ?? (await knownClient(environment, base_url));
  const server = await discover(base_url);
  const scope = options.scope ?? everyScope(server);
  const tokens = await receiveRedirect(options.timeoutS, async (redirect_uri) => {
    const request = await authorizationRequest(server, client_id, redirect_uri, scope);
    console.error(`Open this address in a browser to sign in:\n\n  ${request.url}\n`);
    if (options.open) openBrowser(request.url, environment);
    return { state: request.state, accept: (answer) => exchangeCode(server, request, answer) };
  });
  if (options.print) {
    console.log(JSON.stringify(tokens, null, 2));
    return;
  }
  const { expires_at, scope: granted } = await storeTokens(environment, base_url, client_id, tokens);
  const file = credentialsFile(environment);
  const data = { base_url, client_id, scope: granted, expires_at, stored_in: file };
  print(options, data, `Signed in at ${base_url}. The tokens are in ${file};\n\`npm run -s cli -- token\` prints one.`);
}

/** The client of this checkout's own service, or the one that was used at that address before. */
async function knownClient(environment: Environment, base_url: string): Promise<string> {
  if ((await runningService(environment))?.base_url === base_url) {
    const { CLI_CLIENT_ID } = await developmentSettings(environment);
    if (CLI_CLIENT_ID) return CLI_CLIENT_ID;
  }
  const used = (await readCredentials(environment))[base_url]?.client_id;
  if (used) return used;
  throw new Failure(
    `which client signs in at ${base_url}? Give --client-id: a public client with the redirect URI ` +
      'http://127.0.0.1/callback, as `client create --public` makes it',
    2,
  );
}

function everyScope(server: Server): string {
  return (server.scopes_supported ?? Object.keys(scopes)).join(' ');
}
