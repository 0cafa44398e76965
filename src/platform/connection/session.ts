/**
 * What every connection of the API and its workers has set: UTC, and limits on how long a statement may run, wait for a
 * lock, and leave its transaction idle. Setting them with each transaction would cost a round trip, so connections have
 * them from the beginning, in one of two ways: asked for at the start of the connection, or kept with the database role.
 */
import pg from 'pg';

export interface SessionLimits {
  statement_timeout_ms: number;
  /** Default: as long as a statement may run. */
  lock_timeout_ms?: number;
  /** Default: as long as a statement may run. */
  idle_transaction_timeout_ms?: number;
}

export interface SessionOptions extends SessionLimits {
  /**
   * Whether a pooler lends its connections for one transaction each, as pgbouncer does: it refuses startup parameters, so
   * the limits are left to the role (see `keepWithRole`). Default: no.
   */
  pooled?: boolean;
}

const lock_key = 727_002; // any number that no other advisory lock of this database uses

/** The part of a connection's configuration that sets them. */
export function sessionConfig({ pooled, ...limits }: SessionOptions): pg.ClientConfig {
  if (pooled) return {};
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, TimeZone } = settingsOf(limits);
  return {
    statement_timeout: Number(statement_timeout),
    lock_timeout: Number(lock_timeout),
    idle_in_transaction_session_timeout: Number(idle_in_transaction_session_timeout),
    options: `-c TimeZone=${TimeZone}`,
  };
}

/**
 * Keeps the limits with the role that connects, for this database: every connection that it opens from then on has them.
 * Safe when several processes do it at once; nothing is written when they are there already.
 * @param url past the pooler; the role needs no special rights for its own settings
 */
export async function keepWithRole(url: string, limits: SessionLimits): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // a lost connection also rejects the running query, which is where it is reported
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock_key]);
    const kept = await keptSettings(client);
    for (const [name, value] of Object.entries(settingsOf(limits))) {
      if (kept.has(`${name}=${value}`)) continue;
      const database = client.escapeIdentifier(client.database!);
      await client.query(`alter role current_user in database ${database} set ${name} = '${value}'`);
    }
    await client.query('commit');
  } finally {
    await client.end().catch(() => {});
  }
}

async function keptSettings(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ setting: string }>(`
    select unnest(setconfig) as setting from pg_db_role_setting
    join pg_roles on pg_roles.oid = setrole
    join pg_database on pg_database.oid = setdatabase
    where rolname = current_user and datname = current_database()`);
  return new Set(rows.map(({ setting }) => setting));
}

function settingsOf({ statement_timeout_ms, lock_timeout_ms, idle_transaction_timeout_ms }: SessionLimits) {
  return {
    statement_timeout: String(statement_timeout_ms),
    lock_timeout: String(lock_timeout_ms ?? statement_timeout_ms),
    idle_in_transaction_session_timeout: String(idle_transaction_timeout_ms ?? statement_timeout_ms),
    TimeZone: 'UTC',
  };
}
