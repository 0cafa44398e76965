/** Settings of sessions that are kept with a database role: for connections that can not ask for them, as those of a pooler. */
import type pg from 'pg';
import { openSession } from './open.ts';
import { newerSettings, type SessionLimits, settingsOf } from './session.ts';

const lockKey = 727_002; // any number that no other advisory lock of this database uses

/**
 * Keeps them with the role that connects, for this database: every connection that it opens from then on has them. Safe when
 * several processes do it at once; nothing is written when they are there already.
 * @param url past the pooler; the role needs no special rights for its own settings
 */
export async function keepWithRole(url: string, limits: SessionLimits): Promise<void> {
  const client = await openSession(url, { application_name: 'collaborator-api' });
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const kept = await keptSettings(client);
    const wanted = { ...settingsOf(limits), ...(await newerOf(client)) };
    for (const [name, value] of Object.entries(wanted)) {
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

/** Those of the newer ones that this server has. */
async function newerOf(client: pg.Client): Promise<Record<string, string>> {
  const names = Object.keys(newerSettings);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where current_setting(name, true) is not null',
    [names],
  );
  return Object.fromEntries(rows.map(({ name }) => [name, newerSettings[name]!]));
}
