/** The tables of the queue (graphile-worker), in the same database as everything else. */
import { Logger, runMigrations } from 'graphile-worker';

/** Brings the queue's own tables up to date; safe when several processes do it at once. */
export async function migrateQueue(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: silent });
}

const silent = new Logger(() => () => {});
