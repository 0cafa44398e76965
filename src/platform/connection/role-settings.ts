/** Stores session settings with the database role, for connections that can't set them at startup, such as a pooler's. */
import type pg from 'pg';
import { openSession } from './open.ts';
import { newerSettings, type SessionLimits, settingsOf } from './session.ts';

const lockKey = 727_002; // any number that no other advisory lock of this database uses

/**
 * Stores them for the connecting role in this database. Safe to run concurrently, and writes nothing if they are stored.
 * @param url bypasses the pooler; a role may change its own settings without special privileges
 */
export async function storeRoleSettings(url: string, limits: SessionLimits): Promise<void> {
  const client = await openSession(url, { application_name: 'collaborator-api' });
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const storedPairs = await storedSettings(client);
    const expected = { ...settingsOf(limits), ...(await newerOf(client)) };
    for (const [name, value] of Object.entries(expected)) {
      if (storedPairs.has(`${name}=${value}`)) continue;
      const database = client.escapeIdentifier(client.database!);
      await client.query(`alter role current_user in database ${database} set ${name} = '${value}'`);
    }
    await client.query('commit');
  } finally {
    await client.end().catch(() => {});
  }
}

async function storedSettings(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ setting: string }>(`
    select unnest(setconfig) as setting from pg_db_role_setting
    join pg_roles on pg_roles.oid = setrole
    join pg_database on pg_database.oid = setdatabase
    where rolname = current_user and datname = current_database()`);
  return new Set(rows.map(({ setting }) => setting));
}

/** The newer settings that this server knows. */
async function newerOf(client: pg.Client): Promise<Record<string, string>> {
  const names = Object.keys(newerSettings);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where current_setting(name, true) is not null',
    [names],
  );
  return Object.fromEntries(rows.map(({ name }) => [name, newerSettings[name]!]));
}
