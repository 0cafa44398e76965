// What happened, as it is counted in the tables: each attempt of each request with its outcome and time.

/**
 * `network`: the connection broke before the answer was there. `timeout`: there was none in the time that a client waits.
 * `expected`: a 4xx that the program had to count on.
 */
export type Outcome = 'ok' | 'expected' | 'network' | 'timeout' | 'unavailable' | 'server_error' | 'refused';

export interface Attempt {
  operation: string;
  outcome: Outcome;
  startedMs: number;
  endedMs: number;
  /** As it stands in the log of the process. */
  request_id?: string;
}

export interface Ledger {
  attempts: Attempt[];
  /** Requests that were answered for good, by operation, with the time from the first attempt to that answer. */
  answered: { operation: string; ms: number; tries: number }[];
  /** Requests that were given up without an answer. */
  given_up: { operation: string; atMs: number }[];
  violations: string[];
  violation(sentence: string): void;
}

/** Violations of which each is told; the rest is counted. */
const mostTold = 200;

export function createLedger(): Ledger {
  const self: Ledger = {
    attempts: [],
    answered: [],
    given_up: [],
    violations: [],
    violation(sentence) {
      if (self.violations.length < mostTold) self.violations.push(sentence);
    },
  };
  return self;
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
