/** Wakes the exporter. The job itself ends immediately, however large the export is. */
import type { Task } from 'graphile-worker';
import { validate } from 'uuid';
import type { Exporter } from '../../product/exports/exporter.ts';
import type { ExportWakeup } from '../../product/exports/wake-exports.ts';

export function runExport(exporter: Exporter): Task {
  return (payload) => {
    const { company_id: companyId, export_id: exportId } = payload as Partial<ExportWakeup>;
    if (!validate(companyId) || !validate(exportId)) throw new Error('not a wake-up for an export');
    exporter.wake({ company_id: companyId!, export_id: exportId! });
  };
}
