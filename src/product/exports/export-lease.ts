/**
 * A process that makes an export holds a lease and renews it while it works. When the process dies, another takes over;
 * each claim is counted in `attempts`, so that late writes of the former holder are refused.
 */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { type ExportRow, exportColumns } from './find-export.ts';

/** How often a lease is renewed before it would end; more often when that is seldom, because progress is told with it. */
const renewals = 6;
const longestBetweenMs = 2_000;
/** However long somebody writes: a store that takes nothing more holds up others. */
const longestMs = 30 * 60_000;

export function leaseEnd(leaseS: number) {
  return sql<string>`now() + make_interval(secs => ${leaseS}::int)`;
}

export interface Progress {
  rows_total: number | null;
  rows_done: number;
}

export interface Lease {
  /** Aborts when the export was taken over or removed, or when it takes too long. */
  signal: AbortSignal;
  /** @throws when it may have been taken over: nothing came of the last renewals */
  check(): void;
  release(): void;
}

/**
 * Takes an export that nobody holds.
 * @param leaseS how long it stays ours without a renewal
 * @returns undefined when there is none to take: somebody was faster, or it has ended
 */
export async function claimExport(tenant: Tenant, id: string, leaseS: number): Promise<ExportRow | undefined> {
  return tenant
    .updateTable('exports')
    .set({
      status: 'processing',
      attempts: sql`attempts + 1`,
      // Still with a process whose lease has ended: that process died.
      deaths: sql`deaths + (status = 'processing')::int`,
      due_at: leaseEnd(leaseS),
      rows_done: 0,
    })
    .where('id', '=', id)
    .where('due_at', '<=', sql<string>`now()`)
    .returning(exportColumns)
    .executeTakeFirst();
}

/**
 * Renews the lease of a claimed export until it is released, and writes down how far it is.
 * @param progress is read whenever the lease is renewed
 */
export function holdExport(tenant: Tenant, row: ExportRow, progress: Progress, leaseS: number): Lease {
  const lost = new AbortController();
  let endsMs = performance.now() + leaseS * 1_000;
  const renew = async () => {
    const beganMs = performance.now();
    const { numUpdatedRows } = await underLease(tenant, row)
      .set({ ...progress, due_at: leaseEnd(leaseS) })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) lost.abort(lostExport());
    else endsMs = beganMs + leaseS * 1_000;
  };
  let renewing = false;
  const everyMs = Math.min(longestBetweenMs, (leaseS * 1_000) / renewals);
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    // A database that is away for a moment: the lease goes on until its end.
    renew()
      .catch(() => {})
      .finally(() => {
        renewing = false;
      });
  }, everyMs);
  return {
    signal: AbortSignal.any([lost.signal, AbortSignal.timeout(longestMs)]),
    check() {
      lost.signal.throwIfAborted();
      if (performance.now() > endsMs) throw lostExport();
    },
    release: () => clearInterval(timer),
  };
}

/** Changes an export for as long as this claim of it is the last one. */
export function underLease(tenant: Tenant, { id, attempts }: ExportRow) {
  return tenant
    .updateTable('exports')
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where('attempts', '=', attempts);
}

export function lostExport(): Error {
  return new Error('The export was taken over or removed.');
}
