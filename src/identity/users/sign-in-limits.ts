/**
 * Limits for passwords, token requests and password-reset mails. Counted in Postgres, so that all processes share the
 * counts; by hashes, so that the table does not reveal who tried.
 *
 * An account that does not exist is limited like one that does. When counting fails, the attempt is allowed and the
 * failure logged: a limit must not lock people out.
 */
import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { CompiledQuery } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { deriveKey } from '../../platform/secrets/secrets.ts';

const minute_s = 60;
const day_s = 86_400;

/** What is limited, by what counts it. */
export type LimitName = 'sign_in_address' | 'sign_in_account' | 'token_requests' | 'reset_requests';

export interface Limits {
  /** How many attempts this process has refused. */
  readonly refused: Readonly<Record<LimitName, number>>;
  /**
   * Counts an attempt before its password is looked at, so that many at once can't pass together.
   * @param account id of the user; for an account that does not exist what was typed
   * @returns seconds to wait; 0 when the attempt may go on
   */
  signIn(account: string, address: string | undefined): Promise<number>;
  /** The attempt was none to limit: the password was right. */
  signedIn(account: string, address: string | undefined): Promise<void>;
  /** Forgets the failures of an account: its password is a new one. */
  forgive(account: string): Promise<void>;
  /** @returns seconds to wait; 0 when the request may go on */
  tokenRequest(client_id: string, address: string | undefined): Promise<number>;
  /** @returns seconds to wait; 0 when the request may go on */
  resetRequest(address: string | undefined): Promise<number>;
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

  const addresses = counter('address', limits.sign_in_failures_per_address_per_min, minute_s);
  const accounts = counter('account', limits.sign_in_failures_per_account, limits.sign_in_failures_window_s);
  const waits = counter('waits', Number.MAX_SAFE_INTEGER, day_s);
  const token_requests = counter('token', limits.token_requests_per_min, minute_s);
  const reset_requests = counter('reset', limits.password_reset_requests_per_address_per_min, minute_s);
  const limiters = { sign_in_address: addresses, sign_in_account: accounts, token_requests, reset_requests };

  const unlessItFails = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      log?.warn({ err: error }, 'attempts are not limited: they can not be counted');
      return otherwise;
    }
  };
  const refused: Record<LimitName, number> = {
    sign_in_address: 0,
    sign_in_account: 0,
    token_requests: 0,
    reset_requests: 0,
  };
  const wait = (name: LimitName, who: string, whenReached?: (wait: RateLimiterRes) => Promise<number>) =>
    unlessItFails(async () => {
      try {
        await limiters[name].consume(who);
        return 0;
      } catch (reached) {
        if (!(reached instanceof RateLimiterRes)) throw reached;
        refused[name]++;
        return whenReached ? whenReached(reached) : seconds(reached);
      }
    }, 0);
  /** The attempt that goes beyond the limit begins a wait, twice as long as the last one of this day. */
  const lengthen = async (account: string, reached: RateLimiterRes) => {
    if (reached.consumedPoints !== accounts.points + 1) return seconds(reached);
    const { consumedPoints: waits_today } = await waits.penalty(account);
    const doubled_s = limits.sign_in_failures_window_s * 2 ** (waits_today - 1);
    const wait_s = Math.min(doubled_s, limits.sign_in_longest_wait_s);
    await accounts.block(account, wait_s);
    return wait_s;
  };

  const forgive = async (account: string) => {
    const who = hashed(account);
    await unlessItFails(async () => void (await Promise.all([accounts.delete(who), waits.delete(who)])), undefined);
  };
  return {
    refused,
    forgive,
    async signIn(account, address) {
      const who = hashed(account);
      const from_address = await wait('sign_in_address', hashed(network(address)));
      return from_address || wait('sign_in_account', who, (reached) => lengthen(who, reached));
    },
    async signedIn(account, address) {
      await unlessItFails(async () => void (await addresses.reward(hashed(network(address)))), undefined);
      await forgive(account);
    },
    tokenRequest: (client_id, address) => wait('token_requests', hashed(`${client_id}\n${network(address)}`)),
    resetRequest: (address) => wait('reset_requests', hashed(network(address))),
  };
}

/** Deletes counts that are over: for the worker, now and then. @returns how many */
export async function removeOldCounts(db: Database): Promise<number> {
  const result = await db.global.deleteFrom('rate_limits').where('expire', '<', Date.now()).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Counters that use our own connections; the table is made by a migration. */
function counters(db: Database) {
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await db.global.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
  const table = { storeType: 'client', tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false };
  return (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({ storeClient, ...table, keyPrefix, points, duration });
}

/** An IPv4 address, or the /64 network of an IPv6 one: who has one address of that has all. */
function network(address = ''): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
