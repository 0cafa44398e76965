/**
 * The client of the page that sends requests, `/docs/try`: our own, public, and back to our own address only. It is made when the
 * service starts, because the page is there from the start; `client revoke` switches its sign-in off for good.
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const referenceClientId = 'api-reference';

/** Where the sign-in window of the page comes back to. */
export const referenceRedirectPath = '/docs/signed-in';

/** @param base_url public address of the service */
export function ensureReferenceClient(db: Database, baseUrl: string): Promise<void> {
  const client = { id: referenceClientId, name: 'API reference', path: referenceRedirectPath, scopes: null };
  return ensureOwnClient(db, baseUrl, client);
}

/**
 * Whether an authorization request is that of the page after a reload: without a question (`prompt=none`), and back to the address
 * of the service, to the letter, where nobody else listens. What the person has allowed in this browser's session holds then.
 * @param params of the request
 */
export function isReferenceReload(
  baseUrl: string,
  clientId: string,
  params: { redirect_uri?: unknown; prompt?: unknown; installation?: unknown } | undefined,
): boolean {
  return (
    clientId === referenceClientId &&
    params?.prompt === 'none' &&
    params.redirect_uri === baseUrl + referenceRedirectPath &&
    params.installation === undefined
  );
}
