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
export function unanswered(base_url: string, error: Error & { cause?: unknown }, timeout_ms: number): Error {
  if (error.name === 'TimeoutError') return new NoAnswer(`${base_url} did not answer within ${timeout_ms / 1000} s`);
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (error.name !== 'TypeError' || !cause) return error; // what fetch throws
  const why = cause.code ?? cause.message;
  if (/redirect/.test(why)) return new Failure(`${base_url} gave no answer (${why})`);
  return new NoAnswer(`nothing answers at ${base_url} (${why}): is the service running there?`);
}
