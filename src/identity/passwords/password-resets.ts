/**
 * Links to set a new password: sent by mail, valid once, for half an hour.
 *
 * The answer never tells whether an account exists, neither by its text nor by its time: the request does the same for
 * every address, which is to queue a job, and the job looks for the account.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { originNow } from '../../platform/observe/activity.ts';
import { type EncryptionKeys, newSecret, secretHash, vault } from '../../platform/secrets/secrets.ts';
import { setPassword } from './set-password.ts';

const valid_min = 30;
const minute_ms = 60_000;
const day_ms = 86_400_000;
const pause_ms = minute_ms;
const most_a_day = 5;
const kept_days = 30;
const max_attempts = 5; // over about two minutes; nobody waits longer for such a mail

export interface ResetQueue {
  /** Queues the job that mails a link to this address, if somebody signs in with it. */
  request(db: QueryExecutorProvider, email: string): Promise<void>;
  /** The address in a job's payload. @throws when it was not sealed with our key */
  open(payload: unknown): string;
}

export function createResetQueue(encryption_keys: EncryptionKeys): ResetQueue {
  const sealed = vault(encryption_keys, 'reset-jobs');
  return {
    async request(db, email) {
      const payload = JSON.stringify({ sealed: sealed.seal(email).toString('base64'), origin: originNow() });
      await sql`select graphile_worker.add_job('sendPasswordReset', ${payload}::json, max_attempts => ${max_attempts}::int)`.execute(
        db,
      );
    },
    open: (payload) => sealed.open(Buffer.from((payload as { sealed: string }).sealed, 'base64')),
  };
}

/**
 * Mails a link to the user who signs in with this address: at most one a minute and five a day for each user.
 * @param base_url where the link leads
 */
export async function sendReset(db: Database, mail: MailQueue, base_url: string, email: string): Promise<void> {
  await db.global.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    const now_ms = Date.now();
    const sent = await tx
      .selectFrom('password_resets')
      .select('created_at')
      .where('user_id', '=', user.id)
      .where('created_at', '>', new Date(now_ms - day_ms).toISOString())
      .orderBy('created_at', 'desc')
      .limit(most_a_day)
      .execute();
    if (sent.length === most_a_day || (sent[0] && Date.parse(sent[0].created_at) > now_ms - pause_ms)) return;
    const secret = newSecret();
    const created_at = new Date(now_ms).toISOString();
    const expires_at = new Date(now_ms + valid_min * minute_ms).toISOString();
    const row = { token_hash: secretHash(secret), user_id: user.id, created_at, expires_at };
    await tx.insertInto('password_resets').values(row).execute();
    const values = { name: user.name, link: `${base_url}/oauth/reset/${secret}`, minutes_valid: valid_min };
    await mail.queue(tx, { template: 'password_reset', to: user.email, values });
  });
}

/** Whose link it is. @returns undefined when the link is unknown, used or expired */
export async function findReset(db: Database, token: string) {
  return db.global
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('token_hash', '=', secretHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
}

/** Uses the link up, with every other of the same user. @returns false when it can't be used (any more) */
export async function useReset(db: Database, mail: MailQueue, token: string, password_hash: string): Promise<boolean> {
  const now = new Date().toISOString();
  return db.global.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('password_resets')
      .set({ used_at: now })
      .where('token_hash', '=', secretHash(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    if (!used) return false;
    await setPassword(tx, mail, used.user_id, password_hash);
    return true;
  });
}

/** Deletes what no limit counts any more: for the worker, now and then. @returns how many */
export async function removeOldResets(db: Database): Promise<number> {
  const before = new Date(Date.now() - kept_days * day_ms).toISOString();
  const result = await db.global.deleteFrom('password_resets').where('created_at', '<', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}
