/** The service's own apps, which stand among all others. */
import type { Database } from '../../platform/db/client.ts';
import { ensureAccountClient } from './account-client.ts';
import { ensureCommandLineClient } from './command-line-client.ts';
import { ensureConsoleClient } from './console-client.ts';
import { ensureReferenceClient } from './reference-client.ts';

/** @param base_url public address of the service */
export async function ensureOwnClients(db: Database, base_url: string): Promise<void> {
  await ensureReferenceClient(db, base_url);
  await ensureAccountClient(db, base_url);
  await ensureConsoleClient(db, base_url);
  await ensureCommandLineClient(db);
}
