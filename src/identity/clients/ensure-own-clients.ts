/** The service's own apps, which stand among all others. */
import type { Database } from '../../platform/db/client.ts';
import { account_client_id, account_path, ensureAccountClient } from './account-client.ts';
import { command_line_client_id, ensureCommandLineClient } from './command-line-client.ts';
import { console_client, ensureConsoleClient } from './console-client.ts';
import { ensureReferenceClient, reference_client_id, reference_redirect_path } from './reference-client.ts';

/** @param base_url public address of the service */
export async function ensureOwnClients(db: Database, base_url: string): Promise<void> {
  // Looked for first: they are there at nearly every start, and each takes a transaction of its own.
  const known = await addressesOf(db, [
    reference_client_id,
    account_client_id,
    console_client.id,
    command_line_client_id,
  ]);
  const comesBackTo = (id: string, path: string) => known.get(id) === base_url + path;
  if (!comesBackTo(reference_client_id, reference_redirect_path)) await ensureReferenceClient(db, base_url);
  if (!comesBackTo(account_client_id, account_path)) await ensureAccountClient(db, base_url);
  if (!comesBackTo(console_client.id, console_client.redirect_path)) await ensureConsoleClient(db, base_url);
  if (!known.has(command_line_client_id)) await ensureCommandLineClient(db);
}

/** Where each of them comes back to, of those that are there. */
async function addressesOf(db: Database, ids: string[]): Promise<Map<string, string>> {
  const found = await db.global
    .selectFrom('oauth_clients')
    .select(['id', 'redirect_uris'])
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, redirect_uris }) => [id, redirect_uris.join(' ')]));
}
