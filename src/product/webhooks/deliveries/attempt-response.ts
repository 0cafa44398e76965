/**
 * Reproduces the sent bytes and headers of attempts, which aren't stored, from the event's payload and the attempt's signatures.
 */
import type { Selectable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Attempts } from '../../../../generated/db.ts';
import type { Language } from '../../../contract/languages/language.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { unpackedSignatures } from '../subscriptions/signatures.ts';
import { maskedValue } from '../subscriptions/stored-headers.ts';
import { type Header, requestHeaders, sentHeaders } from '../subscriptions/webhook-headers.ts';
import { describeFailure } from './failure-messages.ts';
import { type EventRow, encodeBody, eventColumns } from './webhook-body.ts';

type Attempt = components['schemas']['DeliveryAttempt'];
type Line = components['schemas']['HeaderLine'];

const attemptColumns = [
  'number',
  'manual',
  'started_at',
  'duration_ms',
  'status_code',
  'error_class',
  'error_detail',
  'response_excerpt',
  'response_headers',
  'url',
  'signatures',
  'header_names',
  'next_attempt_at',
] as const satisfies (keyof Attempts)[];

type AttemptRow = Pick<Selectable<Attempts>, (typeof attemptColumns)[number]>;

interface Delivery {
  id: string;
  event_id: string;
  payload_format: string;
  attempt_count: number;
}

const maxAttempts = 100;

/** The latest attempts in order, without those recorded since the delivery was read. */
export async function attemptsOf(tenant: Tenant, delivery: Delivery, language: Language): Promise<Attempt[]> {
  const newest = await tenant
    .selectFrom('attempts')
    .select(attemptColumns)
    .where('delivery_id', '=', delivery.id)
    .where('number', '<=', delivery.attempt_count)
    .orderBy('number', 'desc')
    .limit(maxAttempts)
    .execute();
  if (newest.length === 0) return [];
  const event = await tenant
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '=', delivery.event_id)
    .executeTakeFirst();
  return newest.reverse().map((row) => attemptResponse(row, delivery, event, language));
}

function attemptResponse(
  row: AttemptRow,
  { payload_format: payloadFormat }: Delivery,
  event: EventRow | undefined,
  language: Language,
): Attempt {
  const {
    url: _,
    signatures: __,
    header_names: ___,
    error_detail: ____,
    response_headers: responseHeaders,
    ...rest
  } = row;
  return {
    ...rest,
    error: describeFailure(row)?.translate(language) ?? null,
    request: event ? requestOf(row, payloadFormat, event) : null,
    response_headers: responseHeaders === null ? null : lines(responseHeaders as unknown as Header[]),
  };
}

/** @returns null if nothing was sent, or for attempts recorded without a request */
function requestOf(row: AttemptRow, payloadFormat: string, event: EventRow): Attempt['request'] {
  const { url, signatures, header_names: headerNames, started_at: startedAt } = row;
  if (url === null || signatures === null) return null;
  const body = encodeBody(event, startedAt, payloadFormat);
  const names = (headerNames ?? []) as string[];
  const headers = requestHeaders({
    event: event.name,
    event_id: event.id,
    idempotency_key: event.idempotency_key,
    timestampS: Math.floor(Date.parse(startedAt) / 1_000),
    signatures: unpackedSignatures(signatures),
    stored: Object.fromEntries(names.map((name) => [name, maskedValue])),
  });
  return { url, headers: lines(sentHeaders(new URL(url), headers, Buffer.byteLength(body))), body };
}

function lines(headers: readonly Header[]): Line[] {
  return headers.map(([name, value]) => ({ name, value }));
}
