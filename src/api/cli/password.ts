/** Reads a password from an option, standard input, or a hidden prompt. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { passwordProblem } from '../../identity/passwords/password-rules.ts';

interface PasswordSource {
  title: string;
  /** Given on the command line, where other users can see it. */
  optionValue?: string | undefined;
  stdin?: boolean | undefined;
  stdinOption: string;
}

/** Reads and checks a new password. @param known names of the person, which attackers guess first */
export async function newPassword(source: PasswordSource, known: readonly string[]): Promise<string> {
  const password = await readPassword(source);
  const problem = passwordProblem(password, known);
  if (problem) throw new CliError(String(problem));
  return password;
}

async function readPassword({ title, optionValue, stdin, stdinOption }: PasswordSource): Promise<string> {
  if (optionValue !== undefined) return optionValue;
  if (stdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) {
    throw new CliError(`can't prompt for the password without a terminal: use ${stdinOption}`, 2);
  }
  const password = await promptHidden(`${title}: `);
  if ((await promptHidden('Once more: ')) !== password) throw new CliError('the passwords do not match');
  return password;
}

/** Prompts on stderr, which keeps stdout for the result, and echoes nothing. */
async function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() }).on('error', () => {});
  const terminal = createInterface({ input: process.stdin, output: discarded, terminal: true });
  const cancelled = new AbortController();
  terminal.once('SIGINT', () => cancelled.abort());
  terminal.once('close', () => cancelled.abort());
  try {
    return await terminal.question('', { signal: cancelled.signal });
  } catch {
    throw new CliError('cancelled');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
