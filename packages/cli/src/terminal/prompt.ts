/** Terminal prompts. */
import { createInterface } from 'node:readline/promises';
import { printable } from './printable.ts';

/** @returns whether the user said yes; Ctrl-C and end of input mean no */
export async function promptConfirmation(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once('SIGINT', () => terminal.close());
  terminal.once('close', () => closed.abort());
  try {
    return /^y(es)?$/i.test((await terminal.question(printable(question), { signal: closed.signal })).trim());
  } catch {
    output.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}
