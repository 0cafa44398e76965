/** Errors of file stores that are unreachable, refuse, or misbehave. */
import { Problem, serviceUnavailable } from '../../../contract/problem.ts';

/** The cause of a 503: never sent to clients, and free of stored data. */
export class StoreError extends Error {
  override name = 'StoreFault';
  /** Whether only the operator can fix it, for example a wrong secret or a missing bucket. */
  readonly isLasting: boolean;
  /** Whether the object itself is damaged, so that retries won't help. */
  readonly isDamage: boolean;
  /** Whether the store timed out. */
  readonly isSilent: boolean;
  /** The HTTP status of the store; undefined without a response. */
  readonly status: number | undefined;

  constructor(
    message: string,
    more: { isLasting?: boolean; isDamage?: boolean; isSilent?: boolean; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.isLasting = more.isLasting ?? false;
    this.isDamage = more.isDamage ?? false;
    this.isSilent = more.isSilent ?? false;
    this.status = more.status;
  }
}

/** The store is down, as was logged when it went down: another line for the operation says nothing new. */
export class KnownOutage extends StoreError {}

export function isKnownOutage(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof KnownOutage;
}

/** To the client every store fault is an outage: a retry succeeds once the store is fixed. */
export function outage(error: unknown): Problem {
  return serviceUnavailable(error);
}

/** Whether an operation failed only because the store is unavailable, and can be retried later. */
export function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.status === 503;
}

/** The database can't say which store is its own; not a fault of the store. */
export class UnknownMark extends Error {
  override name = 'UnknownMark';
}

/** Whether the database caused the error, and the store's state is unknown. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof UnknownMark;
}

/** The fault behind an error from a store. */
export function errorOf(error: unknown): { reason: string; isLasting: boolean } {
  const cause = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { reason, isLasting: cause instanceof StoreError && cause.isLasting };
}

/** Whether the store timed out. */
export function isSilence(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof StoreError && error.cause.isSilent;
}

/** @throws when the work takes longer; it continues in the background */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
