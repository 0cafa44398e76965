/**
 * Exact counts of collaborators, as cheap for 200,000 as for 20: every transaction adds its difference to `collaborator_counts`.
 * Each connection uses one of several slots, to reduce lock contention.
 */
import { sql } from 'kysely';
import { pointRead, prepared, preparedWrite } from '../../../platform/db/statement.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { finishFieldTracking, startFieldTracking, trackValues } from '../../custom-fields/in-transaction.ts';

const slots = 16;

interface Difference {
  active: number;
  inactive: number;
  pending: number;
}

interface CompanyCounts extends Difference {
  total: number;
}

type Countable = Pick<CollaboratorRow, 'id' | 'status' | 'deleted_at' | 'custom_fields'>;

/** Required by functions that add or change collaborators. Only `counted` creates it. */
export interface CountedTransaction extends TenantTransaction {
  readonly [isCounted]: true;
}

declare const isCounted: unique symbol;

const differences = new WeakMap<TenantTransaction, Difference>();

/** Writes the difference once and last: that keeps the row lock short, and no holder of it waits for another lock. */
export async function counted<T>(tenant: Tenant, work: (tx: CountedTransaction) => Promise<T>): Promise<T> {
  return tenant.transaction(async (tx) => {
    if (differences.has(tx)) throw new Error('a part of a counted transaction is counted already');
    const difference: Difference = { active: 0, inactive: 0, pending: 0 };
    differences.set(tx, difference);
    startFieldTracking(tx);
    try {
      const result = await work(tx as CountedTransaction);
      await finishFieldTracking(tx);
      const { active, inactive, pending } = difference;
      if (active || inactive || pending) addToCounts(tx, active, inactive, pending);
      return result;
    } finally {
      differences.delete(tx);
    }
  });
}

/** Must be called for every row that a transaction writes. */
export function countChange(tx: CountedTransaction, before: Countable | undefined, after: Countable): void {
  const difference = differences.get(tx)!;
  if (before && !before.deleted_at) difference[before.status as 'active'] -= 1;
  if (!after.deleted_at) difference[after.status as 'active'] += 1;
  trackValues(tx, before, after);
}

const addToCounts = preparedWrite(
  ({ company_id: companyId }, active: number, inactive: number, pending: number) => sql`
    insert into collaborator_counts (company_id, slot, active, inactive, pending)
    values (${companyId}, pg_backend_pid() % ${sql.lit(slots)}, ${active}, ${inactive}, ${pending})
    on conflict (company_id, slot) do update set
      active = collaborator_counts.active + excluded.active,
      inactive = collaborator_counts.inactive + excluded.inactive,
      pending = collaborator_counts.pending + excluded.pending`,
);

export async function companyCounts(tenant: Tenant): Promise<CompanyCounts> {
  const [row] = await readCounts(tenant);
  return { ...row!, total: row!.active + row!.inactive + row!.pending };
}

const readCounts = pointRead((tenant: Tenant) =>
  tenant
    .selectFrom('collaborator_counts')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('active'), sql<number>`0`).as('active'),
      eb.fn.coalesce(eb.fn.sum<number>('inactive'), sql<number>`0`).as('inactive'),
      eb.fn.coalesce(eb.fn.sum<number>('pending'), sql<number>`0`).as('pending'),
    ]),
);

/** Nearly everybody is an employee: subtracts the others, which an index covers. One statement, for one snapshot. */
export async function countEmployees(tenant: Tenant): Promise<number> {
  const others = tenant
    .selectFrom('collaborators')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('role', '<>', sql.lit('employee'))
    .where('deleted_at', 'is', null);
  const counting = tenant
    .selectFrom('collaborator_counts')
    .select(sql<number>`(coalesce(sum(active + inactive + pending), 0) - (${others}))::int`.as('total'));
  const { rows } = await prepared(counting).execute(tenant.raw);
  return rows[0]!.total;
}
