// Test environment on 127.0.0.1, in one folder: Postgres, two API processes behind a load balancer, two workers, mail server and
// storage behind gates, webhook receivers, companies, and signed-in clients.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { discover, type Server } from '../../../packages/cli/src/account/oauth.ts';
import { createClient as createOAuthClient } from '../../../src/identity/clients/clients.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { startSmtp } from '../../../test/platform/mail/smtp.ts';
import type { Random } from '../../random/random.ts';
import { signIn } from '../../run/sign-in.ts';
import { type Client, createClient } from './client.ts';
import { startCluster } from './machines/cluster.ts';
import { type Disk, makeDisk } from './machines/disk.ts';
import { type Gate, startGate } from './machines/gate.ts';
import { type Postgres, startPostgres } from './machines/postgres.ts';
import { Supervised } from './machines/processes.ts';
import { type ChaosStore, openChaosStore } from './machines/store.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import type { TrafficLog } from './traffic-log.ts';

const startTimeoutMs = 180_000;
const diskMb = 256;
const signInsAtOnce = 4;

interface WorldOptions {
  companies: number;
  clients: number;
  /** File storage of the service: a folder on the small disk, or the object store. */
  storage: 'folder' | 's3';
  /** Use a Citus cluster instead of plain Postgres. */
  cluster?: boolean;
  /** STORAGE_URL of an existing object store to use instead. */
  storageUrl?: string | undefined;
  /** Put a gate in front of the database. */
  gated?: boolean;
  trafficLog: TrafficLog;
  random: Random;
  settings?: Record<string, string>;
  nodeOptions?: readonly string[];
}

export interface World {
  folder: string;
  base_url: string;
  companies: string[];
  clients: Client[];
  api: Supervised[];
  workers: Supervised[];
  postgres: Postgres;
  disk: Disk;
  smtp: { gate: Gate; received: { to: string[] }[] };
  store: ChaosStore;
  /** For inspecting stored files. */
  storage: Storage;
  receivers: Receivers;
  /** Stops everything; deletes the folder unless it should be kept. */
  close(keepFolder: boolean): Promise<void>;
}

/** Settings of every process; no rate limits. */
const productionSettings = {
  NODE_ENV: 'production',
  ACCEPT_UNSAFE_SETTINGS: 'BASE_URL,MAIL_FROM,REQUIRE_HTTPS,WEBHOOK_ALLOW_PRIVATE',
  REQUIRE_HTTPS: 'false',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_TIMEOUT_MS: '5000',
  ACCESS_TOKEN_LIFETIME_S: '20',
  TOKEN_REQUESTS_PER_MIN: '1000000',
  TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: '1000000',
  AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: '1000000',
  PROFILE_REQUESTS_PER_MIN: '1000000',
  RATE_LIMIT_REQUESTS_PER_MIN: '1000000',
  RATE_LIMIT_WRITES_PER_MIN: '1000000',
  RATE_LIMIT_UPLOADS_PER_MIN: '1000000',
  RATE_LIMIT_HEAVY_PER_MIN: '1000000',
};

