/**
 * Rate limits per minute, for each user of a client in a company and for all users of the client together, so that a client can't
 * multiply its limit by adding users. Requests never wait for the database: each process counts in memory, and merges its counts
 * several times a second. So a caller may exceed the limit by what other processes admitted since the last merge. Keys far from
 * their limit aren't exchanged.
 *
 * A rejected request isn't counted, or a client that keeps trying would stay locked out. Without the database each process
 * applies the limits to its own counts.
 */

import { t, tn } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { type Clock, databaseClock } from '../../platform/db/database-clock.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { deleteOldCounts, mergeCounts } from './merge.ts';
import { type Counted, openWindow, type Policy, type RateLimits } from './window.ts';

const windowMs = 60_000;
/** Replaces the company id in keys. */
const noCompany = '-';
/** A clock correction of up to this much doesn't reopen the previous minute. */
const toleranceMs = 1_000;

export interface Decision {
  allowed: boolean;
  /** Headers of any response; they show the exhausted policy, else the one with the fewest requests left. */
  headers: { 'RateLimit-Policy': string; RateLimit: string };
  retry_after_s: number;
}

interface Caller {
  client_id: string;
  user_id: string;
}

export interface RateLimiter {
  /** For responses to unknown callers, whose requests can't be counted for anyone. */
  readonly policy_header: { 'RateLimit-Policy': string };
  readonly refused: Readonly<Record<Policy, number>>;
  /**
   * Counts a request that may proceed.
   * @param companyId undefined for requests without a company, or to a company that isn't the caller's
   * @param extra additional policy, from `x-rate-limit`; `directory` for SCIM, which counts for that alone
   */
  take(
    companyId: string | undefined,
    caller: Caller,
    kind: 'read' | 'write',
    extra?: 'upload' | 'heavy' | 'directory',
  ): Promise<Decision>;
  /** Merges the counts; runs every `intervalMs`. Never throws. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  db: Database;
  limits: RateLimits;
  /** The limit of a client as a multiple of a user's. */
  clientFactor?: number;
  log?: Logger | undefined;
  /** A count reaches every process within two intervals; 0 merges only on `sync`. */
  intervalMs?: number;
  clock?: Clock;
  /** Maximum number of keys in memory; a user has up to four, and a client as many. */
  maxKeys?: number;
}

export function createRateLimiter({
  db,
  limits: userLimits,
  clientFactor = 10,
  log,
  intervalMs = 400,
  clock = databaseClock(),
  maxKeys = 100_000,
}: RateLimiterOptions): RateLimiter {
  const limits = withClientLimits(userLimits, clientFactor);
  const thresholds = Object.fromEntries(
    Object.entries(limits).map(([policy, limit]) => [policy, Math.ceil(limit / 2)]),
  );
  const windowAt = (nowMs: number) => openWindow(Math.floor(nowMs / windowMs), limits, maxKeys);
  let window = windowAt(clock.now_ms());
  let cleanedMinute = 0;
  let syncing: Promise<void> | undefined;
  let isDisconnected = false;

  /** A full window is replaced early: that loses unmerged counts, and the next merge restores the rest. */
  const current = () => {
    const nowMs = clock.now_ms();
    const elapsedMs = nowMs - window.minute * windowMs;
    if (elapsedMs >= windowMs || elapsedMs < -toleranceMs || window.size >= maxKeys) window = windowAt(nowMs);
    return { window, ends_s: Math.ceil((window.minute + 1) * 60 - nowMs / 1_000) };
  };
  const merge = async () => {
    const { window } = current();
    const counted = window.drainCounts();
    try {
      const setDatabaseTime = clock.measure();
      const { database_ms: databaseMs, totals } = await mergeCounts(
        db,
        window.minute,
        counted,
        thresholds,
        window.lastMergeMs,
      );
      setDatabaseTime(databaseMs);
      window.lastMergeMs = databaseMs;
      counted.length = 0;
      await window.applyTotals(totals);
      if (cleanedMinute !== window.minute) await deleteOldCounts(db);
      cleanedMinute = window.minute;
      if (isDisconnected) log?.info('rate limits are shared between processes again');
      isDisconnected = false;
    } catch (error) {
      window.restoreCounts(counted);
      if (!isDisconnected) log?.warn({ err: error }, 'rate limits are not shared between processes');
      isDisconnected = true;
    }
  };
  const sync = () => {
    syncing ??= merge().finally(() => {
      syncing = undefined;
    });
    return syncing;
  };
  if (intervalMs > 0) void sync();
  const timer = intervalMs > 0 ? setInterval(sync, intervalMs).unref() : undefined;

  const policyHeader = (policy: Policy) => ({ 'RateLimit-Policy': `"${policy}";q=${limits[policy]};w=60` });
  const refusedBy = Object.fromEntries(Object.keys(limits).map((policy) => [policy, 0])) as Record<Policy, number>;
  return {
    policy_header: policyHeader('default'),
    refused: refusedBy,
    async take(companyId, { client_id: clientId, user_id: userId }, kind, extra) {
      const { window, ends_s: endsS } = current();
      const seconds = Math.min(Math.max(endsS, 1), 60);
      const policies = policiesOf(kind, extra);
      const client = `${companyId ?? noCompany} ${clientId}`;
      const user = `${client} ${userId}`;
      const result = await window.count([
        ...policies.map((policy): Counted => [policy, user]),
        ...policies.map((policy): Counted => [clientPolicies[policy], client]),
      ]);
      const refused = 'used_up' in result;
      if (refused) refusedBy[result.used_up]++;
      const { policy, remaining } = refused ? { policy: result.used_up, remaining: 0 } : result;
      const headers = {
        ...policyHeader(policy),
        RateLimit: `"${policy}";r=${remaining};t=${seconds}`,
      };
      return { allowed: !refused, headers, retry_after_s: seconds };
    },
    sync,
    async close() {
      clearInterval(timer);
      await syncing;
      if (!isDisconnected) await sync();
    },
  };
}

export function tooManyRequests({ retry_after_s: retryAfterS }: Pick<Decision, 'retry_after_s'>): Problem {
  const text = tn(
    retryAfterS,
    t`Too many requests. Try again in ${retryAfterS} second.`,
    t`Too many requests. Try again in ${retryAfterS} seconds.`,
  );
  return new Problem(429, 'rate_limited', text, {
    headers: { 'Retry-After': String(retryAfterS) },
  });
}

/** The policies a request counts against, narrowest first: a rejected request must not use up a wider one. */
function policiesOf(kind: 'read' | 'write', extra: 'upload' | 'heavy' | 'directory' | undefined): (keyof RateLimits)[] {
  if (extra === 'directory') return ['directory'];
  const policies: (keyof RateLimits)[] = extra ? [extra === 'upload' ? 'uploads' : 'heavy'] : [];
  if (kind === 'write') policies.push('writes');
  policies.push('default');
  return policies;
}

const clientPolicies = {
  default: 'client',
  writes: 'client_writes',
  uploads: 'client_uploads',
  heavy: 'client_heavy',
  directory: 'client_directory',
} as const satisfies Record<keyof RateLimits, Policy>;

function withClientLimits(limits: RateLimits, factor: number): Record<Policy, number> {
  const { default: all, writes, uploads, heavy, directory } = limits;
  return {
    ...limits,
    client: all * factor,
    client_writes: writes * factor,
    client_uploads: uploads * factor,
    client_heavy: heavy * factor,
    client_directory: directory * factor,
  };
}
