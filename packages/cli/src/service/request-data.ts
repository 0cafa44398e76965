/** Reads the request body from a command-line argument. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type CliContext, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';

/**
 * @param source JSON, `@` and a file name, or `-` for stdin
 * @throws CliError when it can't be read or is not JSON
 */
export async function readData(context: CliContext, source: string): Promise<string> {
  const body =
    source === '-'
      ? await text(process.stdin)
      : source.startsWith('@')
        ? await content(context, source.slice(1))
        : source;
  try {
    JSON.parse(body);
  } catch (error) {
    throw new CliError(`--data is not JSON: ${(error as Error).message}`, 2);
  }
  return body;
}

function content(context: CliContext, file: string): Promise<string> {
  return readFile(pathAt(context, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} can't be read: ${error.code}`, 2);
  });
}
