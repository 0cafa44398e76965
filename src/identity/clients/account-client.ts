/** The client of the account pages. It gets no code or token: they only need the session (`api/pages/sign-in/account-sign-in.ts`). */
import type { Database } from '../../platform/db/client.ts';
import { ensureOwnClient } from './own-clients.ts';

export const accountClientId = 'account-page';

/** Where a canceled sign-in returns to. */
export const accountPath = '/account';

export function ensureAccountClient(db: Database, baseUrl: string): Promise<void> {
  return ensureOwnClient(db, baseUrl, { id: accountClientId, name: 'Account page', path: accountPath, scopes: [] });
}
