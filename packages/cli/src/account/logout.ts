/** `logout`: ends the sign-in that `login` stored, at the service and here. */
import { Failure } from '../terminal/failure.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import type { Place } from '../terminal/place.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { readCredentials, removeSignIn } from './credentials.ts';
import { discover, GrantEnded, revokeToken } from './oauth.ts';

export interface LogoutOptions extends AddressOptions, OutputOptions {
  local?: boolean;
}

export async function logout(place: Place, options: LogoutOptions): Promise<void> {
  const base_url = await serviceAddress(place, options);
  const sign_in = (await readCredentials(place.environment))[base_url];
  if (!sign_in) throw new Failure(`not signed in at ${base_url}`);
  if (!options.local) await revoke(base_url, sign_in.client_id, [sign_in.refresh_token, sign_in.access_token]);
  await removeSignIn(place.environment, base_url);
  const text = options.local
    ? `The tokens for ${base_url} are removed here; there they count until they expire.`
    : `Signed out at ${base_url}: the tokens are revoked there and removed here.`;
  print(options, { base_url, revoked: !options.local }, text);
}

/** Either token would end the grant; which of them the service still knows is not known here. */
async function revoke(base_url: string, client_id: string, tokens: (string | null)[]): Promise<void> {
  try {
    const server = await discover(base_url);
    for (const token of tokens) if (token) await revokeToken(server, client_id, token);
  } catch (error) {
    if (error instanceof GrantEnded) return; // the client was revoked, and all its tokens with it
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`${error.message}; the tokens are kept: \`logout --local\` removes them all the same`);
  }
}
