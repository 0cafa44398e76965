/** The database's clock, learned from regular responses, so that processes with different clocks count in the same minutes. */

/** A longer round trip makes the measurement too inaccurate. */
const maxAnswerMs = 1_000;

export interface Clock {
  now_ms(): number;
  /** Called when a statement asks for the time. @returns a callback for the response */
  ask(): (databaseMs: number) => void;
}

/** @param local this machine's clock, used until the first response */
export function databaseClock(local: () => number = Date.now): Clock {
  let aheadMs = 0;
  return {
    now_ms: () => local() + aheadMs,
    ask() {
      const askedMs = local();
      return (databaseMs) => {
        const answeredMs = local();
        if (answeredMs - askedMs > maxAnswerMs) return;
        aheadMs = databaseMs - (askedMs + answeredMs) / 2;
      };
    },
  };
}
