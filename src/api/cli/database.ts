/** The database of the service, for one command. */
import { join } from 'node:path';
import { type Config, readConfig, refuseUnsafeSettings } from '../../platform/config/config.ts';
import { makeDataFolder } from '../../platform/config/data-folder.ts';
import { developmentEnvironment, type Environment } from '../../platform/config/development.ts';
import { type Database, openDatabase } from '../../platform/db/client.ts';
import { startEmbedded } from '../../platform/embedded/embedded.ts';
import { prepareDatabase } from '../../platform/schema/prepare.ts';

/**
 * Brings the database up to date, as the start of the service does, and runs `work`.
 * @param usesQueue whether `work` uses the queue, by a mail for example; without it the queue, which takes a while to load, is left alone
 */
export async function withDatabase<T>(
  environment: Environment,
  work: (db: Database, config: Config) => Promise<T>,
  { usesQueue = false } = {},
): Promise<T> {
  return withConfig(environment, async (url, config) => {
    const settings = { ...config.database, pooled: false, url: config.database.directUrl ?? url };
    const migrateQueue = usesQueue ? (await import('../../platform/schema/migrate-queue.ts')).migrateQueue : undefined;
    const acting = await prepareDatabase(settings, migrateQueue);
    const db = openDatabase({ ...settings, url: acting.directUrl, replica: undefined, poolSize: 1 });
    try {
      return await work(db, config);
    } finally {
      await db.close();
    }
  });
}

/** Runs `work` on the database as it is, as the owner of its tables. */
export async function withDatabaseUrl<T>(
  environment: Environment,
  work: (url: string, config: Config) => Promise<T>,
): Promise<T> {
  return withConfig(environment, (url, config) => {
    const { ownerUrl, directUrl = url } = config.database;
    return work(ownerUrl ?? directUrl, config);
  });
}

/** What a command works with: mails and addresses are those of the service, which refuses to start with others. */
const counting = ['DATABASE_URL', 'ENCRYPTION_KEY', 'FILE_KEYS'];

/** An embedded database is joined when it runs, else started for the moment. @param work gets the address of the database */
async function withConfig<T>(environment: Environment, work: (url: string, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(await developmentEnvironment(environment));
  refuseUnsafeSettings(config, counting);
  if (!config.database.url) await makeDataFolder(config.dataDir);
  const embedded = config.database.url ? undefined : await startEmbedded(join(config.dataDir, 'postgres'));
  try {
    return await work(config.database.url ?? embedded!.url, config);
  } finally {
    await embedded?.stop();
  }
}
