/** For scripts that stop, break, measure or read the log of their Postgres: never somebody's. */
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { exit } from '../../src/platform/process/exit.ts';

/**
 * Starts an embedded Postgres.
 * @param folder of its data
 * @param settings of the server
 */
export async function ownPostgres(folder: string, settings?: Record<string, string>): Promise<EmbeddedPostgres> {
  refuseGivenDatabase();
  return startEmbedded(folder, settings);
}

/** Ends the process when DATABASE_URL names a database: who set it would think that this one was tried. */
export function refuseGivenDatabase(): void {
  if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) return;
  console.error('this runs on an embedded Postgres of its own, and not on that of DATABASE_URL: unset it');
  exit(1);
}
