/** Where a command gets a password from: an option, standard input, or a person who types it unseen. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from './failure.ts';

export interface PasswordOptions {
  adminPassword?: string;
  adminPasswordStdin?: boolean;
}

export async function readPassword({ adminPassword, adminPasswordStdin }: PasswordOptions): Promise<string> {
  if (adminPassword !== undefined) return adminPassword;
  if (adminPasswordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) {
    throw new Failure('there is no terminal to ask for the password: use --admin-password-stdin', 2);
  }
  const password = await askUnseen('Password of the admin: ');
  if ((await askUnseen('Once more: ')) !== password) throw new Failure('the two passwords are not the same');
  return password;
}

/** Asks on stderr, so that stdout stays free for the result, and shows nothing of what is typed. */
async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const cancelled = new AbortController();
  terminal.once('SIGINT', () => cancelled.abort());
  terminal.once('close', () => cancelled.abort());
  try {
    return await terminal.question('', { signal: cancelled.signal });
  } catch {
    throw new Failure('cancelled');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
