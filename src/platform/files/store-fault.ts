/** What is wrong with a store of files: a bucket or a folder that can not be reached, refuses, or does not do what it says. */
import { Problem, serviceUnavailable } from '../../contract/problem.ts';

/** It is the cause of a 503: never sent, and without anything that was stored. */
export class StoreFault extends Error {
  override name = 'StoreFault';
  /** Whether only the operator can mend it, by other settings or at the store: a wrong secret, no such bucket. */
  readonly is_lasting: boolean;
  /** Whether the object itself is not what was kept, and no other answer will be. */
  readonly is_damage: boolean;
  /** Of the store's answer; undefined where there was none. */
  readonly status: number | undefined;

  constructor(
    message: string,
    more: { is_lasting?: boolean; is_damage?: boolean; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.is_lasting = more.is_lasting ?? false;
    this.is_damage = more.is_damage ?? false;
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

/** What is known of an error that came out of a storage. */
export function faultOf(error: unknown): { reason: string; is_lasting: boolean } {
  const cause = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { reason, is_lasting: cause instanceof StoreFault && cause.is_lasting };
}
