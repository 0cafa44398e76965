/** Limits a company's mails, and throttles many at once, as from an import, so that they don't delay other companies' mails. */
import type { TenantTransaction } from '../db/tenant.ts';

const dayMs = 86_400_000;
/** Between two mails, after the first ones. */
const pauseMs = 1_000;
const atOnce = 20;

interface Granted {
  /** When each may leave; fewer than wanted if the daily limit is reached. */
  due_at: Date[];
}

/** Reserves mails for a transaction. Concurrent transactions of the company wait for it. @param perDay the daily limit (UTC) */
export async function countMails(tx: TenantTransaction, requested: number, perDay: number): Promise<Granted> {
  const now = new Date();
  const today = now.toISOString().slice(0, 10);
  await tx
    .insertInto('mail_counts', { day: today, mails: 0, busy_until: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await tx
    .selectFrom('mail_counts')
    .select(['day', 'mails', 'busy_until'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const sent = before.day === today ? before.mails : 0;
  const count = Math.max(0, Math.min(requested, perDay - sent));
  const freeMs = Math.max(now.getTime(), Date.parse(before.busy_until));
  const dueAt = Array.from({ length: count }, (_, at) => {
    return new Date(Math.max(now.getTime(), freeMs + (at + 1 - atOnce) * pauseMs));
  });
  await tx
    .updateTable('mail_counts')
    .set({ day: today, mails: sent + count, busy_until: new Date(freeMs + count * pauseMs).toISOString() })
    .execute();
  return { due_at: dueAt };
}

/** Seconds until the daily limit resets. */
export function secondsUntilTomorrow(): number {
  return Math.ceil((dayMs - (Date.now() % dayMs)) / 1_000);
}
