/**
 * The client of the console at `/console`. It needs no consent, because it belongs to this service, and its codes only go to this
 * service's own address (docs/decisions/0013-console-without-consent.md).
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const consoleClient = { id: 'console', name: 'Console', redirectPath: '/console/callback' };

export function ensureConsoleClient(db: Database, baseUrl: string): Promise<void> {
  const { id, name, redirectPath: path } = consoleClient;
  return ensureOwnClient(db, baseUrl, { id, name, path, scopes: null });
}

/**
 * Whether a request is from the console: the redirect URI must be exactly the service's own. On loopback any port would match
 * (RFC 8252, section 7.3), where another program may listen; that one gets a consent page like any client.
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
