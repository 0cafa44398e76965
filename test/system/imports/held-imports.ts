/** Holds an import while it writes a certain person, for crashes at that point. */
import type { TestApp } from '../../helpers/app.ts';
import { holdWrites } from '../../helpers/database/hold-writes.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startProcess } from '../../helpers/process.ts';

export const emailOf = (serial: number) => `person${serial}@example.com`;

interface ImportState {
  status: string;
  position: number;
  created_count: number;
  attempts: number;
}

export function holdImports({ config, base_url: baseUrl, database }: TestApp) {
  let release: (() => Promise<void>) | undefined;
  const stateOf = async (id: string): Promise<ImportState> => {
    const [row] = await database.query<ImportState>(
      'select status, position, created_count, attempts from imports where id = $1',
      [id],
    );
    return row!;
  };
  return {
    stateOf,
    /** Holds whoever writes this person, until `release()`. */
    async holdAt(email: string): Promise<void> {
      release = await holdWrites(database, 'before insert or update', email);
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
    async release(): Promise<void> {
      await release?.();
      release = undefined;
    },
  };
}
