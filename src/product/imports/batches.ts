/**
 * The batches of an import: each a transaction that writes some rows, counts them and advances the position. Two are
 * written at the same time where the rows allow it, on two connections, because Postgres uses one core for each. They
 * commit in their order: whatever interrupts them, all rows before the position are written and none after it.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { type ImportRun, isOver, RunOver } from './import-run.ts';
import type { ImportRow } from './state/find-import.ts';
import { lockOurs } from './state/import-lease.ts';

export const rowsABatch = 1_000;

/** A third would mostly wait for the first, with a connection that others lack. */
const batchesAtOnce = 2;

interface Batches<W> {
  total: number;
  /** Whether the batch from this position on may be written while the one before it has not been committed. */
  isFree(position: number): boolean;
  /** Writes the rows of the batch from this position on. */
  write(tx: CountedTransaction, position: number): Promise<W>;
  /** Tells what was written. From here until the commit nobody else can change the import. */
  count(tx: TenantTransaction, position: number, written: W): Promise<void>;
}

/**
 * @param row as it was when this worker began: its position is where the first batch starts
 * @throws RunOver when the run is over before all is written; Superseded when somebody else has moved on with the import
 */
export async function writeInBatches<W>(run: ImportRun, row: ImportRow, batches: Batches<W>): Promise<void> {
  const underWay: Promise<void>[] = [];
  try {
    for (let { position } = row; position < batches.total; position += rowsABatch) {
      const beside = batches.isFree(position) ? batchesAtOnce - 1 : 0;
      while (underWay.length > beside) await underWay.shift();
      if (isOver(run)) throw new RunOver();
      const { begun, ended } = begin(run, { ...row, position }, batches, underWay.length > 0);
      underWay.push(ended);
      await Promise.race([begun, ended]); // the next batch must find the place of this one taken
    }
    while (underWay.length > 0) await underWay.shift();
  } finally {
    await Promise.allSettled(underWay);
  }
}

function begin<W>(run: ImportRun, row: ImportRow, { write, count }: Batches<W>, follows: boolean) {
  const { promise: begun, resolve: tellBegun } = Promise.withResolvers<void>();
  const { position } = row;
  const ended = counted(run.tenant, async (tx) => {
    await takePlace(tx, row.id, position);
    tellBegun();
    const written = await write(tx, position);
    if (follows) await awaitPlace(tx, row.id, position - rowsABatch);
    await lockOurs(tx, row, 'processing');
    await count(tx, position, written);
  });
  ended.catch(() => {}); // heard where it is waited for
  return { begun, ended };
}

/** Until the batch has ended, one way or the other. It is the database that waits, so that it notices a circle. */
async function takePlace(tx: TenantTransaction, id: string, position: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${placeKey(id, position)})`.execute(tx.raw);
}

async function awaitPlace(tx: TenantTransaction, id: string, position: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${placeKey(id, position)})`.execute(tx.raw);
}

function placeKey(id: string, position: number) {
  return sql`hashtextextended(${`import ${id} from ${position}`}, 0)`;
}
