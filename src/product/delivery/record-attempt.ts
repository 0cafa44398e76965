/**
 * Records the results of attempts in one statement for a batch: the deliveries, the attempts, the subscription's
 * counters. Only the holder of the lease may record. Retries and a deactivation are committed with it.
 */
import { sql } from 'kysely';
import { prepared } from '../../platform/db/statement.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { cancelWaiting, type DeactivationReason, deactivateWebhook } from '../webhooks/deactivate-webhook.ts';
import { packedSignatures } from '../webhooks/signatures.ts';
import { wakeForRetries } from '../webhooks/wake-webhooks.ts';
import { warnOfFailing } from '../webhooks/warn-of-failing.ts';
import type { Attempt, MadeRequest } from './attempt.ts';
import type { Line } from './claim-deliveries.ts';

/**
 * @param batch attempts of one subscription, in the order they ended
 * @returns why the subscription was deactivated, if these attempts did it
 */
export async function recordAttempts(
  tenant: Tenant,
  mail: MailQueue,
  line: Line,
  batch: Attempt[],
): Promise<DeactivationReason | undefined> {
  if (batch.every(({ outcome }) => outcome.status === 'succeeded')) {
    await write(tenant, line, batch); // a transaction by itself
    return undefined;
  }
  return tenant.transaction(async (tx) => {
    const written = await write(tx, line, batch);
    return follow(tx, mail, line, batch, written);
  });
}

async function follow(
  tx: TenantTransaction,
  mail: MailQueue,
  { company_id, webhook_id }: Line,
  batch: Attempt[],
  written: Map<string, Written>,
): Promise<DeactivationReason | undefined> {
  const ours = batch.filter(({ delivery }) => written.has(delivery.id));
  for (const { outcome } of ours) {
    if (outcome.status !== 'failed' || !outcome.deactivate) continue;
    const reason = outcome.deactivate;
    return (await deactivateWebhook(tx, mail, webhook_id, { reason, user_id: null })) ? reason : undefined;
  }
  const retries = ours
    .filter(({ outcome }) => outcome.status === 'pending')
    .map(({ delivery: { id } }) => written.get(id)!);
  // Deactivated or deleted meanwhile: there is nothing to wait for.
  if (retries.some(({ active }) => !active)) await cancelWaiting(tx, webhook_id);
  else {
    const jobs = retries.map(({ due_at }) => ({ company_id, webhook_id, due_at: due_at! }));
    await wakeForRetries(tx.raw, jobs);
    await warnOfLast(tx, mail, webhook_id, ours, written);
  }
  return undefined;
}

/** The admins are told while there is time. */
async function warnOfLast(
  tx: TenantTransaction,
  mail: MailQueue,
  webhook_id: string,
  attempts: readonly Attempt[],
  written: Map<string, Written>,
): Promise<void> {
  for (const { outcome, delivery } of attempts) {
    if (outcome.status !== 'pending' || !outcome.is_last) continue;
    const next_attempt_at = written.get(delivery.id)!.due_at!;
    await warnOfFailing(tx, mail, webhook_id, { kind: outcome.kind, next_attempt_at });
    return;
  }
}

interface Written {
  id: string;
  due_at: string | null;
  /** Whether the subscription is active. */
  active: boolean;
}

/**
 * The deliveries are looked up by their ids, too: to a join alone, Postgres may read every delivery of the company.
 * @returns those whose lease was still ours
 */
async function write(tenant: Tenant, { webhook_id }: Line, batch: Attempt[]): Promise<Map<string, Written>> {
  const { company_id } = tenant;
  const column = <T>(value: (attempt: Attempt) => T) => batch.map(value);
  const { rows } = await prepared(sql<Written>`
    with ended as (
      select id, lease_until, manual, status, wait_s, failures, started_at, duration_ms, status_code, error_class,
        error_detail, response_excerpt, response_headers, url, signatures, header_names, place,
        statement_timestamp() as recorded_at,
        statement_timestamp() + make_interval(secs => wait_s) as retry_at
      from unnest(
        ${column(({ delivery }) => delivery.id)}::uuid[],
        ${column(({ delivery }) => delivery.lease_until)}::timestamptz[],
        ${column(({ delivery }) => delivery.manual)}::bool[],
        ${column(({ outcome }) => outcome.status)}::text[],
        ${column(({ outcome }) => (outcome.status === 'pending' ? outcome.wait_s : 0))}::float8[],
        ${column(({ outcome }) => (outcome.status === 'succeeded' ? 0 : outcome.failures))}::int[],
        ${column(({ sent }) => sent.started_at.toISOString())}::timestamptz[],
        ${column(({ sent }) => Math.round(sent.duration_ms))}::int[],
        ${column(({ sent }) => sent.status_code)}::int[],
        ${column(({ sent }) => sent.error_class)}::text[],
        ${column(({ sent }) => sent.error_detail)}::text[],
        ${column(({ sent }) => sent.response_excerpt)}::text[],
        ${column(({ sent }) => sent.response_headers && JSON.stringify(sent.response_headers))}::jsonb[],
        ${column(({ request }) => request?.url ?? null)}::text[],
        ${column(({ request }) => request && packedSignatures(request.signatures))}::bytea[],
        ${column(({ request }) => namesOf(request))}::jsonb[]
      ) with ordinality as given
        (id, lease_until, manual, status, wait_s, failures, started_at, duration_ms, status_code, error_class,
        error_detail, response_excerpt, response_headers, url, signatures, header_names, place)
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
        last_status_code = ended.status_code,
        last_error_class = ended.error_class
      from ended
      where deliveries.company_id = ${company_id} and deliveries.id = ended.id
        and deliveries.id = any(${column(({ delivery }) => delivery.id)}::uuid[])
        and deliveries.status = 'delivering' and deliveries.due_at = ended.lease_until
      returning deliveries.id, deliveries.attempt_count, deliveries.due_at
    ),
    logged as (
      insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, status_code, error_class,
        error_detail, response_excerpt, response_headers, url, signatures, header_names, next_attempt_at)
      select ${company_id}, ended.id, written.attempt_count, ended.manual, ended.started_at, ended.duration_ms,
        ended.status_code, ended.error_class, ended.error_detail, ended.response_excerpt, ended.response_headers,
        ended.url, ended.signatures, ended.header_names, written.due_at
      from ended join written on written.id = ended.id
    ),
    ours as (
      select ended.place, ended.started_at, ended.status, ended.status_code
      from ended join written on written.id = ended.id
    ),
    success as (select max(place) as place, max(started_at) as started_at from ours where status = 'succeeded'),
    counted as (
      update webhooks set
        consecutive_failures = case when success.place is null then consecutive_failures else 0 end
          + (select count(*) from ours where ours.place > coalesce(success.place, 0))::int,
        last_delivery_at = greatest(last_delivery_at, (select max(started_at) from ours)),
        last_success_at = greatest(last_success_at, success.started_at),
        last_status_code = (select status_code from ours order by place desc limit 1)
      from success
      where webhooks.company_id = ${company_id} and webhooks.id = ${webhook_id} and exists (select from ours)
      returning status
    )
    select written.id, written.due_at, coalesce((select status = 'active' from counted), false) as active
    from written`).execute(tenant.raw);
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns null for none, as most subscriptions have it */
function namesOf(request: MadeRequest | undefined): string | null {
  return request && request.header_names.length > 0 ? JSON.stringify(request.header_names) : null;
}
