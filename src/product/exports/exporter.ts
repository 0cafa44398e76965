/**
 * Generates the exports that are too large for a request, few at a time, because each uses a connection and much CPU. Companies
 * take turns. Jobs only wake it, because a large export may take longer than a job may.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { FairSemaphore } from '../../platform/fairness/fair-semaphore.ts';
import { isKnownOutage } from '../../platform/files/store/store-error.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import { claimExport } from './export-lease.ts';
import { afterFailure, rejectCrashing, releaseJob } from './failed-attempt.ts';
import type { ExportRow } from './find-export.ts';
import type { ExportFiles } from './make-export.ts';
import type { ExportWakeup } from './wake-exports.ts';

/** A company can use two, which leaves one for another. */
const atOnce = 3;

export interface ExportSettings {
  /** How long a process may go without a heartbeat until another restarts its export. */
  leaseS: number;
  /** Pause after a failure, multiplied by the number of failures. */
  pauseS: number;
}

interface ExporterOptions {
  db: Database;
  files: ExportFiles;
  settings: ExportSettings;
  tracer: Tracer | undefined;
  log: Logger;
}

export interface Exporter {
  wake(wakeup: ExportWakeup): void;
  /** Starts nothing new, and returns running exports to the queue. */
  stop(): Promise<void>;
}

export function createExporter({ db, files, settings, tracer, log }: ExporterOptions): Exporter {
  const stopping = new AbortController();
  const slots = new FairSemaphore<ExportWakeup>(atOnce);
  const known = new Set<string>(); // waiting or running
  const running = new Set<Promise<void>>();

  function startNext(): void {
    for (let wakeup = next(); wakeup; wakeup = next()) {
      const started = wakeup;
      slots.acquire(started, 1);
      const run = runOne(started).finally(() => {
        slots.free(started, 1);
        known.delete(started.export_id);
        running.delete(run);
        startNext();
      });
      running.add(run);
    }
  }

  function next(): ExportWakeup | undefined {
    return stopping.signal.aborted ? undefined : slots.next();
  }

  async function runOne({ company_id: companyId, export_id: exportId }: ExportWakeup): Promise<void> {
    const tenant = db.tenant(companyId);
    try {
      const row = await claimExport(tenant, exportId, settings.leaseS);
      if (!row) return;
      const about = { name: 'export', origin: row.origin as Origin | null, attributes: { 'export.id': exportId } };
      await resume(tracer, about, () => make(tenant, row));
    } catch (error) {
      log.warn({ err: error, export_id: exportId, company_id: companyId }, "export can't be claimed");
    }
  }

  async function make(tenant: Tenant, row: ExportRow): Promise<void> {
    const about = { export_id: row.id, company_id: tenant.company_id };
    try {
      rejectCrashing(row);
      const { makeExport } = await import('./make-export.ts'); // the generator and its dependencies load with the first export
      const { row_count: rowCount, size } = await makeExport(tenant, files, row, settings.leaseS, stopping.signal);
      log.info({ ...about, row_count: rowCount, size }, 'export made');
    } catch (error) {
      // If this can't be recorded, the export becomes overdue when its lease expires.
      const outcome = await outcomeOf(tenant, row, error).catch(() => 'not recorded');
      if (!isKnownOutage(error)) log.warn({ ...about, err: error, outcome }, 'export failed');
    }
  }

  async function outcomeOf(tenant: Tenant, row: ExportRow, error: unknown): Promise<string> {
    if (!stopping.signal.aborted) return afterFailure(tenant, row, error, settings.pauseS);
    await releaseJob(tenant, row);
    return 'given back';
  }

  return {
    wake(wakeup) {
      if (stopping.signal.aborted || known.has(wakeup.export_id)) return;
      known.add(wakeup.export_id);
      slots.wait(wakeup);
      startNext();
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
