/** One attempt of a delivery: the request is made, signed and sent, and what came of it is told. Nothing is written. */
import type { Logger } from '../../platform/observe/log.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import { signatures } from '../webhooks/signatures.ts';
import { storedHeaders, validSecrets } from '../webhooks/subscriptions.ts';
import { encodeBody } from '../webhooks/webhook-body.ts';
import { requestHeaders } from '../webhooks/webhook-headers.ts';
import type { WebhookSettings } from '../webhooks/webhook-settings.ts';
import type { Attempt, MadeRequest } from './attempt.ts';
import type { ClaimedDelivery, Line } from './claim-deliveries.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { outcomeOf } from './delivery-outcome.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { no_answer, type Transport, type WebhookRequest } from './transport.ts';

export interface SenderOptions {
  settings: WebhookSettings;
  transport: Transport;
  meter: DeliveryMeter;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
  log: Logger;
}

/** The attempt belongs to the request that the event comes from. Nothing of that is told to the receiver. */
export function sendAttempt(options: SenderOptions, line: Line, delivery: ClaimedDelivery): Promise<Attempt> {
  const { id, origin, event } = delivery;
  const attributes = {
    'delivery.id': id,
    'webhook.id': line.webhook_id,
    'event.id': event.id, // what the receiver knows, as `webhook-id`
    'event.name': event.name,
  };
  const traced = origin?.traceparent ? options.tracer : undefined;
  return resume(traced, { name: 'webhook attempt', origin, attributes }, () => attempt(options, line, delivery));
}

async function attempt(options: SenderOptions, line: Line, delivery: ClaimedDelivery): Promise<Attempt> {
  const { meter, log } = options;
  meter.attempting();
  const { request, sent } = await send(options, line, delivery);
  meter.attempted(delivery, sent);
  const { company_id, webhook_id } = line;
  const { status_code, error_class, duration_ms } = sent;
  const about = { company_id, webhook_id, ...namesOf(delivery), event: delivery.event.name };
  log.info(
    { ...about, status: status_code ?? undefined, error_class: error_class ?? undefined, duration_ms },
    'webhook attempt',
  );
  return { delivery, request, sent, outcome: outcomeOf(sent, delivery) };
}

/** In the log. A receiver asks by the event's id, which it got as `webhook-id`. */
function namesOf({ id: delivery_id, event }: ClaimedDelivery) {
  return { delivery_id, event_id: event.id };
}

type Made = Pick<Attempt, 'request' | 'sent'>;

async function send({ settings, transport, log }: SenderOptions, line: Line, delivery: ClaimedDelivery): Promise<Made> {
  const started_at = new Date();
  const unmade = { ...no_answer, started_at, duration_ms: 0, error_detail: null };
  if (delivery.is_deadly) {
    const { company_id, webhook_id } = line;
    const about = { company_id, webhook_id, ...namesOf(delivery), deaths: delivery.deaths };
    log.error(about, 'webhook delivery given up: processes ended while they sent it');
    return { request: undefined, sent: { ...unmade, error_class: 'interrupted' } };
  }
  try {
    const { request, told } = makeRequest(settings, line, delivery, started_at);
    return { request: told, sent: { ...(await transport.send(request)), started_at } };
  } catch (error) {
    log.error({ err: error, ...namesOf(delivery) }, 'a webhook request can not be made');
    return { request: undefined, sent: { ...unmade, error_class: 'payload' } };
  }
}

function makeRequest(
  settings: WebhookSettings,
  { company_id, webhook_id }: Line,
  delivery: ClaimedDelivery,
  started_at: Date,
): { request: WebhookRequest; told: MadeRequest } {
  const { event, url, payload_format } = delivery;
  const webhook = { ...delivery, company_id, id: webhook_id };
  const body = Buffer.from(encodeBody(event, started_at.toISOString(), payload_format));
  const secrets = validSecrets(webhook, settings, started_at);
  const stored = storedHeaders(webhook, settings);
  const timestamp_s = Math.floor(started_at.getTime() / 1000);
  const signed = signatures(secrets, event.id, timestamp_s, body);
  const headers = requestHeaders({
    event: event.name,
    event_id: event.id,
    idempotency_key: event.idempotency_key,
    timestamp_s,
    signatures: signed,
    stored,
  });
  return {
    request: { url, headers, body, hidden: hiddenTexts(stored, secrets) },
    told: { url, signatures: signed, header_names: Object.keys(stored) },
  };
}
