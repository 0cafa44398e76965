/** What a process needs for the jobs of the queue, and for webhooks, on what every process stands on. */
import { join } from 'node:path';
import { createFiles } from '../platform/files/context.ts';
import { keepDuringBackups } from '../platform/files/during-backups.ts';
import { createMailer } from '../platform/mail/send-mail.ts';
import type { Ground } from '../product/ground.ts';
import { startWorker } from './worker.ts';
import { workerOptions } from './worker-options.ts';

export async function startJobs(ground: Ground): Promise<void> {
  const { config, log, opened, db, direct_url, base_url, store, mail, quotas, registry, tracer, onCut } = ground;
  const { smtp_url, mail_from: from, data_dir } = config;
  const mailer = createMailer({ smtp_url, from, outbox: join(data_dir, 'outbox'), log });
  opened.push(async () => mailer.close());
  const { storage, links } = keepDuringBackups(createFiles(config, base_url, store.storage), db.background);
  const ground_of_worker = { url: direct_url, db: db.background, base_url, mail, mailer, storage, links, quotas };
  const worker = await startWorker(workerOptions(config, { ...ground_of_worker, registry, tracer, log }, onCut));
  opened.push(worker.stop);
}
