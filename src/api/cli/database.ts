/** Database access for a single command. */
import { join } from 'node:path';
import { refuseOtherEncryptionKeys } from '../../identity/tokens/signing-keys.ts';
import { type Config, readConfig, refuseUnsafeSettings } from '../../platform/config/config.ts';
import { makeDataFolder } from '../../platform/config/data-folder.ts';
import { developmentEnvironment, type Environment } from '../../platform/config/development.ts';
import { type Database, openDatabase } from '../../platform/db/client.ts';
import { startEmbedded } from '../../platform/embedded/embedded.ts';
import { refuseKeyUnknownToProcesses } from '../../platform/rotation/process-keys.ts';
import { prepareDatabase } from '../../platform/schema/prepare.ts';

/**
 * Migrates the database and runs `work`.
 * @param usesQueue loads the job queue, for example to send mail, which takes time
 * @param encrypts whether `work` encrypts, or searches encrypted data: refuses a key that isn't the database's, or that a running
 * process lacks
 */
export async function withDatabase<T>(
  environment: Environment,
  work: (db: Database, config: Config) => Promise<T>,
  { usesQueue = false, encrypts = false } = {},
): Promise<T> {
  return withConfig(environment, async (url, config) => {
    const settings = { ...config.database, pooled: false, url: config.database.directUrl ?? url };
    const migrateQueue = usesQueue ? (await import('../../platform/schema/migrate-queue.ts')).migrateQueue : undefined;
    const urls = await prepareDatabase(settings, migrateQueue);
    const db = openDatabase({ ...settings, url: urls.directUrl, replica: undefined, poolSize: 1 });
    try {
      if (encrypts) {
        await refuseOtherEncryptionKeys(db, config.encryption_keys);
        await refuseKeyUnknownToProcesses(urls.directUrl, config.encryption_keys);
      }
      return await work(db, config);
    } finally {
      await db.close();
    }
  });
}

/** Runs `work` without migrating, as the owner of the tables. */
export async function withDatabaseUrl<T>(
  environment: Environment,
  work: (url: string, config: Config) => Promise<T>,
): Promise<T> {
  return withConfig(environment, (url, config) => {
    const { ownerUrl, directUrl = url } = config.database;
    return work(ownerUrl ?? directUrl, config);
  });
}

/** The settings that commands depend on, which are checked here. The service itself rejects unsafe mail and address settings. */
const checkedSettings = ['DATABASE_URL', 'ENCRYPTION_KEY', 'FILE_KEYS'];

/** Uses a running embedded database, or starts one for the command. @param work gets the database URL */
async function withConfig<T>(environment: Environment, work: (url: string, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(await developmentEnvironment(environment));
  refuseUnsafeSettings(config, checkedSettings);
  if (!config.database.url) await makeDataFolder(config.dataDir);
  const embedded = config.database.url ? undefined : await startEmbedded(join(config.dataDir, 'postgres'));
  try {
    return await work(config.database.url ?? embedded!.url, config);
  } finally {
    await embedded?.stop();
  }
}
