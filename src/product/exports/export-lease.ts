/**
 * The lease of a process that generates an export. If the process dies, another takes over; `attempts` counts the claims, so that
 * late writes of a former holder are rejected.
 */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { type ExportRow, exportColumns } from './find-export.ts';

/** Renewals per lease duration; more frequent for long leases, because they also report progress. */
const renewals = 6;
const maxRenewalMs = 2_000;
/** Maximum duration, because a hanging storage would hold up others. */
const maxMs = 30 * 60_000;

export function leaseEnd(leaseS: number) {
  return sql<string>`now() + make_interval(secs => ${leaseS}::int)`;
}

export interface Progress {
  rows_total: number | null;
  rows_done: number;
}

export interface Lease {
  /** Aborted when the export is taken over or removed, or exceeds the time limit. */
  signal: AbortSignal;
  /** @throws if recent renewals failed, and another process may have taken over */
  check(): void;
  release(): void;
}

/** @returns undefined if it was claimed concurrently, or has ended */
export async function claimExport(tenant: Tenant, id: string, leaseS: number): Promise<ExportRow | undefined> {
  return tenant
    .updateTable('exports')
    .set({
      status: 'processing',
      attempts: sql`attempts + 1`,
      // Its process let the lease expire: it died.
      deaths: sql`deaths + (status = 'processing')::int`,
      due_at: leaseEnd(leaseS),
      rows_done: 0,
    })
    .where('id', '=', id)
    .where('due_at', '<=', sql<string>`now()`)
    .returning(exportColumns)
    .executeTakeFirst();
}

/** Renews the lease until released, and stores the progress. */
export function leaseExport(tenant: Tenant, row: ExportRow, progress: Progress, leaseS: number): Lease {
  const leaseLost = new AbortController();
  let endsMs = performance.now() + leaseS * 1_000;
  const renew = async () => {
    const startedMs = performance.now();
    const { numUpdatedRows } = await underLease(tenant, row)
      .set({ ...progress, due_at: leaseEnd(leaseS) })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) leaseLost.abort(lostExportError());
    else endsMs = startedMs + leaseS * 1_000;
  };
  let renewing = false;
  const everyMs = Math.min(maxRenewalMs, (leaseS * 1_000) / renewals);
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    // Ignores short database outages: the lease lasts until its end.
    renew()
      .catch(() => {})
      .finally(() => {
        renewing = false;
      });
  }, everyMs);
  return {
    signal: AbortSignal.any([leaseLost.signal, AbortSignal.timeout(maxMs)]),
    check() {
      leaseLost.signal.throwIfAborted();
      if (performance.now() > endsMs) throw lostExportError();
    },
    release: () => clearInterval(timer),
  };
}

/** Updates an export only while this claim is the latest. */
export function underLease(tenant: Tenant, { id, attempts }: ExportRow) {
  return tenant
    .updateTable('exports')
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where('attempts', '=', attempts);
}

export function lostExportError(): Error {
  return new Error('The export was taken over or removed.');
}
