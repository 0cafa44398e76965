/**
 * Password reset links: sent by mail, valid once, for half an hour. Neither text nor timing of a response reveals whether an
 * account exists: every request just queues a job, and the job looks up the account.
 */
import { createHmac } from 'node:crypto';
import { type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { originNow } from '../../platform/observe/activity.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';
import {
  deriveKey,
  type EncryptionKeys,
  newSecret,
  type SealContext,
  secretHash,
  vault,
} from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { languageOfUser } from '../members/own-language.ts';
import { createKnownDevices } from '../users/known-devices.ts';
import { network } from '../users/network.ts';
import { findUser } from '../users/users.ts';
import { type PasswordChange, setPassword } from './set-password.ts';

const validMin = 30;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const pauseMs = minuteMs;
const maxPerDay = 5;
/** The share of one network, so that nobody can use up the whole limit. */
const maxPerNetwork = 3;
const retentionDays = 30;
const maxAttempts = 5; // over about two minutes; nobody waits longer for such a mail

export interface ResetQueue {
  /** Queues the job that mails a link to this address. @param language of the mail, unless the user has set one */
  request(db: QueryExecutorProvider, email: string, language: Language, from?: Partial<ResetOrigin>): Promise<void>;
  /** The content of a job's payload. @throws when our keys can't decrypt it */
  open(payload: unknown): ResetRequest;
}

interface ResetOrigin {
  address: string | undefined;
  /** Identify the browser as a known device of the account. */
  deviceCookies: string[];
}

interface ResetRequest {
  email: string;
  /** Of the requesting page. */
  language: Language;
  /** Rate limit key of the request, given this account: a device that has signed in to it, or a network. */
  requester(userId: string): { requested_by: Buffer; known_device: boolean };
}

/** A job has no id yet when it is encrypted, so it is bound to its task. */
const context: SealContext = ['graphile_worker.jobs', 'sendPasswordReset'];

export function createResetQueue(encryptionKeys: EncryptionKeys): ResetQueue {
  const sealed = vault(encryptionKeys, 'reset-jobs');
  const devices = createKnownDevices(encryptionKeys);
  const key = deriveKey(encryptionKeys[0], 'reset-requests');
  const hashed = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    async request(db, email, language, { address, deviceCookies = [] } = {}) {
      const content = JSON.stringify({ email, language, network: network(address), deviceCookies });
      const text = sealed.seal(content, context).toString('base64');
      const payload = JSON.stringify(versioned('sendPasswordReset', { sealed: text, origin: originNow() }));
      await sql`
        select graphile_worker.add_job('sendPasswordReset', ${payload}::json, max_attempts => ${maxAttempts}::int,
          flags => ${flagsOf('sendPasswordReset')}::text[])`.execute(db);
    },
    open(payload) {
      const content = sealed.open(Buffer.from((payload as { sealed: string }).sealed, 'base64'), context);
      const {
        email,
        language = defaultLanguage,
        network,
        deviceCookies,
      } = JSON.parse(content) as {
        email: string;
        language?: Language; // none in jobs of older versions
        network: string;
        deviceCookies: string[];
      };
      const requester = (userId: string) => {
        const device = deviceCookies.map((value) => devices.idOf(userId, value)).find(Boolean);
        const requestedBy = hashed(device ? `device\n${userId}\n${device}` : `network\n${network}`);
        return { requested_by: requestedBy, known_device: device !== undefined };
      };
      return { email, language, requester };
    },
  };
}

/**
 * Mails a link: at most one per minute and five per day for each user, three of them for one network. Requests from strangers
 * don't count for known devices.
 */
export async function sendReset(
  db: Database,
  mail: MailQueue,
  baseUrl: string,
  { email, language: requestedLanguage, requester }: ResetRequest,
): Promise<void> {
  const person = await findUser(db.global, email);
  const language = (person && (await languageOfUser(db, person.id))) ?? requestedLanguage;
  await db.global.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
      .where('only_company_id', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    const nowMs = Date.now();
    const by = requester(user.id);
    if (await isTooMuch(tx, user.id, by, nowMs)) return;
    const secret = newSecret();
    const createdAt = new Date(nowMs).toISOString();
    const expiresAt = new Date(nowMs + validMin * minuteMs).toISOString();
    const row = {
      token_hash: secretHash(secret),
      user_id: user.id,
      created_at: createdAt,
      expires_at: expiresAt,
      ...by,
    };
    await tx.insertInto('password_resets').values(row).execute();
    const values = { name: user.name, link: `${baseUrl}/oauth/reset/${secret}`, minutesValid: validMin };
    await mail.queue(tx, { template: 'password_reset', to: user.email, language, values });
  });
}

/** Whether the limit for this requester is reached. */
async function isTooMuch(
  tx: Transaction<GlobalTables>,
  userId: string,
  { requested_by: requestedBy, known_device: knownDevice }: ReturnType<ResetRequest['requester']>,
  nowMs: number,
): Promise<boolean> {
  const sent = await tx
    .selectFrom('password_resets')
    .select(['created_at', 'requested_by'])
    .where('user_id', '=', userId)
    .where('created_at', '>', new Date(nowMs - dayMs).toISOString())
    .where('known_device', '=', knownDevice)
    .$if(knownDevice, (query) => query.where('requested_by', '=', requestedBy))
    .orderBy('created_at', 'desc')
    .limit(maxPerDay)
    .execute();
  const ofNetwork = sent.filter((each) => each.requested_by?.equals(requestedBy)).length;
  if (sent.length >= maxPerDay || (!knownDevice && ofNetwork >= maxPerNetwork)) return true;
  return sent[0] !== undefined && Date.parse(sent[0].created_at) > nowMs - pauseMs;
}

/** The user of a link. @returns undefined when the link is unknown, used, or expired */
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
 * Uses the link, and invalidates the user's other ones.
 * @param language of the notification mail, unless the user has set one
 */
export async function useReset(
  db: Database,
  mail: MailQueue,
  token: string,
  passwordHash: string,
  language: Language,
  origin: Origin,
): Promise<boolean> {
  const person = await findReset(db, token);
  const mailLanguage = (person && (await languageOfUser(db, person.id))) ?? language;
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
    await setPassword(tx, mail, used.user_id, passwordHash, mailLanguage, by);
    const { user_id: userId } = used; // the link came by mail, which confirms the address
    await tx.updateTable('users').set({ email_confirmed_at: now }).where('id', '=', userId).execute();
    return true;
  });
}

/** For the worker: deletes requests that no limit counts anymore. @returns how many */
export async function removeOldResets(db: Database): Promise<number> {
  const before = new Date(Date.now() - retentionDays * dayMs).toISOString();
  return removeOlder(db.global, 'password_resets', 'created_at', before);
}
