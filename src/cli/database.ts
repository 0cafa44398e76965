/** The database of the service, for one command. */
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/client.ts';
import { startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { developmentEnvironment, type Environment } from '../development.ts';

/**
 * Brings the database up to date, as the start of the service does, and runs `work`. An embedded database is joined
 * when it runs, else started for the moment.
 * @param sends_mail whether `work` queues a mail; without it the queue, which takes a while to load, is left alone
 */
export async function withDatabase<T>(
  environment: Environment,
  work: (db: Database, config: Config) => Promise<T>,
  { sends_mail = false } = {},
): Promise<T> {
  const config = readConfig(await developmentEnvironment(environment));
  const embedded = config.database.url ? undefined : await startEmbedded(join(config.data_dir, 'postgres'));
  try {
    const url = config.database.url ?? embedded!.url;
    await migrate(url);
    if (sends_mail) await (await import('../jobs/runner.ts')).migrateQueue(url);
    const db = openDatabase({ ...config.database, url, pool_size: 1 });
    try {
      return await work(db, config);
    } finally {
      await db.close();
    }
  } finally {
    await embedded?.stop();
  }
}
