/**
 * How many collaborators a company has: exact, and as cheap for 200,000 as for 20. Every transaction that writes
 * collaborators adds its difference to `collaborator_counts`, so the number can't drift. A connection adds to one slot of
 * several, so that writers seldom wait for each other.
 */
import { sql } from 'kysely';
import { pointRead, prepared, preparedWrite } from '../../../platform/db/statement.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { beginFields, endFields, noteValues } from '../../custom-fields/in-transaction.ts';

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

/** What functions take that add or change collaborators. Only `counted` makes these. */
export interface CountedTransaction extends TenantTransaction {
  readonly [isCounted]: true;
}

declare const isCounted: unique symbol;

/** What transactions that are under way have changed so far. */
const differences = new WeakMap<TenantTransaction, Difference>();

/**
 * A transaction that adds or changes collaborators, or a part of one. What it changes is added to the counts once, behind all
 * else that it writes: others want that row as well. So it is locked as shortly as can be, and nobody who holds it waits for
 * another lock.
 */
export async function counted<T>(tenant: Tenant, work: (tx: CountedTransaction) => Promise<T>): Promise<T> {
  return tenant.transaction(async (tx) => {
    if (differences.has(tx)) throw new Error('a part of a counted transaction is counted already');
    const difference: Difference = { active: 0, inactive: 0, pending: 0 };
    differences.set(tx, difference);
    beginFields(tx);
    try {
      const result = await work(tx as CountedTransaction);
      await endFields(tx);
      const { active, inactive, pending } = difference;
      if (active || inactive || pending) addToCounts(tx, active, inactive, pending);
      return result;
    } finally {
      differences.delete(tx);
    }
  });
}

/** To be called for every row that a transaction writes. */
export function countChange(tx: CountedTransaction, before: Countable | undefined, after: Countable): void {
  const difference = differences.get(tx)!;
  if (before && !before.deleted_at) difference[before.status as 'active'] -= 1;
  if (!after.deleted_at) difference[after.status as 'active'] += 1;
  noteValues(tx, before, after);
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

/** Nearly everybody is one: all but the others, who stand in an index. In one statement, so that both are of one moment. */
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
