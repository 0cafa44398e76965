/** Retry policy for reads. */
import { ApiError } from './client.ts';
import { maxWaitS, SignedOut } from './sign-in.ts';

/** Retries outages, and 429 if the wait is short; any other error response is final. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (error instanceof SignedOut) return false;
  if (error instanceof ApiError && error.status === 429) return failures < 1 && retryAfterOf(error) <= maxWaitS;
  if (error instanceof ApiError && error.status < 500) return false;
  return failures < 2;
}

/** Backoff in milliseconds. */
export function backoffMs(failures: number, error: Error): number {
  return error instanceof ApiError && error.status === 429 ? retryAfterOf(error) * 1_000 : 1_000 * 2 ** failures;
}

function retryAfterOf({ retry_after_s: retryAfterS = Number.POSITIVE_INFINITY }: ApiError): number {
  return retryAfterS;
}
