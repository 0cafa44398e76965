/**
 * The client of the console at `/console`. Whoever is signed in here is not asked whether the console may act for them: it is
 * this service's own, and its codes go to this service's own address and nowhere else
 * (docs/decisions/0013-console-without-consent.md).
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const consoleClient = { id: 'console', name: 'Console', redirectPath: '/console/callback' };

/** @param base_url public address of the service */
export function ensureConsoleClient(db: Database, baseUrl: string): Promise<void> {
  const { id, name, redirectPath: path } = consoleClient;
  return ensureOwnClient(db, baseUrl, { id, name, path, scopes: null });
}

/**
 * Whether an authorization request is one of the console: a sign-in that comes back to it at the address of the service, to the
 * letter. On loopback the redirect URI of a client matches with any port (RFC 8252, section 7.3); there a program that listens
 * on another one gets a consent page, as any client does.
 * @param params of the request
 */
export function isConsole(
  baseUrl: string,
  clientId: string,
  params: { redirect_uri?: unknown; installation?: unknown } | undefined,
): boolean {
  return (
    clientId === consoleClient.id &&
    params?.redirect_uri === baseUrl + consoleClient.redirectPath &&
    params.installation === undefined
  );
}
