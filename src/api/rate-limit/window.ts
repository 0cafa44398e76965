/** One minute of counting in this process: what it let through, and what it heard of the others. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How long a count lasts: for as long as its window does. Otherwise each would have a timer, which outlives the window. */
const noEnd = 0;

/** The limits by their names; each is a number of requests in a minute. */
export interface RateLimits {
  default: number;
  writes: number;
  uploads: number;
  heavy: number;
  /** Of a directory, which has no other limit. */
  directory: number;
}

/** Of one user, and of all users of a client together. */
export type Policy =
  | keyof RateLimits
  | 'client'
  | 'client_writes'
  | 'client_uploads'
  | 'client_heavy'
  | 'client_directory';

/** What a request counts against: a policy, and whom it counts for there. */
export type Counted = readonly [policy: Policy, who: string];

/** A key, `<policy> <company> <client> <user>` or without the user, and how many requests. */
export type Count = [key: string, points: number];

interface RateWindow {
  /** Minutes since 1970. */
  readonly minute: number;
  /** How many keys it remembers. */
  readonly size: number;
  /** The database's time of the last news from the other processes. */
  heardMs: number;
  /**
   * Counts a request against each of the policies, or against none when one of them is used up.
   * @param against the narrowest first
   * @returns what is left of the policy `default`, or `directory`
   */
  count(against: readonly Counted[]): Promise<{ used_up: Policy } | { left: number }>;
  /** What was counted since the last time this was asked. */
  takeCounted(): Count[];
  /** Counted, but perhaps not told: the next `takeCounted` has it again. */
  putBack(counted: Count[]): void;
  /** Takes over the sums of all processes. They only grow: one that is less than what is known here is old. */
  learn(totals: Count[]): Promise<void>;
}

/** @param maxKeys how many are remembered at most; half of them can be keys that only other processes counted */
export function openWindow(minute: number, limits: Readonly<Record<Policy, number>>, maxKeys: number): RateWindow {
  const counters = new Map<string, RateLimiterMemory>();
  for (const [policy, points] of Object.entries(limits)) {
    counters.set(policy, new RateLimiterMemory({ points, duration: noEnd, keyPrefix: '' }));
  }
  let counted = new Map<string, number>();
  let size = 0;

  const note = ([key, points]: Count) => void counted.set(key, (counted.get(key) ?? 0) + points);
  return {
    minute,
    heardMs: 0,
    get size() {
      return size;
    },
    async count(against) {
      const keys = against.map((each) => each.join(' '));
      let left = 0;
      for (let i = 0; i < against.length; i++) {
        const [policy] = against[i]!;
        const result = await consume(counters.get(policy)!, keys[i]!);
        if (result.isFirstInDuration) size += 1;
        if (policy === 'default' || policy === 'directory') left = result.remainingPoints;
        if (result.consumedPoints <= limits[policy]) continue;
        for (; i >= 0; i--) await counters.get(against[i]![0])!.reward(keys[i]!);
        return { used_up: policy };
      }
      for (const key of keys) note([key, 1]);
      return { left };
    },
    takeCounted() {
      const taken = [...counted];
      counted = new Map();
      return taken;
    },
    putBack: (counts) => counts.forEach(note),
    async learn(totals) {
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

/** @returns the count also when it is beyond the limit, which the library throws */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    return reached;
  }
}
