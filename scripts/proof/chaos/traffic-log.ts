// Records each attempt of each request, with outcome and time, for the result tables.

/** `network`: the connection broke. `timeout`: no response in time. `expected`: a 4xx that the program had to expect. */
export type Outcome = 'ok' | 'expected' | 'network' | 'timeout' | 'unavailable' | 'server_error' | 'refused';

export interface Attempt {
  operation: string;
  outcome: Outcome;
  startedMs: number;
  endedMs: number;
  /** As in the process's log. */
  request_id?: string;
}

export interface TrafficLog {
  attempts: Attempt[];
  /** Requests with a final response, by operation, with the time since the first attempt. */
  responses: { operation: string; ms: number; tries: number }[];
  given_up: { operation: string; atMs: number }[];
  violations: string[];
  violation(sentence: string): void;
}

/** How many violations to print; the rest is counted. */
const maxViolations = 200;

export function createTrafficLog(): TrafficLog {
  const self: TrafficLog = {
    attempts: [],
    responses: [],
    given_up: [],
    violations: [],
    violation(sentence) {
      if (self.violations.length < maxViolations) self.violations.push(sentence);
    },
  };
  return self;
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
