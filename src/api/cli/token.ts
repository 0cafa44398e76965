/** `token`: a valid access token of the sign-in that `login` stored. */
import type { Environment } from '../../platform/config/development.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { readCredentials, type SignIn, storeTokens } from './credentials.ts';
import { Failure } from './failure.ts';
import { discover, GrantEnded, refreshTokens } from './oauth.ts';
import { type OutputOptions, print } from './output.ts';

/** A token that ends sooner is refreshed first, so that the request it is for still succeeds. */
const least_validity_s = 60;

export async function token(environment: Environment, options: AddressOptions & OutputOptions): Promise<void> {
  const base_url = await serviceAddress(environment, options);
  const { access_token, expires_at, scope } = await currentSignIn(environment, base_url);
  print(options, { base_url, access_token, expires_at, scope }, access_token);
}

/**
 * The stored sign-in, refreshed when its access token is about to end.
 * @throws Failure that tells to sign in when there is none, or it has ended
 */
export async function currentSignIn(environment: Environment, base_url: string): Promise<SignIn> {
  const credentials = await readCredentials(environment);
  const sign_in = credentials[base_url];
  if (!sign_in) {
    const others = Object.keys(credentials).join(', ');
    throw new Failure(`not signed in at ${base_url}${others && ` (but at ${others})`}: ${advice(base_url)}`);
  }
  if (Date.parse(sign_in.expires_at) - Date.now() > least_validity_s * 1000) return sign_in;
  if (!sign_in.refresh_token) throw new Failure(`the sign-in at ${base_url} has ended: ${advice(base_url)}`);
  try {
    const server = await discover(base_url);
    const tokens = await refreshTokens(server, sign_in.client_id, sign_in.refresh_token);
    return await storeTokens(environment, base_url, sign_in.client_id, tokens, sign_in);
  } catch (error) {
    if (error instanceof GrantEnded) throw new Failure(`the sign-in at ${base_url} has ended: ${advice(base_url)}`);
    throw error;
  }
}

function advice(base_url: string): string {
  return `run \`npm run cli -- login --base-url ${base_url}\``;
}
