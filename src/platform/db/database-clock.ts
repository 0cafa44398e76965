/**
 * The time that all processes agree on: the database's, which each learns from the answers it gets anyway. Otherwise
 * processes whose clocks differ would count the same request in different minutes.
 */

/** What the clock of another machine showed is worth little when the answer took longer than this. */
const longest_answer_ms = 1_000;

export interface Clock {
  now_ms(): number;
  /** Called when the database is asked for its time. @returns what to call with the answer */
  ask(): (database_ms: number) => void;
}

/** @param local this machine's clock; what counts until the database answered */
export function databaseClock(local: () => number = Date.now): Clock {
  let ahead_ms = 0;
  return {
    now_ms: () => local() + ahead_ms,
    ask() {
      const asked_ms = local();
      return (database_ms) => {
        const answered_ms = local();
        if (answered_ms - asked_ms > longest_answer_ms) return;
        ahead_ms = database_ms - (asked_ms + answered_ms) / 2;
      };
    },
  };
}
