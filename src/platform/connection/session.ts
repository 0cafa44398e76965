/**
 * Session settings of every connection: formats of values, transaction isolation, and timeouts. Setting them per transaction
 * would cost a round trip, so they are set at connection startup or stored with the database role.
 *
 * `test/platform/connection/every-setting.test.ts` checks that every other setting has a reason why it doesn't matter.
 */
import type pg from 'pg';
import { type Connecting, connectionTo } from './address.ts';
import type { ClientConfig } from './postgres-client.ts';

export interface SessionLimits {
  statementTimeoutMs: number;
  /** Default: the statement timeout. */
  lockTimeoutMs?: number;
  /** Default: the statement timeout. */
  idleTransactionTimeoutMs?: number;
}

export interface SessionOptions extends SessionLimits {
  /** Whether a pooler lends connections per transaction: it refuses startup parameters (see `storeRoleSettings`). Default: false. */
  pooled?: boolean;
}

/** For work that may take any time. */
const noLimits: SessionLimits = { statementTimeoutMs: 0 };

/** Postgres reports changes of these to the client, so a pooler tracks them per client. */
const reportedSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

/** Settings that would change results. Without `default_transaction_read_only`, with which operators stop writes on purpose. */
export const sessionSettings: Readonly<Record<string, string>> = {
  ...reportedSettings,
  search_path: 'public',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0', // others make an index skip matches at random
  idle_session_timeout: '0', // listening connections are idle for hours
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'off',
  row_security: 'on', // the queue's tables have policies, and off refuses to read them
  transform_null_equals: 'off',
};

/** Settings that only some versions have: a version refuses connections that ask for an unknown one. */
export const newerSettings: Readonly<Record<string, string>> = {
  restrict_nonsystem_relation_kind: '', // since the minor versions of August 2024
  transaction_timeout: '0', // since 17
};

/** The part of a connection's configuration that sets them. */
export function sessionConfig({ pooled, ...limits }: SessionOptions): pg.ClientConfig {
  if (pooled) return {};
  const words = Object.entries(settingsOf(limits)).map(([name, value]) => `-c ${name}=${escaped(value)}`);
  return { options: words.join(' ') };
}

/** The configuration of a connection or pool to `url` without server-side timeouts. */
export function sessionTo<C extends ClientConfig & pg.PoolConfig>(url: string, more: C): Connecting<C & pg.PoolConfig> {
  return connectionTo(url, { ...sessionConfig(noLimits), onConnect: setNewer, ...more });
}

/**
 * For workers: ends their idle transactions. When a worker vanishes in a transaction, as in a network partition, its locks would
 * stay until TCP notices, after two hours by default, and others would skip the jobs behind them.
 */
export function workerSessionTo<C extends ClientConfig & pg.PoolConfig & Required<Pick<ClientConfig, 'socketTimeout'>>>(
  url: string,
  more: C,
): Connecting<C & pg.PoolConfig> {
  const limits = { statementTimeoutMs: 0, idleTransactionTimeoutMs: more.socketTimeout.limitMs };
  return sessionTo(url, { ...sessionConfig(limits), ...more });
}

/** Sets what a connection couldn't request at startup: version-dependent settings, or with a pooler those that it tracks. */
export async function completeSession(
  client: pg.ClientBase,
  { pooled }: Pick<SessionOptions, 'pooled'>,
): Promise<void> {
  if (!pooled) return setNewer(client);
  const statements = Object.entries(reportedSettings).map(([name, value]) => `set ${name} = '${value}'`);
  await client.query(statements.join('; '));
}

/** Skips settings that are already right or unknown to this version. */
async function setNewer(client: pg.ClientBase): Promise<void> {
  await client.query(newerSettingsSql);
}

const newerSettingsSql = `select set_config(name, value, false)
  from (values ${Object.entries(newerSettings)
    .map(([name, value]) => `('${name}', '${value}')`)
    .join(', ')}) as wanted (name, value)
  where current_setting(name, true) <> value`;

export function settingsOf({ statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs }: SessionLimits) {
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs ?? statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleTransactionTimeoutMs ?? statementTimeoutMs),
    ...sessionSettings,
  };
}

/** Escapes for Postgres's parsing of `options`: arguments are separated by whitespace, which \ escapes. */
function escaped(value: string): string {
  return value.replace(/[\\\s]/g, '\\$&');
}
