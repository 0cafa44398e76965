/** The rules that follow from a response: success, number and time of retries, and deactivation. No other file has such rules. */

import type { FailureKind } from '../webhooks/deliveries/warn-of-failing.ts';
import type { DeactivationReason } from '../webhooks/subscriptions/deactivate-webhook.ts';
import type { RequestResult } from './transport.ts';

const firstWaitS = 60;
/** By kind of the latest failure. */
const maxRetries: Record<FailureKind, number> = { client_error: 3, server_error: 5, network_error: 5 };
/** Waits are up to a tenth longer, never shorter, so that deliveries that failed together aren't retried together. */
const jitter = 0.1;

interface Progress {
  /** Failed attempts since its creation, or since a redelivery. */
  failures: number;
  /** Whether a failed attempt may be retried. */
  retried: boolean;
}

export type Outcome =
  | { status: 'succeeded' }
  /** `isLast`: another failure of this kind deactivates the subscription. */
  | { status: 'pending'; failures: number; wait_s: number; kind: FailureKind; isLast: boolean }
  | { status: 'failed'; failures: number; deactivate: DeactivationReason | null };

export type AttemptResult = Pick<RequestResult, 'status_code' | 'error_class' | 'retry_after_s'>;

export function outcomeOf(result: AttemptResult, before: Progress, random = Math.random()): Outcome {
  const kind = failureOf(result);
  if (!kind) return { status: 'succeeded' };
  const failures = before.failures + 1;
  if (kind === 'gone') return { status: 'failed', failures, deactivate: 'gone' };
  // Nothing was sent, so the receiver isn't at fault.
  if (result.error_class === 'interrupted') return { status: 'failed', failures, deactivate: null };
  if (!before.retried) return { status: 'failed', failures, deactivate: null };
  if (failures > maxRetries[kind]) {
    // A request that couldn't be built is our fault, not the receiver's.
    return { status: 'failed', failures, deactivate: result.error_class === 'payload' ? null : kind };
  }
  const waitS = firstWaitS * 2 ** (failures - 1) * (1 + jitter * random);
  const isLast = failures === maxRetries[kind] && result.error_class !== 'payload';
  return { status: 'pending', failures, wait_s: Math.max(waitS, result.retry_after_s ?? 0), kind, isLast };
}

function failureOf({
  status_code: statusCode,
  error_class: errorClass,
}: AttemptResult): FailureKind | 'gone' | undefined {
  if (errorClass !== null && errorClass !== 'redirect') return 'network_error';
  if (statusCode === null) return 'network_error';
  if (statusCode === 410) return 'gone';
  if (statusCode >= 200 && statusCode < 300) return undefined;
  return statusCode >= 300 && statusCode < 500 ? 'client_error' : 'server_error';
}
