/**
 * Writes an import in batches: each transaction writes rows, counts them, and advances the position. Where the rows allow it, two
 * run concurrently, because Postgres uses one core for each connection. They commit in order: after any interruption, all rows
 * before the position are written and none after it.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { type ImportRun, isOver, RunOver } from './import-run.ts';
import type { ImportRow } from './state/find-import.ts';
import { lockClaimed } from './state/import-lease.ts';

export const rowsPerBatch = 1_000;

/** A third would mostly wait for the first, and occupy a connection. */
const maxConcurrentBatches = 2;

interface Batches<W> {
  total: number;
  /** Whether the batch at this position may be written before the previous one commits. */
  isIndependent(position: number): boolean;
  write(tx: CountedTransaction, position: number): Promise<W>;
  /** Records what was written. From here until the commit the import is locked. */
  count(tx: TenantTransaction, position: number, written: W): Promise<void>;
}

/** @throws RunOver if the run ends before all is written; Superseded if another worker has continued the import */
export async function writeInBatches<W>(run: ImportRun, row: ImportRow, batches: Batches<W>): Promise<void> {
  const running: Promise<void>[] = [];
  try {
    for (let { position } = row; position < batches.total; position += rowsPerBatch) {
      const maxConcurrent = batches.isIndependent(position) ? maxConcurrentBatches - 1 : 0;
      while (running.length > maxConcurrent) await running.shift();
      if (isOver(run)) throw new RunOver();
      const { started, ended } = startBatch(run, { ...row, position }, batches, running.length > 0);
      running.push(ended);
      await Promise.race([started, ended]); // the next batch must find this one's lock taken
    }
    while (running.length > 0) await running.shift();
  } finally {
    await Promise.allSettled(running);
  }
}

function startBatch<W>(run: ImportRun, row: ImportRow, { write, count }: Batches<W>, follows: boolean) {
  const { promise: started, resolve: markStarted } = Promise.withResolvers<void>();
  const { position } = row;
  const ended = counted(run.tenant, async (tx) => {
    await acquireBatchLock(tx, row.id, position);
    markStarted();
    const written = await write(tx, position);
    if (follows) await awaitBatchLock(tx, row.id, position - rowsPerBatch);
    await lockClaimed(tx, row, 'processing');
    await count(tx, position, written);
  });
  ended.catch(() => {}); // awaited elsewhere
  return { started, ended };
}

/** Held until the batch ends. A database lock, so that Postgres detects deadlocks. */
async function acquireBatchLock(tx: TenantTransaction, id: string, position: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${batchLockKey(id, position)})`.execute(tx.raw);
}

async function awaitBatchLock(tx: TenantTransaction, id: string, position: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${batchLockKey(id, position)})`.execute(tx.raw);
}

function batchLockKey(id: string, position: number) {
  return sql`hashtextextended(${`import ${id} from ${position}`}, 0)`;
}
