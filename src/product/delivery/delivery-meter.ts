import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeactivationReason } from '../webhooks/subscriptions/deactivate-webhook.ts';
import type { TimedResult } from './attempt.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

export interface DeliveryMeter {
  attempting(): void;
  attempted(delivery: ClaimedDelivery, sent: TimedResult): void;
  deactivated(reason: DeactivationReason): void;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createDeliveryMeter(registry: Registry): DeliveryMeter {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhook requests, by result: status class (2xx) or error class (timeout).',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of a webhook request, including the response.',
    buckets: seconds,
    registers,
  });
  const latency = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'Time from an event to the first attempt of its delivery.',
    buckets: seconds,
    registers,
  });
  const deactivations = new Counter({
    name: 'webhook_deactivations_total',
    help: 'Subscriptions deactivated because of failures or backlog.',
    labelNames: ['reason'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'webhook_attempts_in_flight',
    help: 'Webhook requests of this process in progress.',
    registers,
  });
  return {
    attempting: () => inFlight.inc(),
    attempted(delivery, sent) {
      inFlight.dec();
      attempts.inc({ outcome: sent.error_class ?? `${Math.floor(sent.status_code! / 100)}xx` });
      duration.observe(sent.duration_ms / 1000);
      const isRetry = delivery.manual || delivery.attempt_count > 0;
      if (!isRetry) latency.observe((sent.started_at.getTime() - Date.parse(delivery.event.created_at)) / 1000);
    },
    deactivated(reason) {
      deactivations.inc({ reason });
    },
  };
}
