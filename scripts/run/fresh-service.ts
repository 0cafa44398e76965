/**
 * A temporary service for scripts that walk through the API; its folder, database, and port are removed afterwards. Uses the
 * server of DATABASE_URL if set, so that the results apply to that server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentSettings, type Environment } from '../../src/platform/config/development.ts';
import { demoCompany } from './demo/demo-company.ts';
import { fullCompany } from './demo/full-company.ts';
import { startReceivers } from './demo/receivers.ts';
import { type DevelopmentService, startDevelopment } from './development.ts';
import { quiet } from './progress.ts';
import { untilSignal } from './until-signal.ts';
import { walkDatabase } from './walk-database.ts';

const elsewhere = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_REPLICA_URL',
  'ENCRYPTION_KEY',
  'SMTP_URL',
  'STORAGE_URL',
  'FILE_KEYS',
  'BASE_URL',
  'TLS_CERT',
  'TLS_KEY',
];
const none = Object.fromEntries(elsewhere.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined]));

/** A service with the demo company. */
interface FreshService extends DevelopmentService {
  /** Of all accounts. */
  password: string;
}

/**
 * Starts the service with the demo company, and stops it after the walk, or on SIGTERM or SIGINT.
 * @param baseEnvironment the environment; nothing that points to another key, address, or mailbox is passed on
 * @param name part of the folder name
 * @param walk receives the service, and its environment
 * @param isFull whether to create the full demo company with its month, or only the accounts
 * @throws what `walk` throws; "interrupted" after a signal
 */
export async function withFreshService(
  baseEnvironment: Environment,
  name: string,
  walk: (service: FreshService, environment: Environment) => Promise<void>,
  isFull = false,
): Promise<void> {
  const interrupted = untilSignal().then(() => {
    throw new Error('interrupted');
  });
  interrupted.catch(() => {}); // nothing awaits it before the walk
  const folder = await mkdtemp(join(tmpdir(), `collaborator-api-${name}-`));
  let database: Awaited<ReturnType<typeof walkDatabase>>;
  try {
    database = await walkDatabase(baseEnvironment);
    if (database) console.log(`On ${database.description}.`);
    const own = { ...none, ...database?.environment, NODE_ENV: 'development', DATA_DIR: folder, PORT: '0' };
    const environment = { ...baseEnvironment, ...own };
    const service = await startDevelopment(environment, quiet);
    const receivers = isFull ? await startReceivers(environment) : undefined;
    try {
      if (receivers) await fullCompany(environment, service, receivers);
      else await demoCompany(environment, service.db);
      const { DEMO_PASSWORD: password } = await developmentSettings(environment);
      await Promise.race([walk({ ...service, password }, environment), interrupted]);
    } finally {
      await service.stop();
      receivers?.close();
    }
  } finally {
    await database?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
