/** What people find in their mailbox: a worker runs and keeps the mails of the service as files. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorker } from '../../src/jobs/index.ts';
import { createLogger } from '../../src/log.ts';
import { createMailer } from '../../src/mail/send.ts';
import { createResetQueue } from '../../src/oauth/resets.ts';
import { eventually } from '../helpers/eventually.ts';
import type { OAuthService } from './service.ts';

export interface Mailbox {
  /** Subjects of what has come for an address, oldest first, once every job is done. */
  subjects(address: string): Promise<string[]>;
  /** The link in the newest mail with this subject. */
  link(address: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

export async function openMailbox({ config, database, base_url, mail }: OAuthService): Promise<Mailbox> {
  const outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
  const log = createLogger('silent');
  const mailer = createMailer({ smtp_url: undefined, from: 'People <people@example.com>', outbox, log });
  const { access_token_lifetime_s, encryption_key } = config;
  const resets = createResetQueue(encryption_key);
  const { url, db } = database;
  const options = { url, db, concurrency: 2, base_url, access_token_lifetime_s, mail, resets, mailer, log };
  const worker = await startWorker(options);
  const texts = async (address: string) => {
    await eventually(async () => {
      const [jobs] = await database.query<{ waiting: string }>('select count(*) as waiting from graphile_worker.jobs');
      if (Number(jobs!.waiting) > 0) throw new Error(`${jobs!.waiting} jobs wait`);
    }, 5_000);
    const files = (await readdir(outbox)).filter((name) => name.endsWith(`${address}.txt`)).sort();
    return Promise.all(files.map((name) => readFile(join(outbox, name), 'utf8')));
  };
  return {
    subjects: async (address) => (await texts(address)).map((text) => /^Subject: (.*)$/m.exec(text)![1]!),
    async link(address, subject) {
      const text = (await texts(address)).findLast((each) => each.includes(`\nSubject: ${subject}\n`));
      if (!text) throw new Error(`no mail "${subject}" for ${address}`);
      return /^https?:\S+$/m.exec(text)![0];
    },
    async close() {
      await worker.stop();
      await rm(outbox, { recursive: true, force: true });
    },
  };
}
