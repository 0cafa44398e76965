/** Holds an import while it writes a certain person, for crashes at that point. */
import pg from 'pg';
import type { TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startProcess } from '../../helpers/process.ts';

export const emailOf = (serial: number) => `person${serial}@example.com`;

interface ImportState {
  status: string;
  position: number;
  created_count: number;
  attempts: number;
}

export async function holdImports({ config, base_url: baseUrl, database }: TestApp) {
  const other = new pg.Client(database.url);
  await other.connect();
  const release = () => other.query('select pg_advisory_unlock_all()');
  const stateOf = async (id: string): Promise<ImportState> => {
    const [row] = await database.query<ImportState>(
      'select status, position, created_count, attempts from imports where id = $1',
      [id],
    );
    return row!;
  };
  return {
    release,
    stateOf,
    /** Holds up whoever writes this person, until `release()`. */
    async holdAt(email: string): Promise<void> {
      await other.query('select pg_advisory_lock(1)');
      await database.query(`
    create or replace function hold() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(1);
      return new;
    end $$;
    create or replace trigger hold before insert or update on collaborators for each row
    when (new.email = '${email}') execute function hold()`);
    },
    /** Waits until the import has written the rows before this position, and is held up. */
    until: (id: string, position: number) =>
      eventually(async () => {
        expect(await stateOf(id)).toMatchObject({ status: 'processing', position });
        const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
        expect(await database.query(waiting)).not.toEqual([]);
      }),
    workerProcess() {
      const { folder } = config.storage as { folder: string };
      const where = { DATABASE_URL: database.url, STORAGE_URL: `file:${folder}`, BASE_URL: baseUrl };
      // After a crash, others wait for the lease to expire.
      return startProcess({ ...where, IMPORT_LEASE_S: '2' }, ['worker']);
    },
    async end(): Promise<void> {
      await release();
      await other.end();
    },
  };
}
