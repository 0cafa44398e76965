/** Sends one mail. The payload is sealed: see mail/queue.ts. */
import type { Task } from 'graphile-worker';
import type { MailQueue } from '../mail/queue.ts';
import { renderMail } from '../mail/render.ts';
import type { Mailer } from '../mail/send.ts';

export function sendMail(queue: MailQueue, mailer: Mailer): Task {
  return (payload) => mailer.send(renderMail(queue.open(payload)));
}
