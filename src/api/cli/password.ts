/** Where a command gets a password from: an option, standard input, or a person who types it unseen. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../../../packages/cli/src/terminal/failure.ts';
import { passwordProblem } from '../../identity/passwords/password-rules.ts';

interface PasswordSource {
  /** As the person is asked for it. */
  title: string;
  /** On the command line, where others can see it. */
  given?: string | undefined;
  /** Whether it comes on standard input. */
  stdin?: boolean | undefined;
  /** The option that says so. */
  stdinOption: string;
}

/**
 * A new password that keeps the rules.
 * @param known names that belong to the person, which would be guessed first
 */
export async function newPassword(source: PasswordSource, known: readonly string[]): Promise<string> {
  const password = await readPassword(source);
  const problem = passwordProblem(password, known);
  if (problem) throw new Failure(String(problem));
  return password;
}

async function readPassword({ title, given, stdin, stdinOption }: PasswordSource): Promise<string> {
  if (given !== undefined) return given;
  if (stdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) {
    throw new Failure(`there is no terminal to ask for the password: use ${stdinOption}`, 2);
  }
  const password = await askUnseen(`${title}: `);
  if ((await askUnseen('Once more: ')) !== password) throw new Failure('the two passwords are not the same');
  return password;
}

/** Asks on stderr, so that stdout stays free for the result, and shows nothing of what is typed. */
async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() }).on('error', () => {});
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
