/** A finished attempt that isn't recorded yet. */
import type { Signatures } from '../webhooks/subscriptions/signatures.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Outcome } from './retry-policy.ts';
import type { RequestResult } from './transport.ts';

export interface Attempt {
  delivery: ClaimedDelivery;
  /** Undefined if the request couldn't be built. */
  request: AttemptRequest | undefined;
  sent: TimedResult;
  outcome: Outcome;
}

/** Parts of a request that the event and the time don't determine. */
export interface AttemptRequest {
  url: string;
  signatures: Signatures;
  header_names: readonly string[];
}

/** The result of a request with its time, as in the request's headers and body. */
export interface TimedResult extends RequestResult {
  started_at: Date;
}
