import type { Database } from '../../platform/db/client.ts';
import { accountClientId, accountPath, ensureAccountClient } from './account-client.ts';
import { commandLineClientId, ensureCommandLineClient } from './command-line-client.ts';
import { consoleClient, ensureConsoleClient } from './console-client.ts';
import { ensureReferenceClient, referenceClientId, referenceRedirectPath } from './reference-client.ts';

/**
 * Creates or updates the service's own clients.
 * @param baseUrl public address of the service
 */
export async function ensureBuiltInClients(db: Database, baseUrl: string): Promise<void> {
  // Checked first, because they usually exist, and each creation takes a transaction.
  const known = await addressesOf(db, [referenceClientId, accountClientId, consoleClient.id, commandLineClientId]);
  const redirectsTo = (id: string, path: string) => known.get(id) === baseUrl + path;
  if (!redirectsTo(referenceClientId, referenceRedirectPath)) await ensureReferenceClient(db, baseUrl);
  if (!redirectsTo(accountClientId, accountPath)) await ensureAccountClient(db, baseUrl);
  if (!redirectsTo(consoleClient.id, consoleClient.redirectPath)) await ensureConsoleClient(db, baseUrl);
  if (!known.has(commandLineClientId)) await ensureCommandLineClient(db);
}

/** The redirect URIs of existing clients. */
async function addressesOf(db: Database, ids: string[]): Promise<Map<string, string>> {
  const found = await db.global
    .selectFrom('oauth_clients')
    .select(['id', 'redirect_uris'])
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, redirect_uris: redirectUris }) => [id, redirectUris.join(' ')]));
}
