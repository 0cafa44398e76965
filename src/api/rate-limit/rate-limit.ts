/**
 * How many requests a user of a client may send to a company in a minute, and all users of the client together: so nobody
 * uses up what is for others, and no client can have any number of users. No request waits for the database: each process counts
 * in memory, in minutes of the clock, and several times a second the processes add up what they counted. So somebody
 * may get a little more than the limit: what other processes let through since they last told. Of somebody who is far from the
 * limit a process hears only when they come to it.
 *
 * A refused request counts nowhere, or whoever keeps trying would never get in again. Without the database each
 * process limits by what it counted itself.
 */

import { say, sayMany } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { type Clock, databaseClock } from '../../platform/db/database-clock.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { deleteOldCounts, mergeCounts } from './merge.ts';
import { type Counted, openWindow, type Policy, type RateLimits } from './window.ts';

const window_ms = 60_000;
/** In keys, where others have the id of a company. */
const no_company = '-';
/** A corrected clock may fall back this far without a return to the minute before. */
const tolerance_ms = 1_000;

export interface Decision {
  allowed: boolean;
  /** For the answer, whatever that will be; the policy they show is the one that was used up, else the one for all. */
  headers: { 'RateLimit-Policy': string; RateLimit: string };
  /** Until the next minute. */
  retry_after_s: number;
}

interface Caller {
  client_id: string;
  user_id: string;
}

export interface RateLimiter {
  /** For the answer to a caller who is not known: whom the request counts for is not known either. */
  readonly policy_header: { 'RateLimit-Policy': string };
  /** How many requests this process has refused, by the limit that was used up. */
  readonly refused: Readonly<Record<Policy, number>>;
  /**
   * Counts a request that may go on.
   * @param company_id undefined for a request to no company, or to one that is not the caller's
   * @param extra what the operation costs besides, by the contract's `x-rate-limit`
   */
  take(
    company_id: string | undefined,
    caller: Caller,
    kind: 'read' | 'write',
    extra?: 'upload' | 'heavy',
  ): Promise<Decision>;
  /** Tells and hears the counts; happens by itself every `interval_ms`. Never throws. */
  sync(): Promise<void>;
  /** Stops, and tells the other processes what was counted last. */
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  db: Database;
  /** Of one user. */
  limits: RateLimits;
  /** How many times as much all users of a client have together. */
  client_factor?: number;
  log?: Logger | undefined;
  /** Two of these pass until a count has reached every process; 0: only when `sync` is called. */
  interval_ms?: number;
  clock?: Clock;
  /** How many keys are remembered at most; a user has up to four, and a client as many. */
  max_keys?: number;
}

export function createRateLimiter({
  db,
  limits: user_limits,
  client_factor = 10,
  log,
  interval_ms = 400,
  clock = databaseClock(),
  max_keys = 100_000,
}: RateLimiterOptions): RateLimiter {
  const limits = withClients(user_limits, client_factor);
  const near = Object.fromEntries(Object.entries(limits).map(([policy, limit]) => [policy, Math.ceil(limit / 2)]));
  const windowAt = (now_ms: number) => openWindow(Math.floor(now_ms / window_ms), limits, max_keys);
  let window = windowAt(clock.now_ms());
  let cleaned_minute = 0;
  let syncing: Promise<void> | undefined;
  let away = false;

  /**
   * Opens the next window when it is time, and an empty one when this one is full: that forgets what was not told yet,
   * the rest comes back with the next merge.
   */
  const current = () => {
    const now_ms = clock.now_ms();
    const into_ms = now_ms - window.minute * window_ms;
    if (into_ms >= window_ms || into_ms < -tolerance_ms || window.size >= max_keys) window = windowAt(now_ms);
    return { window, ends_s: Math.ceil((window.minute + 1) * 60 - now_ms / 1_000) };
  };
  const merge = async () => {
    const { window } = current();
    const counted = window.takeCounted();
    try {
      const tell = clock.ask();
      const { database_ms, totals } = await mergeCounts(db, window.minute, counted, near, window.heard_ms);
      tell(database_ms);
      window.heard_ms = database_ms;
      counted.length = 0;
      await window.learn(totals);
      if (cleaned_minute !== window.minute) await deleteOldCounts(db);
      cleaned_minute = window.minute;
      if (away) log?.info('rate limits are shared between processes again');
      away = false;
    } catch (error) {
      window.putBack(counted);
      if (!away) log?.warn({ err: error }, 'rate limits are not shared between processes: counting alone');
      away = true;
    }
  };
  const sync = () => {
    syncing ??= merge().finally(() => {
      syncing = undefined;
    });
    return syncing;
  };
  if (interval_ms > 0) void sync();
  const timer = interval_ms > 0 ? setInterval(sync, interval_ms).unref() : undefined;

  const policyHeader = (policy: Policy) => ({ 'RateLimit-Policy': `"${policy}";q=${limits[policy]};w=60` });
  const refused_by = Object.fromEntries(Object.keys(limits).map((policy) => [policy, 0])) as Record<Policy, number>;
  return {
    policy_header: policyHeader('default'),
    refused: refused_by,
    async take(company_id, { client_id, user_id }, kind, extra) {
      const { window, ends_s } = current();
      const seconds = Math.min(Math.max(ends_s, 1), 60);
      const policies = policiesOf(kind, extra);
      const client = `${company_id ?? no_company} ${client_id}`;
      const user = `${client} ${user_id}`;
      const result = await window.count([
        ...policies.map((policy): Counted => [policy, user]),
        ...policies.map((policy): Counted => [of_client[policy], client]),
      ]);
      const refused = 'used_up' in result;
      if (refused) refused_by[result.used_up]++;
      const policy = refused ? result.used_up : 'default';
      const headers = {
        ...policyHeader(policy),
        RateLimit: `"${policy}";r=${refused ? 0 : result.left};t=${seconds}`,
      };
      return { allowed: !refused, headers, retry_after_s: seconds };
    },
    sync,
    async close() {
      clearInterval(timer);
      await syncing;
      if (!away) await sync();
    },
  };
}

export function tooManyRequests({ retry_after_s }: Pick<Decision, 'retry_after_s'>): Problem {
  const text = sayMany(
    retry_after_s,
    say`Too many requests. Try again in ${retry_after_s} second.`,
    say`Too many requests. Try again in ${retry_after_s} seconds.`,
  );
  return new Problem(429, 'rate_limited', text, {
    headers: { 'Retry-After': String(retry_after_s) },
  });
}

/** What a request counts against, the narrowest first: one that is refused must not have used up a wider one. */
function policiesOf(kind: 'read' | 'write', extra: 'upload' | 'heavy' | undefined): (keyof RateLimits)[] {
  const policies: (keyof RateLimits)[] = extra ? [extra === 'upload' ? 'uploads' : 'heavy'] : [];
  if (kind === 'write') policies.push('writes');
  policies.push('default');
  return policies;
}

const of_client = {
  default: 'client',
  writes: 'client_writes',
  uploads: 'client_uploads',
  heavy: 'client_heavy',
} as const satisfies Record<keyof RateLimits, Policy>;

function withClients(limits: RateLimits, factor: number): Record<Policy, number> {
  const { default: all, writes, uploads, heavy } = limits;
  return {
    ...limits,
    client: all * factor,
    client_writes: writes * factor,
    client_uploads: uploads * factor,
    client_heavy: heavy * factor,
  };
}
