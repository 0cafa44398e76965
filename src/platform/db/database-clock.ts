/**
 * The time that all processes agree on: the database's, which each learns from the answers it gets anyway. Otherwise
 * processes whose clocks differ would count the same request in different minutes.
 */

/** What the clock of another machine showed is worth little when the answer took longer than this. */
const longestAnswerMs = 1_000;

export interface Clock {
  now_ms(): number;
  /** Called when the database is asked for its time. @returns what to call with the answer */
  ask(): (databaseMs: number) => void;
}

/** @param local this machine's clock; what counts until the database answered */
export function databaseClock(local: () => number = Date.now): Clock {
  let aheadMs = 0;
  return {
    now_ms: () => local() + aheadMs,
    ask() {
      const askedMs = local();
      return (databaseMs) => {
        const answeredMs = local();
        if (answeredMs - askedMs > longestAnswerMs) return;
        aheadMs = databaseMs - (askedMs + answeredMs) / 2;
      };
    },
  };
}
