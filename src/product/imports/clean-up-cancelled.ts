/** Cleans up after canceled imports. After a crash or two failed reads, the file is removed without a report. */

import { buffer } from 'node:stream/consumers';
import { type SqlBool, sql } from 'kysely';
import { readFields } from '../../identity/members/company-fields.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import { isKnownOutage, isOutage } from '../../platform/files/store/store-error.ts';
import { writeReport } from './error-report.ts';
import type { ImportRun } from './import-run.ts';
import { firstsOf } from './rows/check-rows.ts';
import { readPeople } from './rows/people/read-people.ts';
import { writingOrder } from './rows/writing-order.ts';
import { type ImportRow, importRowColumns } from './state/find-import.ts';
import { leaseEnd, renewals } from './state/import-lease.ts';
import { faultyRows } from './state/row-errors.ts';

/** Attempts at the error report, which may crash the process. */
const maxTries = 2;

const isUnclaimed = sql<SqlBool>`(tidy_held_until is null or tidy_held_until <= now())`;

/** @returns whether something is left: another worker holds it or has died, or it failed for now */
export async function cleanUpCancelled(run: ImportRun): Promise<boolean> {
  const { tenant, log } = run;
  const cancelled = await tenant
    .selectFrom('imports')
    .select(importRowColumns)
    .where('status', '=', 'cancelled')
    .where('key', 'is not', null)
    .execute();
  let hasMore = false;
  for (const row of cancelled) {
    try {
      const claim = await claimCleanup(run, row.id);
      if (claim) await cleanUpOne(run, row, claim);
      else hasMore = true;
    } catch (error) {
      const about = { company_id: tenant.company_id, import_id: row.id };
      if (!isKnownOutage(error)) log.warn({ ...about, err: error }, 'canceled import could not be cleaned up');
      await releaseLease(run, row.id, !isOutage(error)); // an outage doesn't count: the file can be read when the storage is back
      hasMore = true;
    }
  }
  return hasMore;
}

async function cleanUpOne(
  run: ImportRun,
  row: ImportRow,
  { tidy_attempts: tidyAttempts }: { tidy_attempts: number },
): Promise<void> {
  const { tenant, storage } = run;
  const shouldReport = row.deaths_total === 0 && tidyAttempts <= maxTries;
  const reportKey =
    row.report_key ?? (shouldReport ? await withRenewedLease(run, row.id, () => reportOfCancelled(run, row)) : null);
  const { numUpdatedRows } = await tenant
    .updateTable('imports')
    .set({ key: null, row_levels: null, report_key: reportKey })
    .where('id', '=', row.id)
    .where('key', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n && row.report_key === null) await discardObject(storage, reportKey);
  await discardObject(storage, row.key);
}

async function claimCleanup({ tenant, leaseS }: ImportRun, id: string) {
  return tenant
    .updateTable('imports')
    .set((eb) => ({ tidy_attempts: eb('tidy_attempts', '+', 1), tidy_held_until: leaseEnd(leaseS) }))
    .where('id', '=', id)
    .where('key', 'is not', null)
    .where(isUnclaimed)
    .returning('tidy_attempts')
    .executeTakeFirst();
}

async function withRenewedLease<T>({ tenant, leaseS }: ImportRun, id: string, work: () => Promise<T>): Promise<T> {
  const renew = async () => {
    await tenant
      .updateTable('imports')
      .set({ tidy_held_until: leaseEnd(leaseS) })
      .where('id', '=', id)
      .execute();
  };
  const timer = setInterval(() => void renew().catch(() => {}), (leaseS * 1_000) / renewals);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function releaseLease({ tenant }: ImportRun, id: string, countsAttempt: boolean): Promise<void> {
  await tenant
    .updateTable('imports')
    .set((eb) => ({ tidy_held_until: null, ...(!countsAttempt && { tidy_attempts: eb('tidy_attempts', '-', 1) }) }))
    .where('id', '=', id)
    .execute();
}

async function reportOfCancelled(run: ImportRun, row: ImportRow): Promise<string | null> {
  if (row.error_count === 0) return null;
  const { tenant, storage, sheets, stopping } = run;
  const bytes = await buffer(await storage.read(row.key!));
  const table = await readPeople(sheets, bytes, { ...row, fields: await readFields(tenant) }, stopping);
  const order = await writingOrder(tenant, row.id, table, await firstsOf(table));
  const written = row.on_error === 'abort' ? 0 : row.position;
  const remaining = new Set(order.slice(written));
  const faulty = await faultyRows(tenant, row.id);
  const isUnwritten = (index: number) => remaining.has(index) || faulty.has(table.rows[index]!.row);
  return writeReport(tenant, storage, row, table, isUnwritten);
}
