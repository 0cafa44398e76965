/** The client of the reference, whose pages send requests: public, with redirects to this service only. `client revoke` disables its sign-in permanently. */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const referenceClientId = 'api-reference';

/** The redirect path of its sign-in. */
export const referenceRedirectPath = '/docs/signed-in';

export function ensureReferenceClient(db: Database, baseUrl: string): Promise<void> {
  const client = { id: referenceClientId, name: 'API reference', path: referenceRedirectPath, scopes: null };
  return ensureOwnClient(db, baseUrl, client);
}

/**
 * Whether a request is from a page of the reference after a reload: with `prompt=none`, and exactly the service's own redirect URI, where nobody
 * else can listen. Then the consent given in this browser's session still applies.
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
