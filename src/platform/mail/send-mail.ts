/** Sends mail by SMTP if configured; otherwise writes it to a folder of readable files, for development. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { makeFolder } from '../files/store/make-folder.ts';
import { currentActivity } from '../observe/activity.ts';
import type { Logger } from '../observe/log.ts';
import type { RenderedMail } from './render-mail.ts';

const timeoutMs = 20_000;

/** Suppresses automatic replies (RFC 3834), and links the mail to the request that caused it. */
function headers({ language }: RenderedMail): Record<string, string> {
  const requestId = currentActivity()?.request_id;
  return {
    'Auto-Submitted': 'auto-generated',
    'Content-Language': language,
    ...(requestId && { 'X-Request-Id': requestId }),
  };
}

interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtp_url: string | undefined;
  /** Sender, for example `People <people@example.com>`. */
  from: string;
  /** The folder for mails without SMTP. */
  outbox: string;
  log: Logger;
}

export interface Mailer {
  /** @throws when the server refuses or is unreachable; the job is retried */
  send(mail: RenderedMail): Promise<void>;
  close(): void;
}

export function createMailer({ smtp_url: smtpUrl, from, outbox, log }: MailerOptions): Mailer {
  if (!smtpUrl) return { send: (mail) => saveToOutbox(mail, from, outbox, log), close() {} };
  let transport: Promise<Transporter> | undefined;
  return {
    async send(mail) {
      const { to, subject, text, html, template } = mail;
      transport ??= openTransport(smtpUrl, log);
      const smtp = await transport;
      try {
        await smtp.sendMail({ to, subject, text, html, from, headers: headers(mail) });
      } catch (error) {
        throw new MailRefused(error as SmtpError);
      }
      log.info({ template }, 'mail sent');
    },
    close: () => void transport?.then((smtp) => smtp.close()),
  };
}

/** The first mail loads the library. */
async function openTransport(url: string, log: Logger): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  transport.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server failed')); // the send fails on its own
  return transport;
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Why a mail wasn't sent, without the server's message: that has the address, and this goes to the log and the queue. */
class MailRefused extends Error {
  override name = 'MailRefused';
  readonly code: string | undefined;

  constructor({ code, command, message, response, responseCode }: SmtpError) {
    const [, enhanced] = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? []; // RFC 3463
    const serverStatus = [responseCode, enhanced].filter(Boolean).join(' ');
    if (!serverStatus && command === 'CONN') {
      const [reason = code] = /\bE[A-Z]{4,}\b/.exec(message) ?? []; // the code is ESOCKET for all of them
      super(`the mail server can't be reached (${reason}): see SMTP_URL`);
      this.code = code;
      return;
    }
    const summary = serverStatus
      ? `the mail server returned ${serverStatus}`
      : 'the mail server sent an invalid response';
    super([summary, command && `to ${command.split(' ')[0]}`, code && `(${code})`].filter(Boolean).join(' '));
    this.code = code;
  }
}

/** One `.txt` and one `.html` file, named by time and address. */
async function saveToOutbox(mail: RenderedMail, from: string, outbox: string, log: Logger): Promise<void> {
  await makeFolder(outbox, 0o700);
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${mail.to.replace(/[^\w@.+-]/g, '_')}`;
  const heads = { From: from, To: mail.to, Subject: mail.subject, ...headers(mail) };
  const head = Object.entries(heads).map(([header, value]) => `${header}: ${value}\n`);
  const text = `${head.join('')}\n${mail.text}`;
  await writeFile(join(outbox, `${name}.html`), mail.html, { mode: 0o600 });
  await writeFile(join(outbox, `${name}.txt`), text, { mode: 0o600 });
  log.info({ folder: outbox, template: mail.template }, 'no SMTP_URL: email saved as a file');
}
