/** A real SMTP server that stores what it receives, and can simulate an outage. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

export interface TestSmtp {
  url: string;
  received: ReceivedMail[];
  /** Rejects every email temporarily (421). */
  down: boolean;
  /** Rejects every recipient permanently (550), with the address in the message. */
  rejectsRecipients: boolean;
  close(): Promise<void>;
}

export async function startSmtp(): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  const smtp = { url: '', received, down: false, rejectsRecipients: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_address, _session, done) {
      done(smtp.down ? Object.assign(new Error('Try again later'), { responseCode: 421 }) : null);
    },
    onRcptTo({ address }, _session, done) {
      const message = `5.1.1 <${address}>: there is no such mailbox of ${address.split('@')[0]}`;
      done(smtp.rejectsRecipients ? Object.assign(new Error(message), { responseCode: 550 }) : null);
    },
    async onData(stream, { envelope }, done) {
      const source = await text(stream).catch(() => undefined);
      if (source === undefined) return; // the sender disconnected
      const { mailFrom, rcptTo } = envelope;
      received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source });
      done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return Object.assign(smtp, { close: () => new Promise<void>((closed) => server.close(closed)) });
}

/** The decoded parts of a message by media type, and the headers, one per line. */
export function readMessage(source: string): { headers: string; parts: Record<string, string> } {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  const parts: Record<string, string> = {};
  for (const part of source.split(`--${boundary}`).slice(1, -1)) {
    const at = part.indexOf('\r\n\r\n');
    const type = /content-type: ([\w/]+)/i.exec(part.slice(0, at))![1]!;
    const encoding = /content-transfer-encoding: (\S+)/i.exec(part.slice(0, at))?.[1];
    parts[type] = decode(part.slice(at + 4), encoding);
  }
  return { headers: head.replace(/\r\n[ \t]+/g, ' '), parts };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
