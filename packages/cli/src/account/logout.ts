/** `logout`: revokes the stored sign-in at the service and deletes it locally. */

import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { readCredentials, removeSignIn } from './credentials.ts';
import { discover, GrantEnded, revokeToken } from './oauth.ts';

export interface LogoutOptions extends AddressOptions, OutputOptions {
  local?: boolean;
}

export async function logout(context: CliContext, options: LogoutOptions): Promise<void> {
  const baseUrl = await serviceAddress(context, options);
  const signIn = (await readCredentials(context.environment))[baseUrl];
  if (!signIn) throw new CliError(`not signed in at ${baseUrl}`);
  if (!options.local) await revoke(baseUrl, signIn.client_id, [signIn.refresh_token, signIn.access_token]);
  await removeSignIn(context.environment, baseUrl);
  const text = options.local
    ? `The tokens for ${baseUrl} are deleted here, but stay valid at the service until they expire.`
    : `Signed out at ${baseUrl}: the tokens are revoked and deleted.`;
  print(options, { base_url: baseUrl, revoked: !options.local }, text);
}

/** Tries every token: each one revokes the grant, but the service may no longer know some of them. */
async function revoke(baseUrl: string, clientId: string, tokens: (string | null)[]): Promise<void> {
  try {
    const server = await discover(baseUrl);
    for (const token of tokens) if (token) await revokeToken(server, clientId, token);
  } catch (error) {
    if (error instanceof GrantEnded) return; // the client was revoked, and all its tokens with it
    if (!(error instanceof CliError)) throw error;
    throw new CliError(`${error.message}; the tokens are kept: \`logout --local\` deletes them anyway`);
  }
}
