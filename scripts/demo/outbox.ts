/** Reads the outbox of a service without SMTP: one `.txt` file per email, named by time and recipient. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const maxWaitMs = 10_000;

/** Waits for an email to an address, and extracts its link. @param start prefix of the link */
export async function mailedLink(outbox: string, to: string, start: string): Promise<{ file: string; link: string }> {
  for (const deadlineMs = performance.now() + maxWaitMs; performance.now() < deadlineMs; ) {
    for (const name of await filesTo(outbox, to)) {
      const file = join(outbox, name);
      const words = (await readFile(file, 'utf8')).split(/\s+/);
      const link = words.find((word) => word.startsWith(start) && word.length > start.length);
      if (link) return { file, link };
    }
    await sleep(50);
  }
  const advice = 'does the service send by SMTP, or run without its worker?';
  throw new Error(`no mail to ${to} came to ${outbox} within ${maxWaitMs / 1000} s: ${advice}`);
}

/** Newest first. */
async function filesTo(outbox: string, to: string): Promise<string[]> {
  const names = await readdir(outbox).catch(() => []); // the first email creates the folder
  return names
    .filter((name) => name.endsWith(`-${to}.txt`))
    .sort()
    .reverse();
}
