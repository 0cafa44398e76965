/** What is wrong with a store of files: a bucket or a folder that can not be reached, refuses, or does not do what it says. */
import { Problem, serviceUnavailable } from '../../../contract/problem.ts';

/** It is the cause of a 503: never sent, and without anything that was stored. */
export class StoreFault extends Error {
  override name = 'StoreFault';
  /** Whether only the operator can mend it, by other settings or at the store: a wrong secret, no such bucket. */
  readonly isLasting: boolean;
  /** Whether the object itself is not what was kept, and no other answer will be. */
  readonly isDamage: boolean;
  /** Whether it gave no answer for as long as it may take. */
  readonly isSilent: boolean;
  /** Of the store's answer; undefined where there was none. */
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

/** What a store says or does is an outage to whoever asked: the same request succeeds when the store is mended. */
export function outage(fault: unknown): Problem {
  return serviceUnavailable(fault);
}

/** Whether work failed because a store can't be used now: it says nothing about the work, which is done when the store is back. */
export function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.status === 503;
}

/** That the database does not say which store is its own: no fault of any store. */
export class UnknownMark extends Error {
  override name = 'UnknownMark';
}

/** Whether the database is the cause, and nothing is known of the store. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof UnknownMark;
}

/** What is known of an error that came out of a storage. */
export function faultOf(error: unknown): { reason: string; isLasting: boolean } {
  const cause = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { reason, isLasting: cause instanceof StoreFault && cause.isLasting };
}

/** Whether a store gave no answer for as long as it may take. */
export function isSilence(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof StoreFault && error.cause.isSilent;
}

/** @throws when the work takes longer, which goes on */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
