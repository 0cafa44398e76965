/** `token`: a valid access token of the sign-in that `login` stored. */
import { Failure } from '../terminal/failure.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import { httpAddress, type Place } from '../terminal/place.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { readCredentials, type SignIn, storeTokens } from './credentials.ts';
import { discover, GrantEnded, refreshTokens } from './oauth.ts';

/** A token that ends sooner is refreshed first, so that the request it is for still succeeds. */
const least_validity_s = 60;

export async function token(place: Place, options: AddressOptions & OutputOptions): Promise<void> {
  const base_url = await serviceAddress(place, options);
  const { access_token, expires_at, scope } = await currentSignIn(place, base_url);
  print(options, { base_url, access_token, expires_at, scope }, access_token);
}

/** A token that somebody else looks after, as it can stand in a pipeline: API_TOKEN, for the service at API_URL only. */
function givenToken({ environment }: Pick<Place, 'environment'>, base_url: string): SignIn | undefined {
  const { API_TOKEN, API_URL } = environment;
  if (!API_TOKEN || !API_URL || httpAddress(API_URL) !== base_url) return undefined;
  return { client_id: '', access_token: API_TOKEN, expires_at: '', refresh_token: null, scope: '' };
}

/**
 * The stored sign-in, refreshed when its access token is about to end.
 * @throws Failure that tells to sign in when there is none, or it has ended
 */
export async function currentSignIn(place: Pick<Place, 'environment' | 'program'>, base_url: string): Promise<SignIn> {
  const given = givenToken(place, base_url);
  if (given) return given;
  const { environment, program } = place;
  const advice = `run \`${program} login --base-url ${base_url}\``;
  const credentials = await readCredentials(environment);
  const sign_in = credentials[base_url];
  if (!sign_in) {
    const others = Object.keys(credentials).join(', ');
    throw new Failure(`not signed in at ${base_url}${others && ` (but at ${others})`}: ${advice}`);
  }
  if (Date.parse(sign_in.expires_at) - Date.now() > least_validity_s * 1000) return sign_in;
  if (!sign_in.refresh_token) throw new Failure(`the sign-in at ${base_url} has ended: ${advice}`);
  try {
    const server = await discover(base_url);
    const tokens = await refreshTokens(server, sign_in.client_id, sign_in.refresh_token);
    return await storeTokens(environment, base_url, sign_in.client_id, tokens, sign_in);
  } catch (error) {
    if (error instanceof GrantEnded) throw new Failure(`the sign-in at ${base_url} has ended: ${advice}`);
    throw error;
  }
}
