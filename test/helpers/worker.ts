/** A worker for a test: in this process, with everything it runs in production. Mails are kept as files. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createResetQueue } from '../../src/identity/passwords/password-resets.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { createFiles } from '../../src/platform/files/context.ts';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { createMailer } from '../../src/platform/mail/send-mail.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { createQuotas } from '../../src/product/companies/quotas.ts';
import { createInstallationLinks } from '../../src/product/connections/installation-links.ts';
import { createTransport } from '../../src/product/delivery/transport.ts';
import { createAddressLinks } from '../../src/product/sign-in-address/address-links.ts';
import { createWebhookSettings } from '../../src/product/webhooks/webhook-settings.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../src/worker/worker.ts';
import type { TestDatabase } from './database.ts';

export interface TestWorker extends Worker {
  /** Where mails are kept. */
  outbox: string;
  registry: Registry;
}

interface Where {
  config: Config;
  database: TestDatabase;
  base_url: string;
}

/** @param options replaces parts of it: a mailer, a transport */
export async function testWorker(
  { config, database, base_url }: Where,
  options: Partial<WorkerOptions> = {},
): Promise<TestWorker> {
  const outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
  const log = createLogger('silent');
  const { url, db } = database;
  const { encryption_keys, access_token_lifetime_s, webhooks } = config;
  const registry = new Registry();
  const { storage, links } = createFiles(config, base_url);
  const worker = await startWorker({
    url,
    db,
    ...config.worker,
    concurrency: 2,
    exports: config.exports,
    base_url,
    access_token_lifetime_s,
    audit_kept_days: config.audit_retention_days,
    retention: { encryption_keys, ...config.retention },
    mail: createMailQueue(encryption_keys, config.mails_per_day),
    resets: createResetQueue(encryption_keys),
    address_links: createAddressLinks(encryption_keys),
    installation_links: createInstallationLinks(encryption_keys),
    mailer: createMailer({ smtp_url: undefined, from: 'People <people@example.com>', outbox, log }),
    webhooks: { ...webhooks, settings: createWebhookSettings(config), transport: createTransport(webhooks) },
    storage,
    links,
    quotas: createQuotas(config.quotas, registry),
    registry,
    log,
    ...options,
  });
  return {
    outbox,
    registry,
    async stop() {
      await worker.stop();
      await rm(outbox, { recursive: true, force: true });
    },
  };
}
