/** An attempt that was made and is still to be recorded. */
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Outcome } from './delivery-outcome.ts';
import type { Sent } from './transport.ts';

export interface Attempt {
  delivery: ClaimedDelivery;
  sent: TimedSent;
  outcome: Outcome;
}

/** What came of a request, and its time: the one that the request tells, in its headers and in its body. */
export interface TimedSent extends Sent {
  started_at: Date;
}
