/** The statement that records attempts: of one subscription, or of several of a company together. */
import { sql } from 'kysely';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { packedSignatures } from '../webhooks/signatures.ts';
import type { Attempt, MadeRequest } from './attempt.ts';

/** An attempt that has ended, and whose it is. */
export interface Ended {
  webhook_id: string;
  attempt: Attempt;
}

export interface Written {
  id: string;
  due_at: string | null;
  /** Whether the subscription is active. */
  active: boolean;
}

/**
 * Waits for whoever has locked the subscription.
 * @param batch attempts of one subscription, in the order they ended
 * @returns the deliveries whose lease was still ours
 */
export async function writeAttempts(tenant: Tenant, batch: readonly Ended[]): Promise<Written[]> {
  const rows = await writeOfOne(tenant, ...columnsOf(batch));
  return rows.filter((row): row is Row & Written => row.id !== null);
}

/**
 * Waits for nobody: one subscription that is locked for long must not hold up the others.
 * @param batch attempts of several subscriptions, in the order they ended
 * @returns the subscriptions that nobody had locked; of the others nothing is written
 */
export async function writeTogether(tenant: Tenant, batch: readonly Ended[]): Promise<{ webhook_id: string }[]> {
  return writeOfSeveral(tenant, ...columnsOf(batch));
}

/** A subscription without one of its deliveries, where none was written. */
type Row = { webhook_id: string } & (Written | { id: null });

function columnsOf(batch: readonly Ended[]) {
  const column = <T>(value: (attempt: Attempt) => T) => batch.map(({ attempt }) => value(attempt));
  return [
    batch.map(({ webhook_id: webhookId }) => webhookId),
    column(({ delivery }) => delivery.id),
    column(({ delivery }) => delivery.lease_until),
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

/** @returns null for none, as most subscriptions have it */
function namesOf(request: MadeRequest | undefined): string | null {
  return request && request.header_names.length > 0 ? JSON.stringify(request.header_names) : null;
}

type Columns = [...ReturnType<typeof columnsOf>];

const writeOfOne = preparedQuery<Columns, Row>((tenant, ...columns) =>
  statement(tenant, columns, sql`select distinct webhook_id as id from ended`),
);

const writeOfSeveral = preparedQuery<Columns, Row>((tenant, ...columns) =>
  statement(
    tenant,
    columns,
    sql`select id from webhooks where company_id = ${tenant.company_id} and id = any(${columns[0]}::uuid[])
      for no key update skip locked`,
  ),
);

/**
 * The deliveries are looked up by their ids, too: to a join alone, Postgres may read every delivery of the company.
 * @param held the subscriptions of which it is written
 */
function statement({ company_id: companyId }: Tenant, columns: Columns, held: ReturnType<typeof sql>) {
  const [webhookId, id, leaseUntil, manual, status, waitS, failures, startedAt, durationMs, ...more] = columns;
  const [statusCode, errorClass, errorDetail, excerpt, headers, url, signatures, headerNames] = more;
  return sql<Row>`
    with ended as (
      select webhook_id, id, lease_until, manual, status, wait_s, failures, started_at, duration_ms, status_code,
        error_class, error_detail, response_excerpt, response_headers, url, signatures, header_names, place,
        statement_timestamp() as recorded_at,
        statement_timestamp() + make_interval(secs => wait_s) as retry_at
      from unnest(
        ${webhookId}::uuid[], ${id}::uuid[], ${leaseUntil}::timestamptz[], ${manual}::bool[], ${status}::text[],
        ${waitS}::float8[], ${failures}::int[], ${startedAt}::timestamptz[], ${durationMs}::int[],
        ${statusCode}::int[], ${errorClass}::text[], ${errorDetail}::text[], ${excerpt}::text[],
        ${headers}::jsonb[], ${url}::text[], ${signatures}::bytea[], ${headerNames}::jsonb[]
      ) with ordinality as given
        (webhook_id, id, lease_until, manual, status, wait_s, failures, started_at, duration_ms, status_code,
        error_class, error_detail, response_excerpt, response_headers, url, signatures, header_names, place)
    ),
    held as (${held}),
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
        last_status_code = ended.status_code,
        last_error_class = ended.error_class
      from ended
      where deliveries.company_id = ${companyId} and deliveries.id = ended.id
        and deliveries.id = any(${id}::uuid[])
        and deliveries.status = 'delivering' and deliveries.due_at = ended.lease_until
        and ended.webhook_id in (select held.id from held)
      returning deliveries.id, ended.webhook_id, deliveries.attempt_count, deliveries.due_at
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
      select ended.webhook_id, ended.place, ended.started_at, ended.status
      from ended join written on written.id = ended.id
    ),
    success as (
      select webhook_id, max(place) as place, max(started_at) as started_at from ours where status = 'succeeded'
      group by webhook_id
    ),
    results as (
      select ours.webhook_id, success.place is not null as has_succeeded, success.started_at as success_at,
        (count(*) filter (where ours.place > coalesce(success.place, 0)))::int as failures,
        max(ours.started_at) as started_at, max(ours.place) as last_place
      from ours left join success on success.webhook_id = ours.webhook_id
      group by ours.webhook_id, success.place, success.started_at
    ),
    counted as (
      update webhooks set
        consecutive_failures = case when results.has_succeeded then 0 else consecutive_failures end + results.failures,
        last_delivery_at = greatest(last_delivery_at, results.started_at),
        last_success_at = greatest(last_success_at, results.success_at),
        last_status_code = latest.status_code
      from results join ended as latest on latest.place = results.last_place
      where webhooks.company_id = ${companyId} and webhooks.id = results.webhook_id
      returning webhooks.id, webhooks.status
    )
    select held.id as webhook_id, written.id, written.due_at, coalesce(counted.status = 'active', false) as active
    from held left join written on written.webhook_id = held.id left join counted on counted.id = held.id`;
}
