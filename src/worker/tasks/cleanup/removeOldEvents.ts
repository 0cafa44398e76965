/**
 * Hourly: deletes events, deliveries, and attempts older than 30 days, and leftovers of ended subscriptions. Each statement
 * deletes a limited number of unlocked rows in its own transaction, so that neither writers nor other workers wait. It keeps
 * events not yet dispatched, and open deliveries with their events.
 */
import type { Task } from 'graphile-worker';
import { type DeleteResult, type Expression, sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import { inParts, rowsPerRemoval } from '../../../platform/db/remove-older.ts';
import { prepared } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { inEachCompany } from '../each-company.ts';

const retentionDays = 30;
const open = ['pending', 'delivering'];
interface RemovedEvents {
  events: number;
  deliveries: number;
  /** Deliveries of ended subscriptions, of any age. */
  orphans: number;
}

export function removeOldEvents(db: Database, log: Logger): Task {
  return async () => {
    const removed: RemovedEvents = { events: 0, deliveries: 0, orphans: 0 };
    await inEachCompany(db, async (tenant) => {
      const { events, deliveries, orphans } = await removeOldEventsOf(tenant);
      removed.events += events;
      removed.deliveries += deliveries;
      removed.orphans += orphans;
      return events;
    });
    log.info({ removed }, 'old events removed');
  };
}

export async function removeOldEventsOf(
  tenant: Tenant,
  limit = rowsPerRemoval,
  days = retentionDays,
): Promise<RemovedEvents> {
  const tooOld = sql<string>`now() - make_interval(days => ${days}::int)`;
  const { ended, has_deliveries: hasDeliveries, has_events: hasEvents } = await findOld(tenant, days);
  let orphans = 0;
  for (const webhookId of ended) orphans += await inParts(() => removeOrphans(tenant, webhookId, limit), limit);
  // Deliveries first: every delivery must have its event.
  const deliveries = hasDeliveries ? await inParts(() => removeDeliveries(tenant, tooOld, limit), limit) : 0;
  const events = hasEvents ? await inParts(() => removeEvents(tenant, tooOld, limit), limit) : 0;
  return { events, deliveries, orphans };
}

interface Old {
  ended: string[];
  has_deliveries: boolean;
  has_events: boolean;
}

/**
 * First, because most companies have nothing old. A company has few subscriptions and many deliveries, so it skips through the
 * index.
 */
async function findOld(tenant: Tenant, days: number): Promise<Old> {
  const { company_id: companyId } = tenant;
  const { rows } = await prepared(sql<Old>`
    with recursive delivered_to (id) as (
      (select webhook_id from deliveries where company_id = ${companyId} order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from deliveries d
        where d.company_id = ${companyId} and d.webhook_id > delivered_to.id order by d.webhook_id limit 1
      ) from delivered_to where delivered_to.id is not null
    )
    select
      array(
        select id from delivered_to
        where id is not null
          and not exists (select 1 from webhooks w where w.company_id = ${companyId} and w.id = delivered_to.id)
      ) as ended,
      exists (
        select 1 from deliveries
        where company_id = ${companyId} and created_at < now() - make_interval(days => ${days}::int)
      ) as has_deliveries,
      exists (
        select 1 from events
        where company_id = ${companyId} and created_at < now() - make_interval(days => ${days}::int)
      ) as has_events`).execute(tenant.raw);
  return rows[0]!;
}

/** An attempt in progress ends before its delivery is deleted. */
function removeOrphans(tenant: Tenant, webhookId: string, limit: number) {
  const some = tenant
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where((eb) =>
      eb.or([eb('status', '<>', 'delivering'), eb('due_at', '<', sql<string>`now() - interval '10 minutes'`)]),
    )
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return countOf(tenant.deleteFrom('deliveries').where('id', '=', anyOf(some)));
}

function removeDeliveries(tenant: Tenant, tooOld: Expression<string>, limit: number) {
  const some = tenant
    .selectFrom('deliveries')
    .select('id')
    .where('created_at', '<', tooOld)
    .where('status', 'not in', open)
    .orderBy('created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return countOf(tenant.deleteFrom('deliveries').where('id', '=', anyOf(some)));
}

function removeEvents(tenant: Tenant, tooOld: Expression<string>, limit: number) {
  const some = tenant
    .selectFrom('events as e')
    .select('e.id')
    .where('e.created_at', '<', tooOld)
    .where('e.sequence', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as d')
            .select('d.id')
            .whereRef('d.company_id', '=', 'e.company_id')
            .whereRef('d.event_id', '=', 'e.id'),
        ),
      ),
    )
    .orderBy('e.created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return countOf(tenant.deleteFrom('events').where('id', '=', anyOf(some)));
}

async function countOf(removing: { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Promise<number> {
  return Number((await removing.executeTakeFirstOrThrow()).numDeletedRows);
}

/** An array forces lookups by key; no plan then scans the whole table. */
function anyOf(some: Expression<{ id: string }>) {
  return sql<string>`any(array(${some}))`;
}
