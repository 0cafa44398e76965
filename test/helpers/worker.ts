/** Starts a worker in this process with everything it runs in production. Writes emails to files. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Config } from '../../src/platform/config/config.ts';
import { createFiles } from '../../src/platform/files/context.ts';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { createMailer } from '../../src/platform/mail/send-mail.ts';
import { createQuotas } from '../../src/product/companies/quotas.ts';
import { startWorker, type Worker } from '../../src/worker/worker.ts';
import { type WorkerOptions, workerOptions } from '../../src/worker/worker-options.ts';
import type { TestDatabase } from './database/database.ts';
import { testLog } from './log.ts';

export interface TestWorker extends Worker {
  outbox: string;
  registry: Registry;
}

interface WorkerContext {
  config: Config;
  database: TestDatabase;
  base_url: string;
}

/** @param options override parts, such as the mailer or the transport */
export async function testWorker(
  { config, database, base_url: baseUrl }: WorkerContext,
  options: Partial<WorkerOptions> = {},
): Promise<TestWorker> {
  const outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
  const log = testLog();
  const { url, db } = database;
  const registry = new Registry();
  const { storage, links } = createFiles(config, baseUrl);
  const mail = createMailQueue(config.encryption_keys, config.mailsPerDay);
  const mailer = createMailer({ smtp_url: undefined, from: 'People <people@example.com>', outbox, log });
  const quotas = createQuotas(config.quotas, registry);
  const resources = { url, db, base_url: baseUrl, mail, mailer, storage, links, quotas, registry, log };
  const worker = await startWorker({ ...workerOptions(config, resources), concurrency: 2, ...options });
  return {
    outbox,
    registry,
    async stop() {
      await worker.stop();
      await rm(outbox, { recursive: true, force: true });
    },
  };
}
