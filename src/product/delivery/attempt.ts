/** An attempt that was made and is still to be recorded. */
import type { Signatures } from '../webhooks/subscriptions/signatures.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Outcome } from './delivery-outcome.ts';
import type { Sent } from './transport.ts';

export interface Attempt {
  delivery: ClaimedDelivery;
  /** Undefined when it could not be made. */
  request: MadeRequest | undefined;
  sent: TimedSent;
  outcome: Outcome;
}

/** What of a request is not known from its event and its time. */
export interface MadeRequest {
  url: string;
  signatures: Signatures;
  /** Of the subscription's own headers, in their order. */
  header_names: readonly string[];
}

/** What came of a request, and its time: the one that the request tells, in its headers and in its body. */
export interface TimedSent extends Sent {
  started_at: Date;
}
