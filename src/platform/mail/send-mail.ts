/** Sends mail by SMTP when it is configured; otherwise writes it to a folder of readable files, for development. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { currentActivity } from '../observe/activity.ts';
import type { Logger } from '../observe/log.ts';
import type { RenderedMail } from './render-mail.ts';

const timeout_ms = 20_000;

/** So that nobody's machine answers (RFC 3834), and so that a mail leads back to the request that caused it. */
function headers(): Record<string, string> {
  const request_id = currentActivity()?.request_id;
  return { 'Auto-Submitted': 'auto-generated', ...(request_id && { 'X-Request-Id': request_id }) };
}

interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtp_url: string | undefined;
  /** Sender, for example `People <people@example.com>`. */
  from: string;
  /** Where mails are kept without SMTP. */
  outbox: string;
  log: Logger;
}

export interface Mailer {
  /** @throws when the server refuses or can't be reached: the job is tried again */
  send(mail: RenderedMail): Promise<void>;
  close(): void;
}

export function createMailer({ smtp_url, from, outbox, log }: MailerOptions): Mailer {
  if (!smtp_url) return { send: (mail) => keep(mail, from, outbox, log), close() {} };
  const transport = nodemailer.createTransport({
    url: smtp_url,
    pool: true,
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  transport.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server failed')); // sending fails by itself
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from, headers: headers() });
      log.info({ subject: mail.subject }, 'mail sent');
    },
    close: () => transport.close(),
  };
}

/** One `.txt` to read and one `.html` to open, named by time and address. */
async function keep(mail: RenderedMail, from: string, outbox: string, log: Logger): Promise<void> {
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${mail.to.replace(/[^\w@.+-]/g, '_')}`;
  const heads = { From: from, To: mail.to, Subject: mail.subject, ...headers() };
  const head = Object.entries(heads).map(([header, value]) => `${header}: ${value}\n`);
  const text = `${head.join('')}\n${mail.text}`;
  await writeFile(join(outbox, `${name}.html`), mail.html, { mode: 0o600 });
  await writeFile(join(outbox, `${name}.txt`), text, { mode: 0o600 });
  log.info({ file: join(outbox, `${name}.txt`) }, 'no SMTP_URL: mail kept as a file');
}
