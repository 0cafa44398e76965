/**
 * Which worker runs an import: one at a time, and for a company one import at a time. A worker holds a lease and renews
 * it; when the worker dies the lease ends, and another one takes over.
 */
import { sql } from 'kysely';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { type ImportRow, importRowColumns, lockImport } from './find-import.ts';

/** How often a lease is renewed before it would end. */
export const renewals = 6;
/** The longest pause after a fault, in seconds; the first is two. */
const longestPauseS = 60;
/** While the store of files is away. */
const outagePauseS = 5;
/** After so many attempts in vain the imports behind it do not wait for it any longer. */
export const patientAttempts = 3;

export function leaseEnd(leaseS: number) {
  return sql<string>`now() + make_interval(secs => ${leaseS}::int)`;
}

/** Another worker has taken over, or someone has cancelled it: what is under way counts no more. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/**
 * Takes the oldest import of the company that has not ended, and counts it when the worker before has died.
 * @param leaseS how long it stays ours without a renewal
 * @returns undefined when there is none, or one is being carried out
 */
export async function claimImport(tenant: Tenant, leaseS: number): Promise<ImportRow | undefined> {
  return tenant.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${tx.company_id}`}, 0))`.execute(tx.raw);
    const held = await tx
      .selectFrom('imports')
      .select('id')
      .where('due_at', '>', sql<string>`now()`)
      .where((eb) => eb.or([eb('is_held', '=', true), eb('attempts', '<', patientAttempts)]))
      .limit(1)
      .executeTakeFirst();
    if (held) return undefined;
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
        // What was checked already is a dry run that was committed.
        status: sql<string>`case when status <> 'queued' then status when committed_at is null then 'validating' else 'processing' end`,
        attempts: sql<number>`attempts + 1`,
        // Nobody has let go of it: whoever had it died, or heard nothing of the database until its lease ended.
        deaths: sql<number>`deaths + is_held::int`,
        deaths_total: sql<number>`deaths_total + is_held::int`,
        is_held: true,
        due_at: leaseEnd(leaseS),
      })
      .where('id', '=', oldest)
      .where('due_at', 'is not', null) // it may have ended since it was found
      .returning(importRowColumns)
      .executeTakeFirst();
  });
}

interface Lease {
  /** Aborted when it is lost, by a cancellation for example. */
  signal: AbortSignal;
  end(): void;
}

/**
 * Renews the lease until it is ended. A renewal that comes after the import was let go of holds it no more: it is looked for
 * among those that are held.
 */
export function holdLease(tenant: Tenant, id: string, leaseS: number): Lease {
  const lost = new AbortController();
  const renew = async () => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set({ due_at: leaseEnd(leaseS) })
      .where('id', '=', id)
      .where('is_held', '=', true)
      .where('due_at', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) lost.abort(new Superseded());
  };
  // Without the database nothing can be written either: that is found where it is tried.
  const timer = setInterval(() => void renew().catch(() => {}), (leaseS * 1_000) / renewals);
  return { signal: lost.signal, end: () => clearInterval(timer) };
}

/** Lets go of an import that is to be carried on with at once. */
export async function releaseImport(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('imports')
    .set({ due_at: sql<string>`now()`, attempts: 0, is_held: false })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

/**
 * After a fault: others try again, after a pause that grows.
 * @param counts whether it was an attempt: with the store of files away, none is
 */
export async function setBackImport(tenant: Tenant, { id, attempts }: ImportRow, counts: boolean): Promise<void> {
  const pauseS = counts ? Math.min(2 ** attempts, longestPauseS) : outagePauseS;
  const dueAt = sql<string>`now() + make_interval(secs => ${pauseS}::int)`;
  await tenant
    .updateTable('imports')
    .set({ due_at: dueAt, is_held: false, ...(!counts && { attempts: attempts - 1 }) })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

/** @throws Superseded unless it is where this worker left it */
export async function lockOurs(tx: TenantTransaction, { id, position }: ImportRow, status: string): Promise<void> {
  const current = await lockImport(tx, id);
  if (current.status !== status || current.position !== position) throw new Superseded();
}
