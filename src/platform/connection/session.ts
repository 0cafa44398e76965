/**
 * What every connection of the API and its workers has set, whatever the server, the database or the role have as their
 * defaults: how values are written and read, what a transaction sees, and limits on how long a statement may run, wait for a
 * lock, and leave its transaction idle. Setting them with each transaction would cost a round trip, so connections have them
 * from the beginning, in one of two ways: asked for at the start of the connection, or kept with the database role.
 *
 * `test/platform/connection/every-setting.test.ts` goes through all settings of Postgres that a role may change, and fails
 * for one of which it is not said why it does not matter or where it is set.
 */
import type pg from 'pg';
import { type Connecting, connectionTo } from './address.ts';
import type { ClientConfig } from './postgres-client.ts';

export interface SessionLimits {
  statementTimeoutMs: number;
  /** Default: as long as a statement may run. */
  lockTimeoutMs?: number;
  /** Default: as long as a statement may run. */
  idleTransactionTimeoutMs?: number;
}

export interface SessionOptions extends SessionLimits {
  /**
   * Whether a pooler lends its connections for one transaction each, as pgbouncer does: it refuses startup parameters, so
   * the limits are left to the role (see `keepWithRole`). Default: no.
   */
  pooled?: boolean;
}

/** For work that takes as long as it takes. */
const noLimits: SessionLimits = { statementTimeoutMs: 0 };

/** Those that Postgres reports to its client whenever they change: so a pooler knows them, and keeps them apart. */
const reportedSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

/**
 * All that would change what statements answer. Not among them: `default_transaction_read_only`, by which operators and
 * providers stop writes, for example when a disk is full.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  ...reportedSettings,
  search_path: 'public',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0', // with another, an index leaves out matches by chance
  idle_session_timeout: '0', // what listens has nothing to say for hours
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'off',
  row_security: 'on', // the queue's tables have policies, and off refuses to read them
  transform_null_equals: 'off',
};

/** The same for those that not every version has: a version refuses a connection that asks for what it does not know. */
export const newerSettings: Readonly<Record<string, string>> = {
  restrict_nonsystem_relation_kind: '', // from the minor versions of August 2024 on
  transaction_timeout: '0', // from 17 on
};

/** The part of a connection's configuration that sets them. */
export function sessionConfig({ pooled, ...limits }: SessionOptions): pg.ClientConfig {
  if (pooled) return {};
  const words = Object.entries(settingsOf(limits)).map(([name, value]) => `-c ${name}=${escaped(value)}`);
  return { options: words.join(' ') };
}

/** What a connection to `url`, or those of a pool, are opened with for what needs no limits of the server. */
export function sessionTo<C extends ClientConfig & pg.PoolConfig>(url: string, more: C): Connecting<C & pg.PoolConfig> {
  return connectionTo(url, { ...sessionConfig(noLimits), onConnect: setNewer, ...more });
}

/**
 * Completes what a new connection could not ask for at its start: without a pooler, what not every version knows; with one,
 * what pgbouncer knows of a session and gives it back with each transaction.
 */
export async function completeSession(
  client: pg.ClientBase,
  { pooled }: Pick<SessionOptions, 'pooled'>,
): Promise<void> {
  if (!pooled) return setNewer(client);
  const statements = Object.entries(reportedSettings).map(([name, value]) => `set ${name} = '${value}'`);
  await client.query(statements.join('; '));
}

/** Sets nothing that is set already, or that this version does not have. */
async function setNewer(client: pg.ClientBase): Promise<void> {
  await client.query(newerSettingsSql);
}

const newerSettingsSql = `select set_config(name, value, false)
  from (values ${Object.entries(newerSettings)
    .map(([name, value]) => `('${name}', '${value}')`)
    .join(', ')}) as wanted (name, value)
  where current_setting(name, true) <> value`;

/** By their names. */
export function settingsOf({ statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs }: SessionLimits) {
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs ?? statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleTransactionTimeoutMs ?? statementTimeoutMs),
    ...sessionSettings,
  };
}

/** As Postgres takes apart the command line that a connection begins with: words between blanks, and \ before a blank. */
function escaped(value: string): string {
  return value.replace(/[\\\s]/g, '\\$&');
}
