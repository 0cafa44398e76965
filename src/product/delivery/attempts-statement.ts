/** The statement that records attempts of one subscription: deliveries, attempts, and counters of the subscription. */
import { sql } from 'kysely';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { packedSignatures } from '../webhooks/subscriptions/signatures.ts';
import type { Attempt, AttemptRequest } from './attempt.ts';
import type { SubscriptionQueue } from './claim-deliveries.ts';

export interface WrittenDelivery {
  id: string;
  due_at: string | null;
  /** Whether the subscription is active. */
  active: boolean;
}

/** Waits for locks on the subscription. @returns the deliveries that no other turn has taken over */
export async function writeAttempts(
  tenant: Tenant,
  { webhook_id: webhookId }: SubscriptionQueue,
  turnId: string,
  batch: readonly Attempt[],
): Promise<WrittenDelivery[]> {
  return write(tenant, webhookId, turnId, ...columnsOf(batch));
}

function columnsOf(batch: readonly Attempt[]) {
  const column = <T>(value: (attempt: Attempt) => T) => batch.map(value);
  return [
    column(({ delivery }) => delivery.id),
    column(({ delivery }) => delivery.manual),
    column(({ outcome }) => outcome.status as string),
    column(({ outcome }) => (outcome.status === 'pending' ? outcome.wait_s : 0)),
    column(({ outcome }) => (outcome.status === 'succeeded' ? 0 : outcome.failures)),
    column(({ sent }) => sent.started_at.toISOString()),
    column(({ sent }) => Math.round(sent.duration_ms)),
    column(({ sent }) => sent.status_code),
    column(({ sent }) => sent.error_class as string | null),
    column(({ sent }) => sent.error_detail),
    column(({ sent }) => sent.response_excerpt),
    column(({ sent }) => sent.response_headers && JSON.stringify(sent.response_headers)),
    column(({ request }) => request?.url ?? null),
    column(({ request }) => request && packedSignatures(request.signatures)),
    column(({ request }) => namesOf(request)),
  ] as const;
}

/** @returns null for none, the common case */
function namesOf(request: AttemptRequest | undefined): string | null {
  return request && request.header_names.length > 0 ? JSON.stringify(request.header_names) : null;
}

type Columns = [webhookId: string, turnId: string, ...ReturnType<typeof columnsOf>];

/** Looks up deliveries by id: for a plain join Postgres may read every delivery of the company. */
const write = preparedQuery<Columns, WrittenDelivery>(({ company_id: companyId }, webhookId, turnId, ...columns) => {
  const [id, manual, status, waitS, failures, startedAt, durationMs, statusCode, errorClass, ...more] = columns;
  const [errorDetail, excerpt, headers, url, signatures, headerNames] = more;
  return sql<WrittenDelivery>`
    with ended as (
      select id, manual, status, wait_s, failures, started_at, duration_ms, status_code,
        error_class, error_detail, response_excerpt, response_headers, url, signatures, header_names, place,
        statement_timestamp() as recorded_at,
        statement_timestamp() + make_interval(secs => wait_s) as retry_at
      from unnest(
        ${id}::uuid[], ${manual}::bool[], ${status}::text[],
        ${waitS}::float8[], ${failures}::int[], ${startedAt}::timestamptz[], ${durationMs}::int[],
        ${statusCode}::int[], ${errorClass}::text[], ${errorDetail}::text[], ${excerpt}::text[],
        ${headers}::jsonb[], ${url}::text[], ${signatures}::bytea[], ${headerNames}::jsonb[]
      ) with ordinality as given
        (id, manual, status, wait_s, failures, started_at, duration_ms, status_code,
        error_class, error_detail, response_excerpt, response_headers, url, signatures, header_names, place)
    ),
    written as (
      update deliveries set
        status = ended.status,
        due_at = case when ended.status = 'pending' then ended.retry_at end,
        completed_at = case when ended.status = 'pending' then null else ended.recorded_at end,
        replaying = deliveries.replaying and ended.status = 'pending',
        manual = false,
        attempt_count = deliveries.attempt_count + 1,
        failures = ended.failures,
        deaths = 0,
        job_id = null,
        turn_id = null,
        last_status_code = ended.status_code,
        last_error_class = ended.error_class
      from ended
      where deliveries.company_id = ${companyId} and deliveries.id = ended.id
        and deliveries.id = any(${id}::uuid[])
        and deliveries.status = 'delivering' and deliveries.turn_id = ${turnId}::uuid
      returning deliveries.id, deliveries.attempt_count, deliveries.due_at
    ),
    logged as (
      insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, status_code, error_class,
        error_detail, response_excerpt, response_headers, url, signatures, header_names, next_attempt_at)
      select ${companyId}, ended.id, written.attempt_count, ended.manual, ended.started_at, ended.duration_ms,
        ended.status_code, ended.error_class, ended.error_detail, ended.response_excerpt, ended.response_headers,
        ended.url, ended.signatures, ended.header_names, written.due_at
      from ended join written on written.id = ended.id
    ),
    ours as (
      select ended.place, ended.started_at, ended.status from ended join written on written.id = ended.id
    ),
    success as (select max(place) as place, max(started_at) as started_at from ours where status = 'succeeded'),
    results as (
      select success.place is not null as has_succeeded, success.started_at as success_at,
        (count(*) filter (where ours.place > coalesce(success.place, 0)))::int as failures,
        max(ours.started_at) as started_at, max(ours.place) as last_place
      from ours cross join success
      group by success.place, success.started_at
    ),
    counted as (
      update webhooks set
        consecutive_failures = case when results.has_succeeded then 0 else consecutive_failures end + results.failures,
        last_delivery_at = greatest(last_delivery_at, results.started_at),
        last_success_at = greatest(last_success_at, results.success_at),
        last_status_code = latest.status_code
      from results join ended as latest on latest.place = results.last_place
      where webhooks.company_id = ${companyId} and webhooks.id = ${webhookId}
      returning webhooks.status
    )
    select written.id, written.due_at, coalesce((select status from counted) = 'active', false) as active from written`;
});
