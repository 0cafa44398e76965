/** Starts the worker from the resources of the service. */
import { join } from 'node:path';
import { signingKeys } from '../identity/tokens/signing-keys.ts';
import { retainFilesDuringBackup } from '../platform/files/backup-lock.ts';
import { createFiles } from '../platform/files/context.ts';
import { createMailer } from '../platform/mail/send-mail.ts';
import type { ServiceResources } from '../product/service-resources.ts';
import { startWorker } from './worker.ts';
import { workerOptions } from './worker-options.ts';

export async function startJobs(resources: ServiceResources): Promise<void> {
  const {
    config,
    log,
    opened,
    db,
    directUrl,
    base_url: baseUrl,
    store,
    mail,
    quotas,
    registry,
    tracer,
    onCut,
  } = resources;
  await signingKeys(db, config.encryption_keys); // refuses another ENCRYPTION_KEY, with which every mail and webhook would fail
  const { smtp_url: smtpUrl, mailFrom: from, dataDir } = config;
  const mailer = createMailer({ smtp_url: smtpUrl, from, outbox: join(dataDir, 'outbox'), log });
  opened.push(async () => mailer.close());
  const { storage, links } = retainFilesDuringBackup(createFiles(config, baseUrl, store.storage), db.background);
  const workerResources = {
    url: directUrl,
    db: db.background,
    base_url: baseUrl,
    mail,
    mailer,
    storage,
    links,
    quotas,
  };
  const worker = await startWorker(workerOptions(config, { ...workerResources, registry, tracer, log }, onCut));
  opened.push(worker.stop);
}
