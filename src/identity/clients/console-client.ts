/**
 * The client of the console at `/console`. It needs no consent, because it belongs to this service, and its codes only go to this
 * service's own address (docs/decisions/0013-console-without-consent.md).
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const consoleClient = { id: 'console', name: 'Console', redirectPath: '/console/callback' };

/** @param baseUrl public address of the service */
export function ensureConsoleClient(db: Database, baseUrl: string): Promise<void> {
  const { id, name, redirectPath: path } = consoleClient;
  return ensureOwnClient(db, baseUrl, { id, name, path, scopes: null });
}

/**
 * Whether an authorization request is from the console: its redirect URI must be exactly the service's own. A loopback redirect
 * URI would match any port (RFC 8252, section 7.3), where another program may listen; that one gets a consent page like any
 * client.
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
