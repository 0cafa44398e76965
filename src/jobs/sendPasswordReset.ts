/** Finds out who asked for a new password, and mails them a link. The payload is sealed: see oauth/resets.ts. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import type { MailQueue } from '../mail/queue.ts';
import { type ResetQueue, sendReset } from '../oauth/resets.ts';

export function sendPasswordReset(resets: ResetQueue, db: Database, mail: MailQueue, base_url: string): Task {
  return (payload) => sendReset(db, mail, base_url, resets.open(payload));
}
