/** Claims due deliveries for a turn. No other turn takes a claimed delivery while a worker runs its job. */
import { sql } from 'kysely';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import type { EventRow } from '../webhooks/deliveries/webhook-body.ts';
import { cancelWaiting } from '../webhooks/subscriptions/deactivate-webhook.ts';

export interface SubscriptionQueue {
  company_id: string;
  webhook_id: string;
}

export interface ClaimedDelivery {
  id: string;
  attempt_count: number;
  failures: number;
  /** Unrecorded attempts since the last recorded one: their processes may have crashed. */
  deaths: number;
  /** Whether the attempt certainly crashes the process, and must not be made. */
  is_deadly: boolean;
  retried: boolean;
  manual: boolean;
  payload_format: string;
  event: EventRow;
  url: string;
  headers_encrypted: Buffer | null;
  secrets_encrypted: Buffer;
  origin: Origin | null;
}

/** Crashes until an attempt is suspected. A literal, as in the index `deliveries_suspected`. */
const maxDeaths = sql.lit(2);

export interface Claimant {
  job_id: number;
  /** Unique per run, which proves the claim: a job whose process died runs again. */
  turn_id: string;
}

interface ClaimLimits extends Claimant {
  most: number;
  /** For the subscription across all processes. */
  maxUnderWay: number;
}

export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** How long the subscription's rate limit requires to wait; null if it doesn't. */
  rest_ms: number | null;
  has_more: boolean;
  /** Jobs of other turns with deliveries in progress. */
  others: number[];
  /** The next due time in the future. */
  next_at: string | null;
}

/** The limit per second is split into this many parts, so that attempts are spread out instead of sent as one burst. */
const partsOfSecond = 10;

/**
 * Claims due deliveries, oldest first: first attempts and retries. Claims nothing for an inactive subscription.
 *
 * After two crashes during an attempt, the attempt is the cause if it was the only one in progress. Otherwise it runs once more,
 * alone in its subscription, so that no delivery is given up for another's crash.
 *
 * Rows found are looked up again by id: for a plain join Postgres may read every delivery or event of the company per claim.
 *
 * With a rate limit, each attempt reserves its share of a second: `paced_until` is the end of the reservations. The row is
 * locked, so the limit holds across processes.
 */
export async function claimDue(
  tenant: Tenant,
  { webhook_id: webhookId }: SubscriptionQueue,
  { most: maxDeliveries, maxUnderWay, job_id: jobId, turn_id: turnId }: ClaimLimits,
): Promise<ClaimResult> {
  return claimedOf(await claim(tenant, webhookId, maxDeliveries, maxUnderWay, jobId, turnId));
}

const claim = preparedQuery<ClaimArguments, ClaimedRow>(
  ({ company_id: companyId }, webhookId, maxDeliveries, maxUnderWay, jobId, turnId) => sql<ClaimedRow>`
    with under_way as (
      select count(*)::int as attempts, coalesce(max(deaths), 0) >= ${maxDeaths} as is_suspected,
        coalesce(array_agg(distinct job_id) filter (where turn_id <> ${turnId}::uuid), '{}') as others
      from deliveries
      where company_id = ${companyId} and webhook_id = ${webhookId} and status = 'delivering'
    ),
    ${rateLimitOf(companyId, webhookId)},
    active as (select id from webhooks where company_id = ${companyId} and id = ${webhookId} and status = 'active'),
    suspect as (
      select id, event_id, is_alone from deliveries
      where company_id = ${companyId} and webhook_id = ${webhookId} and status = 'pending' and due_at <= now()
        and deaths >= ${maxDeaths} and exists (select from active)
      order by due_at, event_id
      limit 1
      for no key update skip locked
    ),
    room as (
      select case
        when is_suspected or exists (select from suspect) then 0
        else least(${maxDeliveries}::int, greatest(${maxUnderWay}::int - attempts, 0), (select attempts from paced))
      end as places
      from under_way
    ),
    usual as (
      select id, event_id, is_alone from deliveries
      where company_id = ${companyId} and webhook_id = ${webhookId} and status = 'pending' and due_at <= now()
        and deaths < ${maxDeaths} and exists (select from active)
      order by due_at, event_id
      limit (select places from room)
      for no key update skip locked
    ),
    due as (
      select id, event_id, is_alone from suspect
      where ${maxDeliveries}::int > 0 and (select attempts from under_way) = 0 and coalesce((select attempts from paced), 1) > 0
      union all
      select id, event_id, is_alone from usual
    ),
    overdue as (
      select count(*) as found from (
        select from deliveries
        where company_id = ${companyId} and webhook_id = ${webhookId} and status = 'pending' and due_at <= now()
          and exists (select from active)
        order by due_at, event_id
        limit (select count(*) + 1 from due)
      ) as first
    ),
    later as (
      select due_at from deliveries
      where company_id = ${companyId} and webhook_id = ${webhookId} and status = 'pending' and due_at > now()
        and exists (select from active)
      order by due_at
      limit 1
    ),
    claimed as (
      update deliveries
      set status = 'delivering', job_id = ${jobId}::bigint, turn_id = ${turnId}::uuid, due_at = now(),
        is_alone = (select attempts from under_way) + (select count(*) from due as claimed) = 1
      from due, events, webhooks
      where deliveries.company_id = ${companyId} and deliveries.id = due.id
        and deliveries.id = any(array(select found.id from due as found))
        and events.company_id = ${companyId} and events.id = due.event_id
        and events.id = any(array(select found.event_id from due as found))
        and webhooks.company_id = ${companyId} and webhooks.id = ${webhookId}
      returning deliveries.id, deliveries.attempt_count, deliveries.failures, deliveries.retried, deliveries.manual,
        deliveries.deaths, deliveries.deaths >= ${maxDeaths} and due.is_alone as is_deadly, deliveries.payload_format,
        webhooks.url, webhooks.headers_encrypted, webhooks.secrets_encrypted, events.origin,
        events.id as event_id, events.name as event_name, events.event_type as event_event_type,
        events.payload as event_payload, events.idempotency_key as event_idempotency_key,
        events.created_at as event_created_at
    ),
    taken as (
      select pace.taken_until + make_interval(secs => (select count(*) from due) / pace.max_per_second::float8) as until
      from pace
      where exists (select from due)
    ),
    counted as (
      update webhooks set paced_until = taken.until
      from taken
      where webhooks.company_id = ${companyId} and webhooks.id = ${webhookId}
    )
    select claimed.id, claimed.attempt_count, claimed.failures, claimed.retried, claimed.manual, claimed.deaths,
      claimed.is_deadly, claimed.payload_format, claimed.url, claimed.headers_encrypted,
      claimed.secrets_encrypted, claimed.origin, claimed.event_id, claimed.event_name, claimed.event_event_type,
      claimed.event_payload, claimed.event_idempotency_key, claimed.event_created_at,
      (select found from overdue) > (select count(*) from due) as has_more,
      (select others from under_way) as others, (select due_at from later) as next_at,
      paced.attempts as allowed,
      1000 * (extract(epoch from pace.taken_until - now())
        + ((select count(*) from due) - pace.at_once / 2) / pace.max_per_second::float8)::float8 as rest_ms
    from (select 1) as one left join claimed on true left join pace on true left join paced on true`,
);

