/** A dedicated Postgres for scripts that stop, break, or measure it or read its log; never a given one. */
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { beforeExit } from './before-exit.ts';

/**
 * Starts an embedded Postgres, which stops at the latest when this process ends.
 * @param folder its data directory
 * @param settings of the server
 */
export async function ownPostgres(folder: string, settings?: Record<string, string>): Promise<EmbeddedPostgres> {
  rejectDatabaseUrl();
  const server = await startEmbedded(folder, settings);
  const cancelExitHook = beforeExit(() => process.kill(server.pid, 'SIGINT'));
  const stop = async () => {
    await server.stop();
    cancelExitHook();
  };
  return { ...server, stop };
}

/** Exits when DATABASE_URL is set, because the results would not apply to that database. */
export function rejectDatabaseUrl(): void {
  if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) return;
  console.error('this command uses its own embedded Postgres, not DATABASE_URL: unset it');
  exit(1);
}
