/** `token`: prints a valid access token of the stored sign-in. */

import { type CliContext, httpAddress } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { readCredentials, type SignIn, storeTokens } from './credentials.ts';
import { discover, GrantEnded, refreshTokens } from './oauth.ts';

/** Refresh a token that expires sooner than this, so that the next request still succeeds. */
const minValidityS = 60;

export async function token(context: CliContext, options: AddressOptions & OutputOptions): Promise<void> {
  const baseUrl = await serviceAddress(context, options);
  const { access_token: accessToken, expires_at: expiresAt, scope } = await currentSignIn(context, baseUrl);
  print(options, { base_url: baseUrl, access_token: accessToken, expires_at: expiresAt, scope }, accessToken);
}

/** A token that the caller manages, as in CI: API_TOKEN, only for the service at API_URL. */
function environmentToken({ environment }: Pick<CliContext, 'environment'>, baseUrl: string): SignIn | undefined {
  const { API_TOKEN, API_URL } = environment;
  if (!API_TOKEN || !API_URL || httpAddress(API_URL) !== baseUrl) return undefined;
  return { client_id: '', access_token: API_TOKEN, expires_at: '', refresh_token: null, scope: '' };
}

/**
 * Returns the stored sign-in, refreshing its access token when it is about to expire.
 * @throws CliError that asks to sign in, when there is no sign-in or it is no longer valid
 */
export async function currentSignIn(
  context: Pick<CliContext, 'environment' | 'program'>,
  baseUrl: string,
): Promise<SignIn> {
  const fromEnvironment = environmentToken(context, baseUrl);
  if (fromEnvironment) return fromEnvironment;
  const { environment, program } = context;
  const advice = `run \`${program} login --base-url ${baseUrl}\``;
  const credentials = await readCredentials(environment);
  const signIn = credentials[baseUrl];
  if (!signIn) {
    const others = Object.keys(credentials).join(', ');
    throw new CliError(`not signed in at ${baseUrl}${others && ` (but at ${others})`}: ${advice}`);
  }
  if (Date.parse(signIn.expires_at) - Date.now() > minValidityS * 1000) return signIn;
  if (!signIn.refresh_token) throw new CliError(`the sign-in at ${baseUrl} has ended: ${advice}`);
  try {
    const server = await discover(baseUrl);
    const tokens = await refreshTokens(server, signIn.client_id, signIn.refresh_token);
    return await storeTokens(environment, baseUrl, signIn.client_id, tokens, signIn);
  } catch (error) {
    if (error instanceof GrantEnded) throw new CliError(`the sign-in at ${baseUrl} has ended: ${advice}`);
    throw error;
  }
}
