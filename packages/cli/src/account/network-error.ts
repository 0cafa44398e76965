/** Turns network errors into one-line messages. */
import { CliError } from '../terminal/failure.ts';

/** The service is unreachable or reports that it is unavailable: a transient error. */
export class ServiceUnavailable extends CliError {
  override name = 'NoAnswer';
}

/**
 * @param error what `fetch` threw
 * @returns any other error unchanged
 */
export function explainNetworkError(baseUrl: string, error: Error & { cause?: unknown }, timeoutMs: number): Error {
  if (error.name === 'TimeoutError')
    return new ServiceUnavailable(`${baseUrl} did not respond within ${timeoutMs / 1000} s`);
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (error.name !== 'TypeError' || !cause) return error; // fetch reports network errors as a TypeError
  const reason = cause.code ?? cause.message;
  if (/redirect/.test(reason)) return new CliError(`${baseUrl} returned an invalid response (${reason})`);
  return new ServiceUnavailable(`no response from ${baseUrl} (${reason}): is the service running there?`);
}
