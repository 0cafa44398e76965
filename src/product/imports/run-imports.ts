/**
 * Runs imports: reads the file, checks every row, then writes the rows in batches, each with its progress in one transaction.
 * File and writing order never change, so after a crash another worker continues at the last committed position.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sentences, t, tn } from '../../contract/languages/text.ts';
import { isKnownOutage, isOutage } from '../../platform/files/store/store-error.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import { QuotaExceeded } from '../companies/quotas.ts';
import { cleanUpCancelled } from './clean-up-cancelled.ts';
import { writeReport } from './error-report.ts';
import { failed, finishImport } from './finish-import.ts';
import { type ImportRun, type ImportTools, isOver, RunOver } from './import-run.ts';
import { readTable } from './read-table.ts';
import type { PeopleTable } from './rows/people/people-table.ts';
import { NoLongerAllowed, requireStarter } from './starter.ts';
import { makeRoomForErrors } from './state/error-room.ts';
import { findImport, type ImportRow } from './state/find-import.ts';
import { acquireLease, claimImport, releaseImport, Superseded, scheduleRetry } from './state/import-lease.ts';
import { countsOf } from './state/import-response.ts';
import { faultyRows } from './state/row-errors.ts';
import { wakeImports } from './state/wake-imports.ts';
import { runUndos } from './undo/run-undos.ts';
import { validate } from './validate-rows.ts';
import { writePeople } from './write-batches.ts';

/** Maximum run time of a job; another job continues. */
const maxRunMs = 60_000;
const maxTries = 4;
const basePauseMs = 500;
/** Attempts without progress before the import fails. */
const maxAttempts = 8;
/** Crashes without progress, and in total, before the import fails: it may be their cause. */
const maxDeaths = { withoutProgress: 2, total: 5 };

/** @param stopping ends the run after the current batch */
export async function runImports(tools: ImportTools, companyId: string, stopping: AbortSignal): Promise<void> {
  const tenant = tools.db.tenant(companyId);
  const run: ImportRun = { ...tools, tenant, stopping, endsAt: Date.now() + maxRunMs };
  let hasMore = await cleanUpCancelled(run);
  while (!isOver(run)) {
    hasMore = (await runUndos(run)) || hasMore;
    const row = await claimImport(tenant, tools.leaseS);
    // Wake again after the lease of whoever holds the rest, in case they die.
    if (!row && hasMore) await wakeImports(tenant.raw, companyId, tools.leaseS);
    if (!row) return;
    const about = { name: 'import', origin: row.origin as Origin | null, attributes: { 'import.id': row.id } };
    await resume(tools.tracer, about, () => runImport(run, row));
    hasMore = await cleanUpCancelled(run);
    await makeRoomForErrors(run);
  }
  await wakeImports(tenant.raw, companyId);
}

async function runImport(run: ImportRun, row: ImportRow): Promise<void> {
  const { tenant, log } = run;
  const about = { company_id: tenant.company_id, import_id: row.id };
  const lease = acquireLease(tenant, row.id, run.leaseS);
  try {
    const abandoned = abandonReason(row);
    if (abandoned) {
      log.error({ ...about, attempts: row.attempts, deaths: row.deaths_total }, 'import abandoned');
      return await finishImport(run, row, { ...abandoned, report_key: null });
    }
    await continueImport(run, row, AbortSignal.any([lease.signal, run.stopping]));
    log.info(about, 'import finished');
  } catch (error) {
    if (error instanceof Superseded || lease.signal.aborted) log.info(about, 'import continues elsewhere');
    else if (error instanceof RunOver || run.stopping.aborted) await releaseImport(tenant, row.id);
    else if (error instanceof NoLongerAllowed) {
      log.info(about, 'import ended: its starter may no longer import');
      await finishImport(run, row, { ...failed('forbidden', error.text), report_key: null });
    } else if (error instanceof QuotaExceeded) {
      await finishImport(run, row, { ...failed('quota_exceeded', error.text), report_key: null });
    } else {
      if (!isKnownOutage(error)) log.error({ ...about, err: error }, 'import was interrupted');
      await withRetries(() => scheduleRetry(tenant, row, !isOutage(error)));
    }
  } finally {
    lease.end();
  }
}

function abandonReason(row: ImportRow) {
  const { attempts, deaths, deaths_total: deathsTotal } = row;
  if (deaths >= maxDeaths.withoutProgress || deathsTotal >= maxDeaths.total) {
    const { created, updated } = countsOf(row);
    const importedRows = created + updated;
    const imported =
      importedRows === 0
        ? t`Nothing was imported.`
        : tn(importedRows, t`${importedRows} of its rows was imported.`, t`${importedRows} of its rows were imported.`);
    const times = t`The service stopped ${deathsTotal} times during this import, so it isn't retried.`;
    return failed('interrupted', sentences(times, imported));
  }
  if (attempts <= maxAttempts) return undefined;
  return failed(
    'internal_error',
    t`The service could not complete this import. The service operator has been notified.`,
  );
}

/** Retries in case the database is unavailable. If it stays away, the lease ends by itself. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxTries) throw error;
      await sleep(attempt * basePauseMs);
    }
  }
}

async function continueImport(run: ImportRun, row: ImportRow, signal: AbortSignal): Promise<void> {
  await requireStarter(run.tenant, row);
  const table = await readTable(run, row, signal);
  if (!table) return;
  const checked = row.status === 'validating' ? await validate(run, row, table) : row;
  if (checked.status === 'processing') await writePeople(run, checked, table);
  await finish(run, await findImport(run.tenant, row.id), table);
}

async function finish(run: ImportRun, row: ImportRow, table: PeopleTable): Promise<void> {
  const { tenant, storage } = run;
  const {
    rows_total: rowsTotal,
    failed_count: failedCount,
    error_count: errorCount,
    dry_run: dryRun,
    on_error: onError,
  } = row;
  const faulty = await faultyRows(tenant, row.id);
  const writesNothing = dryRun || (onError === 'abort' && failedCount > 0);
  const isUnwritten = (index: number) => writesNothing || faulty.has(table.rows[index]!.row);
  const reportKey = errorCount > 0 ? await writeReport(tenant, storage, row, table, isUnwritten) : null;
  if (failedCount === 0) return finishImport(run, row, { status: 'completed', report_key: reportKey });
  if (onError === 'continue') {
    return finishImport(run, row, { status: 'completed_with_errors', report_key: reportKey });
  }
  const message = tn(
    failedCount,
    t`${failedCount} of ${rowsTotal!} rows has an error, so nothing was imported.`,
    t`${failedCount} of ${rowsTotal!} rows have errors, so nothing was imported.`,
  );
  return finishImport(run, row, { ...failed('aborted', message), report_key: reportKey });
}
