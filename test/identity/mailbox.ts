/** Mailboxes of people: runs a worker that stores the service's emails as files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../helpers/eventually.ts';
import { testWorker } from '../helpers/worker.ts';
import type { OAuthService } from './service.ts';

export interface Mailbox {
  /** Subjects of the emails to an address, oldest first, after all jobs are done. */
  subjects(address: string): Promise<string[]>;
  /** The link in the latest email with this subject. */
  link(address: string, subject: string): Promise<string>;
  done(): Promise<void>;
  close(): Promise<void>;
}

export async function openMailbox(service: Pick<OAuthService, 'config' | 'database' | 'base_url'>): Promise<Mailbox> {
  const { database } = service;
  const worker = await testWorker(service);
  const { outbox } = worker;
  const done = () =>
    eventually(async () => {
      const [jobs] = await database.query<{ waiting: string }>('select count(*) as waiting from graphile_worker.jobs');
      if (Number(jobs!.waiting) > 0) throw new Error(`${jobs!.waiting} jobs wait`);
    });
  const texts = async (address: string) => {
    await done();
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
    done,
    close: worker.stop,
  };
}
