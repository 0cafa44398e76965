/** The counts of one minute in this process: its own, and those merged from others. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts live as long as their window. An expiry would give each a timer that outlives the window. */
const noEnd = 0;

export interface RateLimits {
  default: number;
  writes: number;
  uploads: number;
  heavy: number;
  /** For directories, which have no other limit. */
  directory: number;
}

/** Policies of a user, and of all users of a client together. */
export type Policy =
  | keyof RateLimits
  | 'client'
  | 'client_writes'
  | 'client_uploads'
  | 'client_heavy'
  | 'client_directory';

export type Counted = readonly [policy: Policy, subject: string];

/** A key, `<policy> <company> <client> <user>` or without the user, and the number of requests. */
export type Count = [key: string, points: number];

interface RateWindow {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly size: number;
  /** The database's time of the last merge. */
  lastMergeMs: number;
  /**
   * Counts a request against every policy, or against none if one is exhausted.
   * @param against narrowest first
   * @returns the policy with the fewest requests left
   */
  count(against: readonly Counted[]): Promise<{ used_up: Policy } | { policy: Policy; remaining: number }>;
  drainCounts(): Count[];
  /** Returns counts whose merge may have failed to the next `drainCounts`. */
  restoreCounts(counted: Count[]): void;
  /** Applies the sums of all processes. Sums only grow, so smaller ones are outdated. */
  applyTotals(totals: Count[]): Promise<void>;
}

/** @param maxKeys maximum number of keys; up to half may come from other processes */
export function openWindow(minute: number, limits: Readonly<Record<Policy, number>>, maxKeys: number): RateWindow {
  const counters = new Map<string, RateLimiterMemory>();
  for (const [policy, points] of Object.entries(limits)) {
    counters.set(policy, new RateLimiterMemory({ points, duration: noEnd, keyPrefix: '' }));
  }
  let counted = new Map<string, number>();
  let size = 0;

  const addCount = ([key, points]: Count) => void counted.set(key, (counted.get(key) ?? 0) + points);
  return {
    minute,
    lastMergeMs: 0,
    get size() {
      return size;
    },
    async count(against) {
      const keys = against.map((each) => each.join(' '));
      let tightest: { policy: Policy; remaining: number } | undefined;
      for (let i = 0; i < against.length; i++) {
        const [policy] = against[i]!;
        const result = await consume(counters.get(policy)!, keys[i]!);
        if (result.isFirstInDuration) size += 1;
        const remaining = result.remainingPoints;
        if (!tightest || remaining < tightest.remaining) tightest = { policy, remaining };
        if (result.consumedPoints <= limits[policy]) continue;
        for (; i >= 0; i--) await counters.get(against[i]![0])!.reward(keys[i]!);
        return { used_up: policy };
      }
      for (const key of keys) addCount([key, 1]);
      return tightest!;
    },
    drainCounts() {
      const drained = [...counted];
      counted = new Map();
      return drained;
    },
    restoreCounts: (counts) => counts.forEach(addCount),
    async applyTotals(totals) {
      for (const [key, total] of totals) {
        const all = total + (counted.get(key) ?? 0);
        const limiter = counters.get(key.slice(0, key.indexOf(' ')));
        const known = await limiter?.get(key);
        if (!limiter || (!known && size >= maxKeys / 2)) continue;
        if (!known) size += 1;
        const missing = all - (known?.consumedPoints ?? 0);
        if (missing > 0) await limiter.penalty(key, missing);
      }
    },
  };
}

/** @returns the count even beyond the limit, where the library throws */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    return reached;
  }
}
