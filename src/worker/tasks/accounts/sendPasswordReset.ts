/** Mails a password reset link. The payload is encrypted: see identity/passwords/password-resets.ts. */
import type { Task } from 'graphile-worker';
import { type ResetQueue, sendReset } from '../../../identity/passwords/password-resets.ts';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';

export function sendPasswordReset(resets: ResetQueue, db: Database, mail: MailQueue, baseUrl: string): Task {
  return (payload) => sendReset(db, mail, baseUrl, resets.open(payload));
}
