/**
 * The client for signing in to the account pages. It gets no code or token: the pages only need the browser's session
 * (`api/pages/account-sign-in.ts`).
 */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const accountClientId = 'account-page';

/** Where a canceled sign-in returns to. */
export const accountPath = '/account';

/** @param baseUrl public address of the service */
export function ensureAccountClient(db: Database, baseUrl: string): Promise<void> {
  return ensureOwnClient(db, baseUrl, { id: accountClientId, name: 'Account page', path: accountPath, scopes: [] });
}
