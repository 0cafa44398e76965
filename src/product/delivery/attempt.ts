/** A finished attempt that isn't recorded yet. */
import type { Signatures } from '../webhooks/subscriptions/signatures.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Outcome } from './retry-policy.ts';
import type { Sent } from './transport.ts';

export interface Attempt {
  delivery: ClaimedDelivery;
  /** Undefined if the request couldn't be built. */
  request: MadeRequest | undefined;
  sent: TimedSent;
  outcome: Outcome;
}

/** Parts of a request that the event and the time don't determine. */
export interface MadeRequest {
  url: string;
  signatures: Signatures;
  header_names: readonly string[];
}

/** The result of a request with its time, as in the request's headers and body. */
export interface TimedSent extends Sent {
  started_at: Date;
}
