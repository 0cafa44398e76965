/**
 * Links to set a new password: sent by mail, valid once, for half an hour.
 *
 * The answer never tells whether an account exists, neither by its text nor by its time: the request does the same for
 * every address, which is to queue a job, and the job looks for the account.
 */
import { createHmac } from 'node:crypto';
import { type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { default_language, type Language } from '../../contract/languages/language.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { originNow } from '../../platform/observe/activity.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';
import {
  deriveKey,
  type EncryptionKeys,
  newSecret,
  type Place,
  secretHash,
  vault,
} from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { languageOfUser } from '../members/own-language.ts';
import { createKnownDevices } from '../users/known-devices.ts';
import { network } from '../users/network.ts';
import { findUser } from '../users/users.ts';
import { type PasswordChange, setPassword } from './set-password.ts';

const valid_min = 30;
const minute_ms = 60_000;
const day_ms = 86_400_000;
const pause_ms = minute_ms;
const most_a_day = 5;
/** Of those that one network may ask for, so that nobody alone uses up the others. */
const most_of_a_network = 3;
const kept_days = 30;
const max_attempts = 5; // over about two minutes; nobody waits longer for such a mail

export interface ResetQueue {
  /**
   * Queues the job that mails a link to this address, if somebody signs in with it.
   * @param language of the mail, when they have set none
   */
  request(db: QueryExecutorProvider, email: string, language: Language, from?: Partial<ResetOrigin>): Promise<void>;
  /** What stands in a job's payload. @throws when it was not sealed with our key */
  open(payload: unknown): ResetRequest;
}

/** Where a request for a link comes from. */
interface ResetOrigin {
  address: string | undefined;
  /** By which the browser may be known to the account. */
  device_cookies: string[];
}

interface ResetRequest {
  email: string;
  /** Of the page where it was asked for. */
  language: Language;
  /** Whose request it is when the account is this one: a device that has signed in to it, or a stranger in a network. */
  requester(user_id: string): { requested_by: Buffer; known_device: boolean };
}

/** A job has no id yet when it is sealed: it is bound to its task. */
const place: Place = ['graphile_worker.jobs', 'sendPasswordReset'];

export function createResetQueue(encryption_keys: EncryptionKeys): ResetQueue {
  const sealed = vault(encryption_keys, 'reset-jobs');
  const devices = createKnownDevices(encryption_keys);
  const key = deriveKey(encryption_keys[0], 'reset-requests');
  const hashed = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    async request(db, email, language, { address, device_cookies = [] } = {}) {
      const content = JSON.stringify({ email, language, network: network(address), device_cookies });
      const text = sealed.seal(content, place).toString('base64');
      const payload = JSON.stringify(versioned('sendPasswordReset', { sealed: text, origin: originNow() }));
      await sql`
        select graphile_worker.add_job('sendPasswordReset', ${payload}::json, max_attempts => ${max_attempts}::int,
          flags => ${flagsOf('sendPasswordReset')}::text[])`.execute(db);
    },
    open(payload) {
      const content = sealed.open(Buffer.from((payload as { sealed: string }).sealed, 'base64'), place);
      const {
        email,
        language = default_language,
        network,
        device_cookies,
      } = JSON.parse(content) as {
        email: string;
        language?: Language; // none in jobs of older versions
        network: string;
        device_cookies: string[];
      };
      const requester = (user_id: string) => {
        const device = device_cookies.map((value) => devices.idOf(user_id, value)).find(Boolean);
        const requested_by = hashed(device ? `device\n${user_id}\n${device}` : `network\n${network}`);
        return { requested_by, known_device: device !== undefined };
      };
      return { email, language, requester };
    },
  };
}

/**
 * Mails a link to the user who signs in with this address: at most one a minute and five a day for each user, three of
 * them for one network. What strangers ask for does not count for a device that has signed in before.
 * @param base_url where the link leads
 */
export async function sendReset(
  db: Database,
  mail: MailQueue,
  base_url: string,
  { email, language: asked_in, requester }: ResetRequest,
): Promise<void> {
  const person = await findUser(db.global, email);
  const language = (person && (await languageOfUser(db, person.id))) ?? asked_in;
  await db.global.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    const now_ms = Date.now();
    const by = requester(user.id);
    if (await isTooMuch(tx, user.id, by, now_ms)) return;
    const secret = newSecret();
    const created_at = new Date(now_ms).toISOString();
    const expires_at = new Date(now_ms + valid_min * minute_ms).toISOString();
    const row = { token_hash: secretHash(secret), user_id: user.id, created_at, expires_at, ...by };
    await tx.insertInto('password_resets').values(row).execute();
    const values = { name: user.name, link: `${base_url}/oauth/reset/${secret}`, minutes_valid: valid_min };
    await mail.queue(tx, { template: 'password_reset', to: user.email, language, values });
  });
}

/** Whether enough links were mailed already, to those among whom this one counts. */
async function isTooMuch(
  tx: Transaction<GlobalTables>,
  user_id: string,
  { requested_by, known_device }: ReturnType<ResetRequest['requester']>,
  now_ms: number,
): Promise<boolean> {
  const sent = await tx
    .selectFrom('password_resets')
    .select(['created_at', 'requested_by'])
    .where('user_id', '=', user_id)
    .where('created_at', '>', new Date(now_ms - day_ms).toISOString())
    .where('known_device', '=', known_device)
    .$if(known_device, (query) => query.where('requested_by', '=', requested_by))
    .orderBy('created_at', 'desc')
    .limit(most_a_day)
    .execute();
  const of_network = sent.filter((each) => each.requested_by?.equals(requested_by)).length;
  if (sent.length >= most_a_day || (!known_device && of_network >= most_of_a_network)) return true;
  return sent[0] !== undefined && Date.parse(sent[0].created_at) > now_ms - pause_ms;
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

/**
 * Uses the link up, with every other of the same user.
 * @param language of the mail that tells them, when they have set none
 * @returns false when it can't be used (any more)
 */
export async function useReset(
  db: Database,
  mail: MailQueue,
  token: string,
  password_hash: string,
  language: Language,
  origin: Origin,
): Promise<boolean> {
  const person = await findReset(db, token);
  const told_in = (person && (await languageOfUser(db, person.id))) ?? language;
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
    const actor = { type: 'user', user_id: used.user_id } as const;
    const by: PasswordChange = { actor, origin, details: { by: 'mailed_link' } };
    await setPassword(tx, mail, used.user_id, password_hash, told_in, by);
    return true;
  });
}

/** Deletes what no limit counts any more: for the worker, now and then. @returns how many */
export async function removeOldResets(db: Database): Promise<number> {
  const before = new Date(Date.now() - kept_days * day_ms).toISOString();
  const result = await db.global.deleteFrom('password_resets').where('created_at', '<', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}
