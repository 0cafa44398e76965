/**
 * Once an hour: deletes events, deliveries and their attempts that are older than 30 days, and what is left of ended
 * subscriptions.
 *
 * Each statement deletes a limited number of rows that nobody else holds, in a transaction of its own, so that neither
 * writers nor other workers wait. What is still on its way stays: an event that no one has dispatched yet, a delivery
 * that is open, and the event of a delivery that stays.
 */
import type { Task } from 'graphile-worker';
import { type Expression, sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { prepared } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { inEachCompany } from './each-company.ts';

const kept_days = 30;
const rows_a_statement = 5_000;
const open = ['pending', 'delivering'];
/** How many rows were deleted. */
interface RemovedEvents {
  events: number;
  /** With their attempts. */
  deliveries: number;
  /** Deliveries of subscriptions that are gone, whatever their age. */
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

/**
 * @param limit rows that one statement deletes at most
 * @param days how long events are kept
 */
export async function removeOldEventsOf(
  tenant: Tenant,
  limit = rows_a_statement,
  days = kept_days,
): Promise<RemovedEvents> {
  const too_old = sql<string>`now() - make_interval(days => ${days}::int)`;
  const { ended, has_deliveries, has_events } = await lookForOld(tenant, days);
  let orphans = 0;
  for (const webhook_id of ended) orphans += await inParts(limit, () => removeOrphans(tenant, webhook_id, limit));
  // Deliveries before events: a delivery always has its event.
  const deliveries = has_deliveries ? await inParts(limit, () => removeDeliveries(tenant, too_old, limit)) : 0;
  const events = has_events ? await inParts(limit, () => removeEvents(tenant, too_old, limit)) : 0;
  return { events, deliveries, orphans };
}

async function inParts(limit: number, remove: () => Promise<{ numDeletedRows: bigint }>): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = Number((await remove()).numDeletedRows);
    total += deleted;
    if (deleted < limit) return total;
  }
}

interface Old {
  /** Subscriptions that have deliveries, but are gone. */
  ended: string[];
  has_deliveries: boolean;
  has_events: boolean;
}

/**
 * Asked first, in one statement that is planned once: most companies have nothing old most of the time. A company has few
 * subscriptions and many deliveries, so the index is read from one subscription to the next.
 */
async function lookForOld(tenant: Tenant, days: number): Promise<Old> {
  const { company_id } = tenant;
  const { rows } = await prepared(sql<Old>`
    with recursive delivered_to (id) as (
      (select webhook_id from deliveries where company_id = ${company_id} order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from deliveries d
        where d.company_id = ${company_id} and d.webhook_id > delivered_to.id order by d.webhook_id limit 1
      ) from delivered_to where delivered_to.id is not null
    )
    select
      array(
        select id from delivered_to
        where id is not null
          and not exists (select 1 from webhooks w where w.company_id = ${company_id} and w.id = delivered_to.id)
      ) as ended,
      exists (
        select 1 from deliveries
        where company_id = ${company_id} and created_at < now() - make_interval(days => ${days}::int)
      ) as has_deliveries,
      exists (
        select 1 from events
        where company_id = ${company_id} and created_at < now() - make_interval(days => ${days}::int)
      ) as has_events`).execute(tenant.raw);
  return rows[0]!;
}

/** An attempt that is under way is finished before its delivery goes. */
function removeOrphans(tenant: Tenant, webhook_id: string, limit: number) {
  const some = tenant
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhook_id)
    .where((eb) => eb.or([eb('status', '<>', 'delivering'), eb('due_at', '<', sql<string>`now()`)]))
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return tenant.deleteFrom('deliveries').where('id', '=', anyOf(some)).executeTakeFirstOrThrow();
}

function removeDeliveries(tenant: Tenant, too_old: Expression<string>, limit: number) {
  const some = tenant
    .selectFrom('deliveries')
    .select('id')
    .where('created_at', '<', too_old)
    .where('status', 'not in', open)
    .orderBy('created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return tenant.deleteFrom('deliveries').where('id', '=', anyOf(some)).executeTakeFirstOrThrow();
}

function removeEvents(tenant: Tenant, too_old: Expression<string>, limit: number) {
  const some = tenant
    .selectFrom('events as e')
    .select('e.id')
    .where('e.created_at', '<', too_old)
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
  return tenant.deleteFrom('events').where('id', '=', anyOf(some)).executeTakeFirstOrThrow();
}

/** As an array, so that the rows are looked up by their key, and no plan reads a whole table for them. */
function anyOf(some: Expression<{ id: string }>) {
  return sql<string>`any(array(${some}))`;
}
