/** A service that does not answer, told in one line. */
import { Failure } from '../terminal/failure.ts';

/** Thrown when a service gives no answer, or says that it can not at the moment: this can pass. */
export class NoAnswer extends Failure {
  override name = 'NoAnswer';
}

/**
 * @param error what `fetch` threw
 * @returns other errors as they are
 */
export function unanswered(baseUrl: string, error: Error & { cause?: unknown }, timeoutMs: number): Error {
  if (error.name === 'TimeoutError') return new NoAnswer(`${baseUrl} did not respond within ${timeoutMs / 1000} s`);
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (error.name !== 'TypeError' || !cause) return error; // what fetch throws
  const why = cause.code ?? cause.message;
  if (/redirect/.test(why)) return new Failure(`${baseUrl} gave no usable response (${why})`);
  return new NoAnswer(`no response from ${baseUrl} (${why}): is the service running there?`);
}
