/** Writes the rows in batches, each with its progress in one transaction; or all rows in a single one. */

import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { rowsPerBatch, writeInBatches } from './batches.ts';
import { type ImportRun, RunOver } from './import-run.ts';
import { firstsOf } from './rows/check-rows.ts';
import type { Firsts } from './rows/matched-row.ts';
import type { PeopleTable } from './rows/people/people-table.ts';
import { dependentBatches, writingOrder } from './rows/writing-order.ts';
import { type ImportRow, lockImport } from './state/find-import.ts';
import { leaseEnd, Superseded } from './state/import-lease.ts';
import { addErrors, faultyRows, type RowError } from './state/row-errors.ts';
import { lockEveryone, type WrittenRows, writeRows } from './write-rows.ts';

interface Writing {
  order: readonly number[];
  firsts: Firsts;
  faulty: ReadonlySet<number>;
}

export async function writePeople(run: ImportRun, row: ImportRow, table: PeopleTable): Promise<void> {
  const firsts = await firstsOf(table);
  const order = await writingOrder(run.tenant, row.id, table, firsts);
  const writing = { order, firsts, faulty: await faultyRows(run.tenant, row.id) };
  if (row.on_error === 'abort') await writeAllOrNone(run, row, table, writing);
  else await writeBatches(run, row, table, writing);
}

/** Concurrent only if all rows are new: batches that change people lock the whole tree, and would wait anyway. */
async function writeBatches(run: ImportRun, row: ImportRow, table: PeopleTable, writing: Writing): Promise<void> {
  const { order } = writing;
  const dependent =
    row.mode === 'create' ? await dependentBatches(table, writing, row.position, rowsPerBatch) : undefined;
  await writeInBatches(run, row, {
    total: order.length,
    isIndependent: (position) => dependent !== undefined && !dependent.has(position),
    write: (tx, position) => writeBatch(tx, run, row, table, writing, position),
    count: async (tx, position, written) => {
      await addErrors(tx, row.id, written.errors);
      await count(tx, run, row.id, written, Math.min(position + rowsPerBatch, order.length));
    },
  });
}

/** Progress is written on another connection, but only the commit shows completion, so the last position isn't written before. */
async function writeAllOrNone(run: ImportRun, row: ImportRow, table: PeopleTable, writing: Writing): Promise<void> {
  const { tenant, stopping } = run;
  const total = writing.order.length;
  if (row.position === total) return; // a crash between the commit and the end
  const errors: RowError[] = [];
  const saveProgress = async (position: number) => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set({ position })
      .where('id', '=', row.id)
      .where('status', '=', 'processing')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Superseded();
  };
  await saveProgress(0);
  const write = counted(tenant, async (tx) => {
    await lockEveryone(tx, row, table);
    const sums = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    for (let position = 0; position < total; position += rowsPerBatch) {
      if (stopping.aborted) throw new RunOver();
      const written = await writeBatch(tx, run, row, table, writing, position);
      errors.push(...written.errors);
      for (const key of ['created', 'updated', 'unchanged', 'failed'] as const) sums[key] += written[key];
      await saveProgress(Math.min(position + rowsPerBatch, total - 1));
    }
    if (errors.length > 0) throw new Aborted();
    const current = await lockImport(tx, row.id);
    if (current.status !== 'processing' || current.position === total) throw new Superseded();
    await count(tx, run, row.id, { ...sums, errors }, total);
  });
  await write.catch(async (error) => {
    if (!(error instanceof Aborted)) throw error;
    await tenant.transaction(async (tx) => {
      const current = await lockImport(tx, row.id);
      if (current.status !== 'processing' || current.position === total) throw new Superseded();
      await addErrors(tx, row.id, errors);
      const failedRows = new Set(errors.map(({ row }) => row)).size;
      const nothing = { created: 0, updated: 0, unchanged: 0 };
      await count(tx, run, row.id, { ...nothing, failed: failedRows, errors }, 0);
    });
  });
}

/** Errors occurred while writing all rows or none. */
class Aborted extends Error {
  override name = 'Aborted';
}

async function writeBatch(
  tx: CountedTransaction,
  { postage }: ImportRun,
  row: ImportRow,
  table: PeopleTable,
  { order, firsts, faulty }: Writing,
  position: number,
): Promise<WrittenRows> {
  const indexes = order.slice(position, position + rowsPerBatch).filter((index) => !faulty.has(table.rows[index]!.row));
  return writeRows(tx, row, table, indexes, firsts, postage);
}

async function count(
  tx: TenantTransaction,
  { leaseS }: ImportRun,
  id: string,
  written: WrittenRows,
  position: number,
): Promise<void> {
  await tx
    .updateTable('imports')
    .set((eb) => ({
      position,
      created_count: eb('created_count', '+', written.created),
      updated_count: eb('updated_count', '+', written.updated),
      unchanged_count: eb('unchanged_count', '+', written.unchanged),
      failed_count: eb('failed_count', '+', written.failed),
      error_count: eb('error_count', '+', written.errors.length),
      due_at: leaseEnd(leaseS),
      attempts: 0,
      deaths: 0,
    }))
    .where('id', '=', id)
    .execute();
}
