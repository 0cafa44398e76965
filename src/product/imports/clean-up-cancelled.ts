/**
 * Cleans up after cancelled imports. It has an end whatever the file is: one at which a process died, or that could not be
 * read twice, is removed without a report.
 */
import { buffer } from 'node:stream/consumers';
import { discardObject } from '../../platform/files/discard-files.ts';
import { isOutage } from '../../platform/files/store-fault.ts';
import { writeReport } from './error-report.ts';
import type { ImportRun } from './import-run.ts';
import { firstsOf } from './rows/check-rows.ts';
import { readPeople } from './rows/people-table.ts';
import { writingOrder } from './rows/writing-order.ts';
import { type ImportRow, importRowColumns } from './state/find-import.ts';
import { faultyRows } from './state/row-errors.ts';

/** How often the file with the errors is begun: a process may have died at it. */
const most_tries = 2;

/** The file with its errors, and removing what was uploaded. */
export async function tidyCancelled(run: ImportRun): Promise<void> {
  const { tenant, log } = run;
  const cancelled = await tenant
    .selectFrom('imports')
    .select(importRowColumns)
    .where('status', '=', 'cancelled')
    .where('key', 'is not', null)
    .execute();
  for (const row of cancelled) {
    try {
      await tidyOne(run, row);
    } catch (error) {
      log.warn({ company_id: tenant.company_id, import_id: row.id, err: error }, 'cancelled import is not tidied up');
      if (isOutage(error)) await forgetTry(run, row.id); // its file is there, and can be read when the store is back
    }
  }
}

async function forgetTry({ tenant }: ImportRun, id: string): Promise<void> {
  await tenant
    .updateTable('imports')
    .set((eb) => ({ tidy_attempts: eb('tidy_attempts', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

async function tidyOne(run: ImportRun, row: ImportRow): Promise<void> {
  const { tenant, storage } = run;
  const tried = await tenant
    .updateTable('imports')
    .set((eb) => ({ tidy_attempts: eb('tidy_attempts', '+', 1) }))
    .where('id', '=', row.id)
    .where('key', 'is not', null)
    .returning('tidy_attempts')
    .executeTakeFirst();
  if (!tried) return; // somebody was faster
  const is_tried = row.deaths_total === 0 && tried.tidy_attempts <= most_tries;
  const report_key = row.report_key ?? (is_tried ? await reportOfCancelled(run, row) : null);
  const { numUpdatedRows } = await tenant
    .updateTable('imports')
    .set({ key: null, row_levels: null, report_key })
    .where('id', '=', row.id)
    .where('key', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n && row.report_key === null) await discardObject(storage, report_key);
  await discardObject(storage, row.key);
}

/** Rows that were not written, as far as their faults are known. */
async function reportOfCancelled(run: ImportRun, row: ImportRow): Promise<string | null> {
  if (row.error_count === 0) return null;
  const { tenant, storage, sheets, stopping } = run;
  const bytes = await buffer(await storage.read(row.key!));
  const table = await readPeople(sheets, bytes, row, stopping);
  const order = await writingOrder(tenant, row.id, table, await firstsOf(table));
  const written = row.on_error === 'abort' ? 0 : row.position;
  const left = new Set(order.slice(written));
  const faulty = await faultyRows(tenant, row.id);
  const isLeft = (index: number) => left.has(index) || faulty.has(table.rows[index]!.row);
  return writeReport(tenant, storage, row, table, isLeft);
}
