/** Assigns imports to workers by a lease: one worker per import, and one import at a time per company. */
import { sql } from 'kysely';
import { lockNamed } from '../../../platform/db/named-lock.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { type ImportRow, importRowColumns, lockImport } from './find-import.ts';

/** Renewals per lease duration. */
export const renewals = 6;
/** Maximum backoff in seconds; it starts at two. */
const maxPauseS = 60;
/** While the file storage is unavailable. */
const outagePauseS = 5;
/** After this many failed attempts, later imports no longer wait for it. */
export const blockingAttempts = 3;

export function leaseEnd(leaseS: number) {
  return sql<string>`now() + make_interval(secs => ${leaseS}::int)`;
}

/** Another worker has taken over, or the import was canceled: work in progress is void. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/**
 * Claims the company's oldest open import, and counts the previous worker's crash.
 * @returns undefined if there is none, or one is running
 */
export async function claimImport(tenant: Tenant, leaseS: number): Promise<ImportRow | undefined> {
  return tenant.transaction(async (tx) => {
    await lockNamed(tx, 'imports');
    const blockingImport = await tx
      .selectFrom('imports')
      .select('id')
      .where('due_at', '>', sql<string>`now()`)
      .where((eb) => eb.or([eb('is_held', '=', true), eb('attempts', '<', blockingAttempts)]))
      .limit(1)
      .executeTakeFirst();
    if (blockingImport) return undefined;
    const oldest = tx
      .selectFrom('imports')
      .select('id')
      .where('due_at', '<=', sql<string>`now()`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1);
    return tx
      .updateTable('imports')
      .set({
        // A queued import with `committed_at` is a committed dry run, which was validated before.
        status: sql<string>`case when status <> 'queued' then status when committed_at is null then 'validating' else 'processing' end`,
        attempts: sql<number>`attempts + 1`,
        // It was never released: its worker died, or was cut off from the database until the lease expired.
        deaths: sql<number>`deaths + is_held::int`,
        deaths_total: sql<number>`deaths_total + is_held::int`,
        is_held: true,
        due_at: leaseEnd(leaseS),
      })
      .where('id', '=', oldest)
      .where('due_at', 'is not', null) // it may have ended meanwhile
      .returning(importRowColumns)
      .executeTakeFirst();
  });
}

interface Lease {
  /** Aborted when the lease is lost, for example by a cancellation. */
  signal: AbortSignal;
  end(): void;
}

/** Renews the lease until ended. Only held imports are renewed, so a renewal after the release has no effect. */
export function acquireLease(tenant: Tenant, id: string, leaseS: number): Lease {
  const leaseLost = new AbortController();
  const renew = async () => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set({ due_at: leaseEnd(leaseS) })
      .where('id', '=', id)
      .where('is_held', '=', true)
      .where('due_at', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) leaseLost.abort(new Superseded());
  };
  // Errors are ignored: without the database, writes fail too and report it.
  const timer = setInterval(() => void renew().catch(() => {}), (leaseS * 1_000) / renewals);
  return { signal: leaseLost.signal, end: () => clearInterval(timer) };
}

/** Releases an import for immediate continuation. */
export async function releaseImport(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('imports')
    .set({ due_at: sql<string>`now()`, attempts: 0, is_held: false })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

/** Schedules a retry with backoff. @param countsAttempt whether it counts as an attempt; not while the file storage is unavailable */
export async function scheduleRetry(
  tenant: Tenant,
  { id, attempts }: ImportRow,
  countsAttempt: boolean,
): Promise<void> {
  const pauseS = countsAttempt ? Math.min(2 ** attempts, maxPauseS) : outagePauseS;
  const dueAt = sql<string>`now() + make_interval(secs => ${pauseS}::int)`;
  await tenant
    .updateTable('imports')
    .set({ due_at: dueAt, is_held: false, ...(!countsAttempt && { attempts: attempts - 1 }) })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

/** @throws Superseded unless it is where this worker left it */
export async function lockClaimed(tx: TenantTransaction, { id, position }: ImportRow, status: string): Promise<void> {
  const current = await lockImport(tx, id);
  if (current.status !== status || current.position !== position) throw new Superseded();
}
