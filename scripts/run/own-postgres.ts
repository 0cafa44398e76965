/** For scripts that stop, break, measure or read the log of their Postgres: never somebody's. */
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { exit } from '../../src/platform/process/exit.ts';

/**
 * Starts an embedded Postgres, and refuses to when DATABASE_URL names another: who set it would think that one was tried.
 * @param folder of its data
 * @param settings of the server
 */
export async function ownPostgres(folder: string, settings?: Record<string, string>): Promise<EmbeddedPostgres> {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) {
    console.error('this runs on an embedded Postgres of its own, and not on that of DATABASE_URL: unset it');
    exit(1);
  }
  return startEmbedded(folder, settings);
}
