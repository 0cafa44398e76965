/** A local service for `make run` and `make demo`: free port, log file, embedded database, and an OAuth client. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { commandLineClientId } from '../../src/identity/clients/command-line-client.ts';
import { publicKeys } from '../../src/identity/tokens/signing-keys.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { ConfigError } from '../../src/platform/config/config-error.ts';
import { makeDataFolder } from '../../src/platform/config/data-folder.ts';
import {
  dataFolder,
  developmentEnvironment,
  developmentSettings,
  type Environment,
  type RunningService,
  rememberSettings,
  runningService,
} from '../../src/platform/config/development.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { listen } from '../../src/platform/process/listen.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { loadRoles, type Service, startService } from '../../src/service.ts';
import type { Progress } from './progress.ts';

const firstPort = 8080;
const maxPorts = 100;
const responseTimeoutMs = 3_000;

export interface DevelopmentService extends Service {
  /** OAuth client of the command line. */
  client_id: string;
  /** Id of the signing key; identifies the database. */
  key_id: string;
  log_file: string;
}

/** @throws ConfigError in production, where demo accounts must not exist */
export async function startDevelopment(baseEnvironment: Environment, progress: Progress): Promise<DevelopmentService> {
  if (baseEnvironment.NODE_ENV === 'production') {
    throw new ConfigError('NODE_ENV is production: this is for development; `npm start` starts the service alone');
  }
  const environment = await developmentEnvironment(baseEnvironment);
  const config = readConfig(environment);
  if (environment.PORT) await probe(config.port, config.host); // fail before anything else starts
  const logFile = join(dataFolder(environment), 'service.log');
  const embedded = config.database.url ? undefined : await startDatabase(config, progress);
  try {
    const url = config.database.url ?? embedded!.url;
    await progress('tables', async () => {
      const applied = await migrate(config.database.ownerUrl ?? config.database.directUrl ?? url);
      return applied.length > 0
        ? `made by ${applied.length} migration${applied.length === 1 ? '' : 's'}`
        : 'up to date';
    });
    const service = await listenSomewhere({ ...environment, DATABASE_URL: url, DATABASE_URL_FILE: undefined }, logFile);
    const stop = async () => {
      await service.stop();
      await embedded?.stop();
    };
    try {
      const [key] = await publicKeys(service.db);
      return { ...service, stop, log_file: logFile, client_id: commandLineClientId, key_id: key!.kid };
    } catch (error) {
      await service.stop();
      throw error;
    }
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** The running service of this checkout, recognized by its key, because another service may use its port by now. */
export async function ownService(environment: Environment): Promise<RunningService | undefined> {
  const service = await runningService(environment);
  if (!service) return undefined;
  try {
    const response = await fetch(`${service.base_url}/oauth/jwks`, { signal: AbortSignal.timeout(responseTimeoutMs) });
    const { keys } = (await response.json()) as { keys: { kid: string }[] };
    return keys.some(({ kid }) => kid === service.key_id) ? service : undefined;
  } catch {
    return undefined;
  }
}

async function startDatabase(config: Config, progress: Progress): Promise<EmbeddedPostgres> {
  await makeDataFolder(config.dataDir);
  const folder = join(config.dataDir, 'postgres');
  let embedded: EmbeddedPostgres | undefined;
  await progress(existsSync(folder) ? 'database' : 'database (the first time takes a moment)', async () => {
    // Whatever needs the module reports its load errors.
    embedded = await startEmbedded(folder, {}, { whileStarting: () => void loadRoles().catch(() => {}) });
    return `Postgres 18 in ${folder}`;
  });
  return embedded!;
}

/** Uses PORT if set; otherwise the previous port, or the next free one. */
async function listenSomewhere(environment: Environment, logFile: string): Promise<Service> {
  const log = createLogger(readConfig(environment).log_level, logFile);
  if (environment.PORT) return startService(readConfig(environment), { log });
  const { LAST_PORT } = await developmentSettings(environment);
  const preferred = Number(LAST_PORT) || firstPort;
  for (let port = preferred; port < preferred + maxPorts; port++) {
    const config = readConfig({ ...environment, PORT: String(port) });
    try {
      const service = await startService(config, { log });
      if (String(port) !== LAST_PORT) await rememberSettings(environment, { LAST_PORT: String(port) });
      return service;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`no free port from ${preferred}; set PORT`);
}

/** @throws ConfigError with the code of the system, such as EADDRINUSE */
async function probe(port: number, host: string): Promise<void> {
  const server = createServer();
  await listen(server, { host, port }, { host: 'HOST', port: 'PORT' });
  await new Promise((closed) => server.close(closed));
}
