/**
 * How many mails a company may cause in a day, and at which pace they leave: as many as somebody at work needs leave at
 * once, and the many of an import one after the other, so that the mails of other companies do not wait for them.
 */
import type { TenantTransaction } from '../db/tenant.ts';

const dayMs = 86_400_000;
/** After the first ones. */
const pauseMs = 1_000;
const atOnce = 20;

interface Granted {
  /** When each of them may leave; fewer than were wanted when the day's mails are used up. */
  due_at: Date[];
}

/**
 * Counts mails that a transaction wants to cause. Others of the company wait for its end.
 * @param wanted how many
 * @param aDay how many a company may cause in a day (UTC)
 */
export async function countMails(tx: TenantTransaction, wanted: number, aDay: number): Promise<Granted> {
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
  const count = Math.max(0, Math.min(wanted, aDay - sent));
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

/** In seconds: until there are mails again. */
export function untilTomorrow(): number {
  return Math.ceil((dayMs - (Date.now() % dayMs)) / 1_000);
}
