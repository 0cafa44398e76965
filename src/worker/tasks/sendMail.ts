/** Sends one mail. The payload is encrypted: see platform/mail/mail-queue.ts. */
import type { Task } from 'graphile-worker';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { renderMail } from '../../platform/mail/render-mail.ts';
import type { Mailer } from '../../platform/mail/send-mail.ts';

export function sendMail(queue: MailQueue, mailer: Mailer, baseUrl: string): Task {
  return (payload) => mailer.send(renderMail(queue.open(payload), baseUrl));
}
