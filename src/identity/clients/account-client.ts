/**
 * The client that people sign in to the pages of their own account with. It gets no code and no token: once somebody has signed in,
 * the browser's session is all that the pages need (`api/pages/account-sign-in.ts`).
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const accountClientId = 'account-page';

/** Where a sign-in that was cancelled comes back to. */
export const accountPath = '/account';

/** @param base_url public address of the service */
export function ensureAccountClient(db: Database, baseUrl: string): Promise<void> {
  return ensureOwnClient(db, baseUrl, { id: accountClientId, name: 'Account page', path: accountPath, scopes: [] });
}