/** @throws when something fails to start; leaves nothing running */
export async function openWorld(options: WorldOptions): Promise<World> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of cleanups.splice(0).reverse()) await close().catch((error) => console.error(error));
  };
  try {
    return await build(options, cleanups, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function build(
  {
    companies: companyCount,
    clients: clientCount,
    storage: kind,
    cluster = false,
    storageUrl,
    gated = false,
    trafficLog,
    random,
    settings,
    nodeOptions,
  }: WorldOptions,
  cleanups: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-chaos-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  const disk = await makeDisk(join(folder, 'data'), diskMb);
  cleanups.push(disk.close);
  const postgres = await (cluster ? startCluster : startPostgres)(join(folder, 'postgres'), cleanups);

  const store = await openChaosStore(kind, storageUrl, disk.folder, cleanups);
  const smtp = await startSmtp();
  cleanups.push(smtp.close);
  const smtpGate = await startGate([Number(new URL(smtp.url).port)]);
  cleanups.push(smtpGate.close);
  const receivers = await startReceivers(trafficLog);
  cleanups.push(receivers.close);

  const ports = [await freePort(), await freePort()];
  const balancer = await startGate(ports);
  cleanups.push(balancer.close);
  const baseUrl = `http://127.0.0.1:${balancer.port}`;
  const dataDir = disk.folder;
  const environment = {
    ...productionSettings,
    PATH: process.env.PATH ?? '',
    BASE_URL: baseUrl,
    DATABASE_URL: gated ? postgres.gate_url : postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir,
    STORAGE_URL: store.url,
    SMTP_URL: `smtp://127.0.0.1:${smtpGate.port}`,
    ...settings,
  };
  const people = await companies(postgres.url, companyCount);

  const { api, workers } = await startProcesses(environment, ports, logs, nodeOptions, cleanups);
  const clients = await signInAll(people, clientCount, { base_url: baseUrl, trafficLog, random });
  const config = readConfig({ ...environment, STORAGE_URL: store.directUrl });
  return {
    folder,
    base_url: baseUrl,
    companies: people.company_ids,
    clients,
    api,
    workers,
    postgres,
    disk,
    smtp: { gate: smtpGate, received: smtp.received },
    store,
    storage: createStorage(config),
    receivers,
    async close(keepFolder) {
      await closeAll();
      if (!keepFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts two API processes and two workers, and waits until they are ready. */
async function startProcesses(
  environment: Record<string, string>,
  ports: number[],
  logs: string,
  nodeOptions: readonly string[] | undefined,
  cleanups: (() => Promise<unknown>)[],
): Promise<Pick<World, 'api' | 'workers'>> {
  const api = ports.map(
    (port, n) => new Supervised(`api-${n + 1}`, 'api', { ...environment, PORT: String(port) }, logs, nodeOptions),
  );
  const workers = [1, 2].map((n) => new Supervised(`worker-${n}`, 'worker', environment, logs, nodeOptions));
  const all = [...api, ...workers];
  cleanups.push(() => Promise.all(all.map((each) => each.stop('SIGKILL'))));
  await Promise.race([
    Promise.all(all.map((each) => each.ready())),
    sleep(startTimeoutMs, undefined, { ref: false }).then(() => {
      throw new Error(`the service did not start; see ${logs}`);
    }),
  ]);
  return { api, workers };
}

interface People {
  company_ids: string[];
  client_id: string;
  email: (company: number) => string;
  password: string;
}

/** Creates companies with an admin each, and the shared OAuth client. */
async function companies(url: string, count: number): Promise<People> {
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 15_000 });
  const password = randomBytes(12).toString('hex');
  const email = (company: number) => `admin${company}@example.com`;
  try {
    const companyIds: string[] = [];
    for (let n = 0; n < count; n++) {
      const admin = { name: 'Ada Admin', email: email(n), password, position: 'Head', department: 'Board' };
      companyIds.push((await createCompany(db, `Company ${n}`, admin)).company.id);
    }
    const client = { name: 'Chaos', redirect_uris: ['http://127.0.0.1/callback'], public: true };
    return { company_ids: companyIds, client_id: (await createOAuthClient(db, client)).id, email, password };
  } finally {
    await db.close();
  }
}

interface SignInOptions {
  base_url: string;
  trafficLog: TrafficLog;
  random: Random;
}

async function signInAll(people: People, count: number, options: SignInOptions): Promise<Client[]> {
  const server = await discover(options.base_url);
  const clients: Client[] = [];
  for (let n = 0; n < count; n += signInsAtOnce) {
    const numbers = Array.from({ length: Math.min(signInsAtOnce, count - n) }, (_, at) => n + at);
    clients.push(...(await Promise.all(numbers.map((number) => signedIn(people, server, number, options)))));
  }
  return clients;
}

async function signedIn(
  { company_ids: companyIds, client_id: clientId, email, password }: People,
  server: Server,
  number: number,
  { base_url: baseUrl, trafficLog, random }: SignInOptions,
): Promise<Client> {
  const company = number % companyIds.length;
  const signInAgain = () => signIn({ base_url: baseUrl, client_id: clientId, email: email(company), password });
  return createClient({
    base_url: baseUrl,
    company_id: companyIds[company]!,
    server,
    client_id: clientId,
    tokens: await signInAgain(),
    trafficLog,
    random: random.fork(`waits of ${number}`),
    signIn: signInAgain,
  });
}