type ClaimArguments = [webhookId: string, maxDeliveries: number, maxUnderWay: number, jobId: number, turnId: string];

/** The end of the reserved time, and how many attempts are allowed now: `pace` and `paced`, empty without a rate limit. */
function rateLimitOf(companyId: string, webhookId: string) {
  return sql`pace as (
      select max_per_second, greatest(paced_until, now()) as taken_until,
        greatest(1, max_per_second / ${partsOfSecond}) as at_once
      from webhooks
      where company_id = ${companyId} and id = ${webhookId} and max_per_second is not null
      for no key update
    ),
    paced as (
      select greatest(0, floor(at_once - ahead_s * max_per_second + 0.001))::int as attempts
      from (select at_once, max_per_second, extract(epoch from taken_until - now()) as ahead_s from pace) as ahead
    )`;
}

/** There is at least one row, with the rate limit. */
function claimedOf(rows: readonly ClaimedRow[]): ClaimResult {
  const found = rows.filter(({ id }) => id !== null);
  const deliveries = found.map((row) => ({
    ...row,
    event: {
      id: row.event_id,
      name: row.event_name,
      event_type: row.event_event_type,
      payload: row.event_payload,
      idempotency_key: row.event_idempotency_key,
      created_at: row.event_created_at,
    },
  }));
  const { allowed, rest_ms: restMs, has_more: hasMore, others, next_at: nextAt } = rows[0]!;
  const isResting = allowed !== null && deliveries.length >= allowed;
  const rest = { has_more: hasMore, others: others.map(Number), next_at: nextAt };
  return { deliveries, rest_ms: isResting ? Math.max(1, restMs!) : null, ...rest };
}

/**
 * Takes over deliveries in progress of dead jobs. Their receiver may get them twice.
 * @param deadJobs ids of dead jobs; earlier runs of the claimant's own job are dead as well
 * @returns how many; none if a turn that was still running when they were found has ended since
 */
export async function takeOver(
  tenant: Tenant,
  queue: SubscriptionQueue,
  { job_id: jobId, turn_id: turnId }: Claimant,
  deadJobs: readonly number[],
): Promise<number> {
  return makePending(tenant, queue, (claimed) =>
    claimed
      .set({ deaths: sql`deaths + 1` })
      .where('job_id', '=', sql<number>`any(${[jobId, ...deadJobs]}::bigint[])`)
      .where('turn_id', '<>', turnId),
  );
}

/** Releases what a turn has claimed and not sent, because it missed the response, or has sent and can't record. */
export async function releaseDeliveries(
  tenant: Tenant,
  queue: SubscriptionQueue,
  { turn_id: turnId }: Claimant,
): Promise<void> {
  await makePending(tenant, queue, (claimed) => claimed.where('turn_id', '=', turnId));
}

type Claims = ReturnType<typeof claimsOf>;

function claimsOf(tx: TenantTransaction, { webhook_id: webhookId }: SubscriptionQueue) {
  return tx
    .updateTable('deliveries')
    .set({ status: 'pending', due_at: sql<string>`now()`, job_id: null, turn_id: null })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'delivering');
}

/** An inactive subscription must have no waiting deliveries; the lock keeps it from becoming inactive meanwhile. */
async function makePending(
  tenant: Tenant,
  queue: SubscriptionQueue,
  narrow: (claims: Claims) => Claims,
): Promise<number> {
  const { webhook_id: webhookId } = queue;
  return tenant.transaction(async (tx) => {
    const found = tx.selectFrom('webhooks').select('status').where('id', '=', webhookId).forKeyShare();
    const webhook = await found.executeTakeFirst();
    const { numUpdatedRows: released } = await narrow(claimsOf(tx, queue)).executeTakeFirstOrThrow();
    if (webhook?.status !== 'active') await cancelWaiting(tx, webhookId);
    return Number(released);
  });
}

type ClaimedRow = Omit<ClaimedDelivery, 'event'> &
  Flat<EventRow> & {
    /** Attempts that the rate limit allows now; null without one. */
    allowed: number | null;
    rest_ms: number | null;
    has_more: boolean;
    others: number[];
    next_at: string | null;
  };

type Flat<T> = { [K in keyof T & string as `event_${K}`]: T[K] };
