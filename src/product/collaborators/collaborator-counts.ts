/**
 * How many collaborators a company has: exact, and as cheap for 200,000 as for 20. Every transaction that writes a
 * collaborator adds its difference to `collaborator_counts` in the same transaction, so the number can't drift. Each
 * picks one slot of the company, so that writers seldom wait for each other.
 *
 * `changes` grows with every write. While it stands still nothing in the company has changed, and a number that was
 * counted then (of a search, of a team) is still exact.
 */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { pointRead } from '../../platform/db/statement.ts';
import type { EndTask, Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../access/records.ts';

const slots = 16;
const max_remembered = 10_000;

interface Difference {
  active: number;
  inactive: number;
  pending: number;
  changes: number;
}

interface CompanyCounts extends Difference {
  total: number;
}

type Countable = Pick<CollaboratorRow, 'status' | 'deleted_at'>;

/** To be called for every row that a transaction writes. */
export function countChange(tx: TenantTransaction, before: Countable | undefined, after: Countable): void {
  const difference: Difference = { active: 0, inactive: 0, pending: 0, changes: 1 };
  if (before && !before.deleted_at) difference[before.status as 'active'] -= 1;
  if (!after.deleted_at) difference[after.status as 'active'] += 1;
  tx.atEnd(writeCounts, difference);
}

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
      sql<number>`coalesce(sum(changes), 0)::bigint`.as('changes'),
    ]),
);

/**
 * Counts once for each state of the company.
 * @param what names the number: who counts, and by which filters
 * @param changes of the company, read before counting
 */
export async function countedOnce(
  tenant: Tenant,
  what: unknown,
  changes: number,
  count: () => Promise<number>,
): Promise<number> {
  const key = JSON.stringify([tenant.company_id, what]);
  const known = remembered.get(key);
  if (known?.changes === changes) return known.total;
  const total = await count();
  if (remembered.size >= max_remembered) remembered.delete(remembered.keys().next().value!);
  remembered.delete(key); // to the end: the oldest goes first
  remembered.set(key, { changes, total });
  return total;
}

const remembered = new Map<string, { changes: number; total: number }>();

const writeCounts: EndTask<Difference> = {
  name: () => 'counts',
  merge: (a, b) => ({
    active: a.active + b.active,
    inactive: a.inactive + b.inactive,
    pending: a.pending + b.pending,
    changes: a.changes + b.changes,
  }),
  values: ({ active, inactive, pending, changes }) => [randomInt(slots), active, inactive, pending, changes],
  statement: ({ company_id }, values) => sql`
    insert into collaborator_counts (company_id, slot, active, inactive, pending, changes)
    values (${company_id}, ${sql.join(values)})
    on conflict (company_id, slot) do update set
      active = collaborator_counts.active + excluded.active,
      inactive = collaborator_counts.inactive + excluded.inactive,
      pending = collaborator_counts.pending + excluded.pending,
      changes = collaborator_counts.changes + excluded.changes`,
};
