/**
 * Rate limits for passwords, authorizations, token requests, and reset mails. Counters are in Postgres, shared by all processes,
 * and keyed by hashes, so that the table doesn't reveal who tried.
 *
 * Nonexistent accounts are limited like existing ones. Known devices have their own limit (`known-devices.ts`). If counting
 * fails, the attempt is allowed and the failure logged, because a limit must not lock people out. Windows and waits use the clock
 * of Postgres rather than each process's own.
 */
import { createHmac } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import { databaseClock } from '../../platform/db/database-clock.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { deriveKey } from '../../platform/secrets/secrets.ts';
import { consoleClient } from '../clients/console-client.ts';
import { referenceClientId } from '../clients/reference-client.ts';
import { network, site } from './network.ts';

/** A /48 is 65,536 networks: possibly a campus, or one person with a tunnel. */
const siteFactor = 10;
const minuteS = 60;
const dayS = 86_400;
/** Limits mails when somebody keeps signing in with new devices. */
const maxDeviceMailsPerDay = 5;
/** Providers sign out many people from few addresses; each request takes the check of a signature. */
const maxLogoutsPerMin = 600;
/** Each sends a mail to an address that may be anybody's. */
const maxAddressChangesPerDay = 5;

export type LimitName =
  | 'sign_in_address'
  | 'sign_in_account'
  | 'authorization_requests'
  | 'token_requests'
  | 'reset_requests'
  | 'address_changes'
  | 'device_mails'
  | 'profile_requests'
  | 'logout_requests';

export interface Limits {
  /** Attempts that this process has rejected. */
  readonly refused: Readonly<Record<LimitName, number>>;
  /**
   * Counts an attempt before the password is checked, so that concurrent attempts can't bypass the limit.
   * @param account the user's id; for a nonexistent account the typed address
   * @param device the id of a known device
   * @returns seconds to wait; 0 if the attempt is allowed
   */
  signIn(account: string, address: string | undefined, device?: string): Promise<number>;
  /** Uncounts an attempt with the right password. */
  signedIn(account: string, address: string | undefined, device?: string): Promise<void>;
  /** Resets an account's failures after a password change. */
  resetFailures(account: string): Promise<void>;
  /** @returns seconds to wait; 0 if allowed */
  authorizationRequest(address: string | undefined): Promise<number>;
  /** @param clientId an unknown client counts for its address only @returns seconds to wait; 0 if allowed */
  tokenRequest(clientId: string, address: string | undefined): Promise<number>;
  /** @returns undefined when counting fails: then the request is allowed */
  profileRequest(userId: string): Promise<ProfileCount | undefined>;
  /** A mail about a new device. @returns seconds to wait; 0 if allowed */
  deviceMail(userId: string): Promise<number>;
  /** A change of the sign-in address, which sends a mail. @returns seconds to wait; 0 if allowed */
  addressChange(userId: string): Promise<number>;
  /** A logout that an identity provider reports. @returns seconds to wait; 0 if allowed */
  logoutRequest(address: string | undefined): Promise<number>;
  /** @returns seconds to wait; 0 if allowed */
  resetRequest(address: string | undefined): Promise<number>;
}

/** A user's count of requests outside companies. */
export interface ProfileCount {
  isAllowed: boolean;
  /** Per minute. */
  limit: number;
  remaining: number;
  /** Until the window ends. */
  ends_s: number;
}

interface LimitOptions {
  db: Database;
  config: Pick<Config, 'limits' | 'encryption_keys'>;
  log: Logger | undefined;
}

