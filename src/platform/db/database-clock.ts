/** The database's clock, learned from regular responses, so that processes with different clocks count in the same minutes. */

/** A longer round trip makes the measurement too inaccurate. */
const maxRoundTripMs = 1_000;

export interface Clock {
  now_ms(): number;
  /** Called when a statement asks for the time. @returns a callback for the response */
  measure(): (databaseMs: number) => void;
}

/** @param local this machine's clock, used until the first response */
export function databaseClock(local: () => number = Date.now): Clock {
  let aheadMs = 0;
  return {
    now_ms: () => local() + aheadMs,
    measure() {
      const sentMs = local();
      return (databaseMs) => {
        const receivedMs = local();
        if (receivedMs - sentMs > maxRoundTripMs) return;
        aheadMs = databaseMs - (sentMs + receivedMs) / 2;
      };
    },
  };
}
