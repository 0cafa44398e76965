/**
 * Migrations: numbered SQL files, applied in order, each in a transaction of its own, forward only.
 *
 * An advisory lock makes it safe for any number of processes to start at once: one migrates, the others wait and then
 * find nothing left to do.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);
const lock_key = 727_001; // any number that no other advisory lock of this database uses

/**
 * Brings the database at `url` up to date.
 * @returns the names of the files that were applied now
 * @throws when an applied file was edited since, is missing, or a statement fails (nothing of that file stays)
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'migrate', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // a lost connection also rejects the running query, which is where it is reported
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock_key]);
    return await applyMissing(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const files = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql')).sort();
  for (const name of applied.keys()) {
    if (!files.includes(name)) throw new Error(`the database has migration ${name}, which this version does not know`);
  }
  const done: string[] = [];
  for (const name of files) {
    const sql = await readFile(new URL(name, folder), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known) throw new Error(`migration ${name} was edited after it had been applied; add a new file instead`);
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    done.push(name);
  }
  return done;
}
