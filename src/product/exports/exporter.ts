/**
 * The exporter of a worker: makes the exports that are too large for the request, few at the same time, because each
 * uses a connection and much CPU. Companies take turns, and none has all places. Jobs only wake it, because a large export
 * may take longer than a job may.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { Places } from '../../platform/fairness/places.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import { claimExport } from './export-lease.ts';
import { afterFailure, giveBack, refuseDeadly } from './failed-attempt.ts';
import type { ExportRow } from './find-export.ts';
import type { ExportFiles } from './make-export.ts';
import type { ExportWakeup } from './wake-exports.ts';

/** Two of one company, and then there is one for another. */
const atOnce = 3;

export interface ExportSettings {
  /** How long a process may give no sign of life until another makes its export anew. */
  leaseS: number;
  /** How long it waits after a failure, for each of them. */
  pauseS: number;
}

interface ExporterOptions {
  db: Database;
  files: ExportFiles;
  settings: ExportSettings;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
  log: Logger;
}

export interface Exporter {
  /** There is an export to be made. Returns at once. */
  wake(wakeup: ExportWakeup): void;
  /** Starts nothing new, and gives back what is under way. */
  stop(): Promise<void>;
}

export function createExporter({ db, files, settings, tracer, log }: ExporterOptions): Exporter {
  const stopping = new AbortController();
  const places = new Places<ExportWakeup>(atOnce);
  const known = new Set<string>(); // those that wait or run
  const running = new Set<Promise<void>>();

  function startNext(): void {
    for (let wakeup = next(); wakeup; wakeup = next()) {
      const started = wakeup;
      places.take(started, 1);
      const run = runOne(started).finally(() => {
        places.free(started, 1);
        known.delete(started.export_id);
        running.delete(run);
        startNext();
      });
      running.add(run);
    }
  }

  function next(): ExportWakeup | undefined {
    return stopping.signal.aborted ? undefined : places.next();
  }

  async function runOne({ company_id: companyId, export_id: exportId }: ExportWakeup): Promise<void> {
    const tenant = db.tenant(companyId);
    try {
      const row = await claimExport(tenant, exportId, settings.leaseS);
      if (!row) return;
      const about = { name: 'export', origin: row.origin as Origin | null, attributes: { 'export.id': exportId } };
      await resume(tracer, about, () => make(tenant, row));
    } catch (error) {
      log.warn({ err: error, export_id: exportId, company_id: companyId }, 'export can not be taken');
    }
  }

  async function make(tenant: Tenant, row: ExportRow): Promise<void> {
    const about = { export_id: row.id, company_id: tenant.company_id };
    try {
      refuseDeadly(row);
      const { makeExport } = await import('./make-export.ts'); // with all that exports have in them, by the first one
      const { row_count: rowCount, size } = await makeExport(tenant, files, row, settings.leaseS, stopping.signal);
      log.info({ ...about, row_count: rowCount, size }, 'export made');
    } catch (error) {
      // What can't be recorded now is overdue when its lease has ended.
      const outcome = await outcomeOf(tenant, row, error).catch(() => 'not recorded');
      log.warn({ ...about, err: error, outcome }, 'export not made');
    }
  }

  async function outcomeOf(tenant: Tenant, row: ExportRow, error: unknown): Promise<string> {
    if (!stopping.signal.aborted) return afterFailure(tenant, row, error, settings.pauseS);
    await giveBack(tenant, row);
    return 'given back';
  }

  return {
    wake(wakeup) {
      if (stopping.signal.aborted || known.has(wakeup.export_id)) return;
      known.add(wakeup.export_id);
      places.wait(wakeup);
      startNext();
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
