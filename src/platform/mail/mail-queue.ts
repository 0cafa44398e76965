/** Queues mails as jobs in the transaction that causes them, encrypted, because a mail may contain a link that gives access. */
import { type QueryExecutorProvider, sql } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { originNow } from '../observe/activity.ts';
import { flagsOf, versioned } from '../queue/job-versions.ts';
import { type EncryptionKeys, type SealContext, vault } from '../secrets/secrets.ts';
import { countMails } from './mail-quota.ts';

/** The default daily limit of a company. */
const defaultMailsPerDay = 500;
const maxAttempts = 10; // with the queue's backoff, about 17 hours

/** The values of each mail, which `mail-messages.ts` turns into text. */
export interface MailTemplates {
  invitation: { name: string; company: string; link: string; daysValid: number };
  password_reset: { name: string; link: string; minutesValid: number };
  password_changed: { name: string };
  /** `device`, `address`, and `time` are human-readable. */
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
    /** The installer. */
    person: string;
    isSuspended: boolean;
    link: string;
    daysValid: number;
  };
  /** `time` of the next attempt, human-readable. */
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
    consolePath: string;
  };
  directory_roles: { name: string; company: string; directory: string; consolePath: string };
  /** `date` is YYYY-MM-DD. */
  certificate_expiring: { name: string; company: string; connection: string; date: string; consolePath: string };
  directory_token: { name: string; company: string; directory: string; days: number; consolePath: string };
  /** `people` are the first names; `consolePath` leads to the one person, or to all pending ones. */
  invitations_expired: { name: string; company: string; people: string; count: number; consolePath: string };
  webhook_deactivated: {
    name: string;
    company: string;
    host: string;
    description: string;
    explanation: string;
    /** The webhook's page; missing in jobs of older versions. */
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
   * Mails of a company, throttled; up to about a thousand at a time.
   * @returns how many were queued, from the first one: fewer if the company's daily limit is reached
   */
  queueOfCompany(tx: TenantTransaction, mails: readonly Mail[]): Promise<number>;
  /** The mail in a job's payload. @throws when our keys can't decrypt it */
  open(payload: unknown): Mail;
}

/** A job has no id yet when it is encrypted, so it is bound to its task. */
const context: SealContext = ['graphile_worker.jobs', 'sendMail'];

export function createMailQueue(encryptionKeys: EncryptionKeys, mailsPerDay = defaultMailsPerDay): MailQueue {
  const sealed = vault(encryptionKeys, 'mail-jobs');
  const payloadOf = (mail: Mail) =>
    versioned('sendMail', {
      sealed: sealed.seal(JSON.stringify(mail), context).toString('base64'),
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
      const { due_at: dueAt } = await countMails(tx, mails.length, mailsPerDay);
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
      const mail = JSON.parse(sealed.open(Buffer.from((payload as { sealed: string }).sealed, 'base64'), context));
      return { language: defaultLanguage, ...mail }; // jobs of older versions have none
    },
  };
}
