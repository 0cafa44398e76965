/** Reads the request body from a command-line argument. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Place, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';

/**
 * @param given JSON, `@` and a file name, or `-` for stdin
 * @throws Failure when it can't be read or is not JSON
 */
export async function readData(place: Place, given: string): Promise<string> {
  const body =
    given === '-' ? await text(process.stdin) : given.startsWith('@') ? await content(place, given.slice(1)) : given;
  try {
    JSON.parse(body);
  } catch (error) {
    throw new CliError(`--data is not JSON: ${(error as Error).message}`, 2);
  }
  return body;
}

function content(place: Place, file: string): Promise<string> {
  return readFile(pathAt(place, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} can't be read: ${error.code}`, 2);
  });
}
