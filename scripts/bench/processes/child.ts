// Child process of `make bench NAME=processes`: many instances of a service process's database connections, and of what it does
// on them, idle and for requests. Controlled, and finally killed, by the parent.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Registry } from 'prom-client';
import { createRateLimiter, type RateLimiter } from '../../../src/api/rate-limit/rate-limit.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { createFiles } from '../../../src/platform/files/context.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createMailer } from '../../../src/platform/mail/send-mail.ts';
import { listenForAccessChanges, notifyAccessChanged } from '../../../src/platform/notify/listen.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { workerOptions } from '../../../src/worker/worker-options.ts';
import type { ChildFigures, ChildOptions, Load } from './messages.ts';

const tickMs = 100;

interface Api {
  db: Database;
  limiter: RateLimiter;
}

let notified = 0;
let load: Load = { requestsPerS: 0, eventsPerS: 0, signInsPerS: 0, users: 1, companies: [] };
const config = readConfig(process.env);
const log = createLogger('error');

function countNotifications(): void {
  const emitted = pg.Client.prototype.emit;
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...args: unknown[]) {
    if (event === 'notification') notified += 1;
    return emitted.call(this, event, ...args);
  } as typeof emitted;
}

async function openApi(url: string): Promise<Api> {
  const db = openDatabase({ ...config.database, url });
  const access = listenForAccessChanges({ url, onError: (error) => log.error(error) });
  access.subscribe({ onChange: () => {}, onGap: () => {} });
  await access.ready;
  await db.ping();
  const { rateLimitsPerMin: limits, rateLimitClientFactor: clientFactor } = config;
  return { db, limiter: createRateLimiter({ db: db.background, limits, clientFactor, log }) };
}

async function openWorker(url: string): Promise<void> {
  const registry = new Registry();
  const baseUrl = 'http://127.0.0.1';
  const { storage, links } = createFiles(config, baseUrl);
  const outbox = join(tmpdir(), 'bench-processes-outbox');
  const mail = createMailQueue(config.encryption_keys, config.mailsPerDay);
  const mailer = createMailer({ smtp_url: undefined, from: config.mailFrom, outbox, log });
  const quotas = createQuotas(config.quotas, registry);
  const { background: db } = openDatabase({ ...config.database, url });
  const resources = { url, db, base_url: baseUrl, mail, mailer, storage, links, quotas, registry, log };
  await startWorker(workerOptions(config, resources));
}

/** This tick's share of a rate per second; fractions are rounded randomly. */
function share(perS: number): number {
  const exact = (perS * tickMs) / 1_000;
  return Math.floor(exact) + (Math.random() < exact % 1 ? 1 : 0);
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

/** Counts requests as the pipeline does; writes announce an event, sign-ins announce an access change. */
function act({ db, limiter }: Api): void {
  const companyId = load.companies.length > 0 ? pick(load.companies) : undefined;
  for (let n = share(load.requestsPerS); n > 0; n--) {
    const userId = `user-${Math.floor(Math.random() * load.users)}`;
    void limiter.take(pick(load.companies), { client_id: 'web', user_id: userId }, 'read');
  }
  for (let n = share(load.eventsPerS); n > 0; n--) {
    const report = { id: randomUUID(), kind: 'collaborators', title: 'Made by a measurement', period: null };
    db.tenant(companyId!)
      .transaction(async (tx) => emit(tx, 'report.created', report as never, {}))
      .catch((error) => log.error(error));
  }
  for (let n = share(load.signInsPerS); n > 0; n--) {
    const change = { user_id: randomUUID() };
    db.global
      .transaction()
      .execute((tx) => notifyAccessChanged(tx, change))
      .catch((error) => log.error(error));
  }
}

function figures(): ChildFigures {
  const { user, system } = process.cpuUsage();
  return { notified, cpuMs: (user + system) / 1_000, memory_mb: process.memoryUsage.rss() / 2 ** 20 };
}

const { role, instances, url }: ChildOptions = JSON.parse(process.argv[2]!);
countNotifications();
const apis: Api[] = [];
for (let n = 0; n < instances; n++) {
  if (role === 'api') apis.push(await openApi(url));
  else await openWorker(url);
}
for (const api of apis) {
  setTimeout(() => setInterval(act, tickMs, api), Math.random() * tickMs);
}
process.on('message', (message: Load | 'figures') => {
  if (message === 'figures') process.send!(figures());
  else load = message;
});
process.on('disconnect', () => process.kill(process.pid));
process.send!('ready');
