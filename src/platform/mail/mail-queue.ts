/**
 * Mails are queued as jobs of the transaction that causes them: rolled back with it, sent after it has committed.
 *
 * A mail may contain a link that gives access, so the job's payload is encrypted. The id of the request is stored
 * beside it.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { originNow } from '../observe/activity.ts';
import { flagsOf, versioned } from '../queue/job-versions.ts';
import { type EncryptionKeys, type Place, vault } from '../secrets/secrets.ts';
import { countMails } from './mail-quota.ts';

/** How many mails a company may cause in a day, unless told otherwise. */
const usualMailsADay = 500;
const maxAttempts = 10; // with the queue's growing pauses, about 17 hours

/** Each mail with the values it shows. `mail-words.ts` says what it says. */
export interface MailTemplates {
  invitation: { name: string; company: string; link: string; daysValid: number };
  password_reset: { name: string; link: string; minutesValid: number };
  password_changed: { name: string };
  /** `device`, `address` and `time` as people read them. */
  new_device: { name: string; device: string | null; address: string; time: string };
  confirm_address: { name: string; company: string; link: string; daysValid: number };
  confirm_own_address: { name: string; link: string; daysValid: number };
  address_changed: { name: string };
  provider_linked: { name: string; company: string; connection: string };
  left_company: { name: string; company: string; person: string };
  factor_added: { name: string; factor: string };
  factor_removed: { name: string; factor: string };
  factors_taken: { name: string };
  factors_of_person_taken: { name: string; company: string; person: string };
  recovery_codes_renewed: { name: string };
  recovery_code_used: { name: string; left: number };
  installer_left: { name: string; company: string; app: string; link: string; daysValid: number };
  installer_demoted: {
    name: string;
    company: string;
    app: string;
    /** Who installed it. */
    person: string;
    isSuspended: boolean;
    link: string;
    daysValid: number;
  };
  /** `time` of the next attempt, as people read it. */
  webhook_failing: {
    name: string;
    company: string;
    host: string;
    description: string;
    explanation: string;
    time: string;
    consolePath: string;
  };
  import_failed: {
    name: string;
    company: string;
    filename: string;
    explanation: string;
    /** Of the import in the console. */
    consolePath: string;
  };
  directory_roles: { name: string; company: string; directory: string; consolePath: string };
  directory_token: { name: string; company: string; directory: string; days: number; consolePath: string };
  /** `people` are names, the first ones; `consolePath` of the one person, or of all who are pending. */
  invitations_expired: { name: string; company: string; people: string; count: number; consolePath: string };
  webhook_deactivated: {
    name: string;
    company: string;
    host: string;
    description: string;
    explanation: string;
    /** Of the webhook in the console; mails that were queued earlier have none. */
    consolePath?: string;
  };
}

export type Mail = {
  [T in keyof MailTemplates]: { template: T; to: string; language: Language; values: MailTemplates[T] };
}[keyof MailTemplates];

export interface MailQueue {
  /** A mail to a user about their account. @param tx the transaction that causes the mail */
  queue(tx: QueryExecutorProvider, mail: Mail): Promise<void>;
  /**
   * Mails that a company causes, in one statement; a thousand or so at a time. They leave at the company's pace.
   * @returns how many of them, from the first on: fewer when the company has caused all that it may today
   */
  queueOfCompany(tx: TenantTransaction, mails: readonly Mail[]): Promise<number>;
  /** The mail in a job's payload. @throws when it was not sealed with our key */
  open(payload: unknown): Mail;
}

/** A job has no id yet when it is sealed: it is bound to its task. */
const place: Place = ['graphile_worker.jobs', 'sendMail'];

/** @param mailsADay how many a company may cause */
export function createMailQueue(encryptionKeys: EncryptionKeys, mailsADay = usualMailsADay): MailQueue {
  const sealed = vault(encryptionKeys, 'mail-jobs');
  const payloadOf = (mail: Mail) =>
    versioned('sendMail', {
      sealed: sealed.seal(JSON.stringify(mail), place).toString('base64'),
      origin: originNow(),
    });
  const flags = flagsOf('sendMail');
  return {
    async queue(tx, mail) {
      const payload = JSON.stringify(payloadOf(mail));
      await sql`
        select graphile_worker.add_job('sendMail', ${payload}::json, max_attempts => ${maxAttempts}::int,
          flags => ${flags}::text[])`.execute(tx);
    },
    async queueOfCompany(tx, mails) {
      if (mails.length === 0) return 0;
      const { due_at: dueAt } = await countMails(tx, mails.length, mailsADay);
      const jobs = dueAt.map((runAt, at) => ({ payload: payloadOf(mails[at]!), run_at: runAt }));
      await sql`
        select graphile_worker.add_job('sendMail', payload, run_at => run_at, max_attempts => ${maxAttempts}::int,
          flags => ${flags}::text[])
        from json_to_recordset(${JSON.stringify(jobs)}::json) as job (payload json, run_at timestamptz)`.execute(
        tx.raw,
      );
      return jobs.length;
    },
    open(payload) {
      const mail = JSON.parse(sealed.open(Buffer.from((payload as { sealed: string }).sealed, 'base64'), place));
      return { language: defaultLanguage, ...mail }; // jobs of older versions have none
    },
  };
}
