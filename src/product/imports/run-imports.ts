/**
 * Runs imports: the file is read, every row is checked, then rows are written in batches, each with its progress in one
 * transaction. Neither the file nor the order of writing ever changes, so after a crash another worker reads the file
 * again and continues at the last committed position.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { say, sayMany, sentences } from '../../contract/languages/text.ts';
import { isOutage } from '../../platform/files/store-fault.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import { QuotaExceeded } from '../companies/quotas.ts';
import { tidyCancelled } from './clean-up-cancelled.ts';
import { endImport, failed } from './end-import.ts';
import { writeReport } from './error-report.ts';
import { type ImportRun, type ImportTools, isOver, RunOver } from './import-run.ts';
import { readTable } from './read-table.ts';
import type { PeopleTable } from './rows/people-table.ts';
import { NoLongerAllowed, requireStarter } from './starter.ts';
import { makeRoomForErrors } from './state/error-room.ts';
import { findImport, type ImportRow } from './state/find-import.ts';
import { claimImport, holdLease, releaseImport, Superseded, setBackImport } from './state/import-lease.ts';
import { countsOf } from './state/import-view.ts';
import { faultyRows } from './state/row-errors.ts';
import { wakeImports } from './state/wake-imports.ts';
import { validate } from './validate-rows.ts';
import { writePeople } from './write-batches.ts';

/** A job may not run long: what is left then is a job of its own. */
const longest_run_ms = 60_000;
const most_tries = 4;
const shortest_pause_ms = 500;
/** How often an import is begun without getting on, before it has failed. */
const most_attempts = 8;
/** How many processes may die at an import without its getting on, and in all, before it has failed: it may be why they die. */
const most_deaths = { in_vain: 2, in_all: 5 };

/**
 * Carries out the imports of a company, one after another, as long as the run lasts.
 * @param stopping ends the run after the batch that is being written
 */
export async function runImports(tools: ImportTools, company_id: string, stopping: AbortSignal): Promise<void> {
  const tenant = tools.db.tenant(company_id);
  const run: ImportRun = { ...tools, tenant, stopping, ends_at: Date.now() + longest_run_ms };
  let is_left = await tidyCancelled(run);
  while (!isOver(run)) {
    const row = await claimImport(tenant, tools.lease_s);
    // Whoever is at what is left may die at it: then their lease ends.
    if (!row && is_left) await wakeImports(tenant.raw, company_id, tools.lease_s);
    if (!row) return;
    const about = { name: 'import', origin: row.origin as Origin | null, attributes: { 'import.id': row.id } };
    await resume(tools.tracer, about, () => carryOut(run, row));
    is_left = await tidyCancelled(run);
    await makeRoomForErrors(run);
  }
  await wakeImports(tenant.raw, company_id);
}

async function carryOut(run: ImportRun, row: ImportRow): Promise<void> {
  const { tenant, log } = run;
  const about = { company_id: tenant.company_id, import_id: row.id };
  const lease = holdLease(tenant, row.id, run.lease_s);
  try {
    const gives_up = whyGivenUp(row);
    if (gives_up) {
      log.error({ ...about, attempts: row.attempts, deaths: row.deaths_total }, 'import given up');
      return await endImport(run, row, { ...gives_up, report_key: null });
    }
    await carryOn(run, row, AbortSignal.any([lease.signal, run.stopping]));
    log.info(about, 'import carried out');
  } catch (error) {
    if (error instanceof Superseded || lease.signal.aborted) log.info(about, 'import is not carried on with here');
    else if (error instanceof RunOver || run.stopping.aborted) await releaseImport(tenant, row.id);
    else if (error instanceof NoLongerAllowed) {
      log.info(about, 'import ended: who started it may not import any more');
      await endImport(run, row, { ...failed('forbidden', error.said), report_key: null });
    } else if (error instanceof QuotaExceeded) {
      await endImport(run, row, { ...failed('quota_exceeded', error.text), report_key: null });
    } else {
      log.error({ ...about, err: error }, 'import was interrupted');
      await withPatience(() => setBackImport(tenant, row, !isOutage(error)));
    }
  } finally {
    lease.end();
  }
}

function whyGivenUp(row: ImportRow) {
  const { attempts, deaths, deaths_total } = row;
  if (deaths >= most_deaths.in_vain || deaths_total >= most_deaths.in_all) {
    const { created, updated } = countsOf(row);
    const kept = created + updated;
    const imported =
      kept === 0
        ? say`Nothing of it was imported.`
        : sayMany(kept, say`${kept} of its rows was imported.`, say`${kept} of its rows were imported.`);
    const times = say`The service stopped ${deaths_total} times while it worked on this import, so it is not tried again.`;
    return failed('interrupted', sentences(times, imported));
  }
  if (attempts <= most_attempts) return undefined;
  return failed('internal_error', say`The service could not complete this import. Its operator has been informed.`);
}

/** The database may be what is lost. Should it stay away, the lease ends by itself. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === most_tries) throw error;
      await sleep(attempt * shortest_pause_ms);
    }
  }
}

async function carryOn(run: ImportRun, row: ImportRow, signal: AbortSignal): Promise<void> {
  await requireStarter(run.tenant, row);
  const table = await readTable(run, row, signal);
  if (!table) return;
  const checked = row.status === 'validating' ? await validate(run, row, table) : row;
  if (checked.status === 'processing') await writePeople(run, checked, table);
  await finish(run, await findImport(run.tenant, row.id), table);
}

/** @param row as it is when all is checked and written */
async function finish(run: ImportRun, row: ImportRow, table: PeopleTable): Promise<void> {
  const { tenant, storage } = run;
  const { rows_total, failed_count, error_count, dry_run, on_error } = row;
  const faulty = await faultyRows(tenant, row.id);
  const writes_nothing = dry_run || (on_error === 'abort' && failed_count > 0);
  const isLeft = (index: number) => writes_nothing || faulty.has(table.rows[index]!.row);
  const report_key = error_count > 0 ? await writeReport(tenant, storage, row, table, isLeft) : null;
  if (failed_count === 0) return endImport(run, row, { status: 'completed', report_key });
  if (on_error === 'continue') {
    return endImport(run, row, { status: 'completed_with_errors', report_key });
  }
  const message = sayMany(
    failed_count,
    say`${failed_count} of ${rows_total!} rows has a fault, so nothing was imported.`,
    say`${failed_count} of ${rows_total!} rows have faults, so nothing was imported.`,
  );
  return endImport(run, row, { ...failed('aborted', message), report_key });
}
