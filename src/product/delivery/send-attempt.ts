/** One delivery attempt: builds, signs, and sends the request, and returns the result. Writes nothing. */
import type { Logger } from '../../platform/observe/log.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import { encodeBody } from '../webhooks/deliveries/webhook-body.ts';
import { signatures } from '../webhooks/subscriptions/signatures.ts';
import { storedHeaders, validSecrets } from '../webhooks/subscriptions/subscriptions.ts';
import { requestHeaders } from '../webhooks/subscriptions/webhook-headers.ts';
import type { WebhookSettings } from '../webhooks/subscriptions/webhook-settings.ts';
import type { Attempt, AttemptRequest } from './attempt.ts';
import type { ClaimedDelivery, SubscriptionQueue } from './claim-deliveries.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { outcomeOf } from './retry-policy.ts';
import { hiddenTexts } from './secret-masking.ts';
import { noResponse, type Transport, type WebhookRequest } from './transport.ts';

export interface SenderOptions {
  settings: WebhookSettings;
  transport: Transport;
  meter: DeliveryMeter;
  tracer: Tracer | undefined;
  log: Logger;
}

/** Traced as part of the request that caused the event. The receiver gets none of that. */
export function sendAttempt(
  options: SenderOptions,
  queue: SubscriptionQueue,
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  const { id, origin, event } = delivery;
  const attributes = {
    'delivery.id': id,
    'webhook.id': queue.webhook_id,
    'event.id': event.id, // known to the receiver as `webhook-id`
    'event.name': event.name,
  };
  const traced = origin?.traceparent ? options.tracer : undefined;
  return resume(traced, { name: 'webhook attempt', origin, attributes }, () => attempt(options, queue, delivery));
}

async function attempt(options: SenderOptions, queue: SubscriptionQueue, delivery: ClaimedDelivery): Promise<Attempt> {
  const { meter, log } = options;
  meter.attempting();
  const { request, sent } = await send(options, queue, delivery);
  meter.attempted(delivery, sent);
  const { company_id: companyId, webhook_id: webhookId } = queue;
  const { status_code: statusCode, error_class: errorClass, duration_ms: durationMs } = sent;
  const logFields = { company_id: companyId, webhook_id: webhookId, ...namesOf(delivery), event: delivery.event.name };
  log.info(
    { ...logFields, status: statusCode ?? undefined, error_class: errorClass ?? undefined, duration_ms: durationMs },
    'webhook attempt',
  );
  return { delivery, request, sent, outcome: outcomeOf(sent, delivery) };
}

/** Ids for the log. Receivers refer to the event's id, their `webhook-id`. */
function namesOf({ id: deliveryId, event }: ClaimedDelivery) {
  return { delivery_id: deliveryId, event_id: event.id };
}

type SendResult = Pick<Attempt, 'request' | 'sent'>;

async function send(
  { settings, transport, log }: SenderOptions,
  queue: SubscriptionQueue,
  delivery: ClaimedDelivery,
): Promise<SendResult> {
  const startedAt = new Date();
  const unsent = { ...noResponse, started_at: startedAt, duration_ms: 0, error_detail: null };
  if (delivery.is_deadly) {
    const { company_id: companyId, webhook_id: webhookId } = queue;
    const logFields = { company_id: companyId, webhook_id: webhookId, ...namesOf(delivery), deaths: delivery.deaths };
    log.error(logFields, 'webhook delivery abandoned: processes ended while sending it');
    return { request: undefined, sent: { ...unsent, error_class: 'interrupted' } };
  }
  try {
    const { request, attemptRequest } = makeRequest(settings, queue, delivery, startedAt);
    return { request: attemptRequest, sent: { ...(await transport.send(request)), started_at: startedAt } };
  } catch (error) {
    log.error({ err: error, ...namesOf(delivery) }, "a webhook request can't be built");
    return { request: undefined, sent: { ...unsent, error_class: 'payload' } };
  }
}

function makeRequest(
  settings: WebhookSettings,
  { company_id: companyId, webhook_id: webhookId }: SubscriptionQueue,
  delivery: ClaimedDelivery,
  startedAt: Date,
): { request: WebhookRequest; attemptRequest: AttemptRequest } {
  const { event, url, payload_format: payloadFormat } = delivery;
  const webhook = { ...delivery, company_id: companyId, id: webhookId };
  const body = Buffer.from(encodeBody(event, startedAt.toISOString(), payloadFormat));
  const secrets = validSecrets(webhook, settings, startedAt);
  const stored = storedHeaders(webhook, settings);
  const timestampS = Math.floor(startedAt.getTime() / 1000);
  const signed = signatures(secrets, event.id, timestampS, body);
  const headers = requestHeaders({
    event: event.name,
    event_id: event.id,
    idempotency_key: event.idempotency_key,
    timestampS,
    signatures: signed,
    stored,
  });
  return {
    request: { url, headers, body, hidden: hiddenTexts(stored, secrets) },
    attemptRequest: { url, signatures: signed, header_names: Object.keys(stored) },
  };
}