export function createLimits({ db, config, log }: LimitOptions): Limits {
  const { limits } = config;
  const counter = counters(db);
  const key = deriveKey(config.encryption_keys[0], 'rate-limits');
  const hashed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  const addresses = counter('address', limits.signInFailuresPerAddressPerMin, minuteS);
  const sites = counter('site', limits.signInFailuresPerAddressPerMin * siteFactor, minuteS);
  const accounts = counter('account', limits.signInFailuresPerAccount, limits.signInFailuresWindowS);
  const waits = counter('waits', Number.MAX_SAFE_INTEGER, dayS);
  const authorizations = counter('authorize', limits.authorizationRequestsPerAddressPerMin, minuteS);
  const tokenRequests = counter('token', limits.tokenRequestsPerMin, minuteS);
  const tokenAddresses = counter('tokens', limits.tokenRequestsPerAddressPerMin, minuteS);
  const profiles = counter('profile', limits.profileRequestsPerMin, minuteS);
  const resetRequests = counter('reset', limits.passwordResetRequestsPerAddressPerMin, minuteS);

  const deviceMails = counter('news', maxDeviceMailsPerDay, dayS);
  const logoutRequests = counter('logout', maxLogoutsPerMin, minuteS);
  const addressChanges = counter('moves', maxAddressChangesPerDay, dayS);

  const withFallback = async <T>(work: () => Promise<T>, fallback: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      log?.warn({ err: error }, "attempts can't be counted, so they are not limited");
      return fallback;
    }
  };
  const refused: Record<LimitName, number> = {
    sign_in_address: 0,
    sign_in_account: 0,
    authorization_requests: 0,
    token_requests: 0,
    reset_requests: 0,
    address_changes: 0,
    device_mails: 0,
    profile_requests: 0,
    logout_requests: 0,
  };
  const wait = (
    name: LimitName,
    limiter: RateLimiterPostgres,
    hashedKey: string,
    onReached?: (wait: RateLimiterRes) => Promise<number>,
  ) =>
    withFallback(async () => {
      try {
        await limiter.consume(hashedKey);
        return 0;
      } catch (reached) {
        if (!(reached instanceof RateLimiterRes)) throw reached;
        refused[name]++;
        return onReached ? onReached(reached) : seconds(reached);
      }
    }, 0);
  /** The first attempt above the limit starts a wait, twice as long as the day's previous one. */
  const extendWait = async (account: string, reached: RateLimiterRes) => {
    if (reached.consumedPoints !== accounts.points + 1) return seconds(reached);
    const { consumedPoints: waitsToday } = await waits.penalty(account);
    const doubledS = limits.signInFailuresWindowS * 2 ** (waitsToday - 1);
    const waitS = Math.min(doubledS, limits.signInLongestWaitS);
    await accounts.block(account, waitS);
    return waitS;
  };

  /** A known device counts separately from its account. */
  const keyOf = (account: string, device?: string) => hashed(device ? `${account}\n${device}` : account);
  const forget = (hashedKey: string) =>
    withFallback(
      async () => void (await Promise.all([accounts.delete(hashedKey), waits.delete(hashedKey)])),
      undefined,
    );
  const isClient = async (id: string) => {
    if (id === '' || id.includes('\0')) return false;
    const query = db.global.selectFrom('oauth_clients').select('id').where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  };
  return {
    refused,
    resetFailures: (account) => forget(keyOf(account)),
    async signIn(account, address, device) {
      const hashedKey = keyOf(account, device);
      const from = site(address);
      return (
        (await wait('sign_in_address', addresses, hashed(network(address)))) ||
        (from ? await wait('sign_in_address', sites, hashed(from)) : 0) ||
        wait('sign_in_account', accounts, hashedKey, (reached) => extendWait(hashedKey, reached))
      );
    },
    async signedIn(account, address, device) {
      const from = site(address);
      await withFallback(async () => {
        await addresses.reward(hashed(network(address)));
        if (from) await sites.reward(hashed(from));
      }, undefined);
      await forget(keyOf(account, device));
    },
    authorizationRequest: (address) =>
      wait('authorization_requests', authorizations, hashed(`authorize\n${network(address)}`)),
    async tokenRequest(clientId, address) {
      const from = network(address);
      const waitS = await wait('token_requests', tokenAddresses, hashed(`tokens\n${from}`));
      // Unknown client ids don't get a row, because clients could invent any number. The service's own pages are limited by
      // address only, because a whole office may open them from one address at once.
      const isOwn = clientId === consoleClient.id || clientId === referenceClientId;
      if (waitS > 0 || isOwn || !(await withFallback(() => isClient(clientId), false))) return waitS;
      return wait('token_requests', tokenRequests, hashed(`${clientId}\n${from}`));
    },
    logoutRequest: (address) => wait('logout_requests', logoutRequests, hashed(`logout\n${network(address)}`)),
    resetRequest: (address) => wait('reset_requests', resetRequests, hashed(network(address))),
    deviceMail: (userId) => wait('device_mails', deviceMails, hashed(`news\n${userId}`)),
    addressChange: (userId) => wait('address_changes', addressChanges, hashed(`moves\n${userId}`)),
    profileRequest: (userId) =>
      withFallback(async () => {
        const limit = profiles.points;
        try {
          const counted = await profiles.consume(hashed(userId));
          return { isAllowed: true, limit, remaining: counted.remainingPoints, ends_s: seconds(counted) };
        } catch (reached) {
          if (!(reached instanceof RateLimiterRes)) throw reached;
          refused.profile_requests++;
          return { isAllowed: false, limit, remaining: 0, ends_s: seconds(reached) };
        }
      }, undefined),
  };
}

/** For the worker: deletes expired counts. @returns how many */
export async function removeOldCounts(db: Database): Promise<number> {
  // A stable value of the column's type, for the index.
  return removeOlder(db.global, 'rate_limits', 'expire', sql`(extract(epoch from now()) * 1000)::bigint`);
}

const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
/** How long the measured clock difference is valid. */
const clockFreshMs = 60_000;
/** Larger numbers are timestamps (2001 and later) rather than counts. */
const minTimeMs = 1e12;

/** Counters on our own connections; a migration creates the table. */
function counters(db: Database) {
  const clock = databaseClock(() => Date.now());
  let measuredMs = Number.NEGATIVE_INFINITY;
  /** @returns how far the clock of Postgres is ahead of this one */
  const databaseAhead = async () => {
    if (performance.now() - measuredMs > clockFreshMs) {
      const onResponse = clock.measure();
      const { rows } = await sql<{ now_ms: number }>`select ${databaseMs} as now_ms`.execute(db.global);
      onResponse(rows[0]!.now_ms);
      measuredMs = performance.now();
    }
    return Math.round(clock.now_ms() - Date.now());
  };
  // Translates between the library's clock, which is this process's, and that of Postgres.
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const aheadMs = await databaseAhead();
      const sent = values.map((value) => (typeof value === 'number' && value > minTimeMs ? value + aheadMs : value));
      const { rows } = await db.global.executeQuery<{ expire?: number }>(CompiledQuery.raw(text, sent));
      for (const row of rows) if (row.expire) row.expire = Number(row.expire) - aheadMs;
      return { rows, rowCount: rows.length };
    },
  };
  const table = { storeType: 'client', tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false };
  return (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({ storeClient, ...table, keyPrefix, points, duration });
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
