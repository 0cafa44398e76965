/**
 * The courier: takes what is due for a subscription, sends it, and writes down what came of it.
 *
 * An attempt is claim → send → record, with no transaction open while sending. A claim is a lease: should this process
 * die, whoever comes next takes the delivery over when the lease has ended, and a late record of ours is refused. Each
 * subscription has only so many attempts under way, in all processes together, so a receiver that hangs holds up nobody
 * else; and each process has an upper limit for all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { resume } from '../../platform/observe/resume-trace.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import { storedHeaders, validSecrets } from '../webhooks/subscriptions.ts';
import type { Wakeup } from '../webhooks/wake-webhooks.ts';
import { encodeBody } from '../webhooks/webhook-body.ts';
import { requestHeaders } from '../webhooks/webhook-headers.ts';
import type { WebhookSettings } from '../webhooks/webhook-settings.ts';
import { type ClaimedDelivery, claimDue, type Line } from './claim-deliveries.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { outcomeOf } from './delivery-outcome.ts';
import { type Attempt, recordAttempts } from './record-attempt.ts';
import type { Sent, Transport } from './transport.ts';

/** Attempts under way to a subscription of which nothing is known yet, or whose last attempt failed. */
const first_window = 20;
/** What an attempt may take beside the request itself: to be recorded, with a database that comes back. */
const grace_ms = 15_000;
const first_pause_ms = 100;
const longest_pause_ms = 2_000;

export interface CourierOptions {
  db: Database;
  mail: MailQueue;
  settings: WebhookSettings;
  transport: Transport;
  /** Of one request, with its answer. */
  timeout_ms: number;
  /** Attempts under way in this process. */
  in_flight: number;
  /** Attempts under way to one subscription, in all processes, while its receiver answers well. */
  in_flight_per_subscription: number;
  meter: DeliveryMeter;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
  log: Logger;
}

export interface Courier {
  /** There may be something due. Returns at once. */
  wake(wakeup: Wakeup): void;
  /** Starts nothing new, and waits until what is under way has ended and is recorded. */
  drain(): Promise<void>;
}

/** A subscription that this process is busy with. */
interface Busy extends Line {
  /** Attempts that are sent, or are to be recorded. */
  under_way: number;
  /** How many may be: more with each success, few again after a failure. */
  window: number;
  /** Whether there may be more that is due. */
  more: boolean;
  claiming: boolean;
  recording: boolean;
  ended: Attempt[];
}

export function createCourier(options: CourierOptions): Courier {
  const { db, settings, transport, meter, tracer, log } = options;
  const lease_ms = options.timeout_ms + grace_ms;
  const smallest = Math.min(first_window, options.in_flight_per_subscription);
  const lines = new Map<string, Busy>();
  let under_way = 0;
  let draining = false;
  let drained: (() => void) | undefined;

  function wake({ company_id, webhook_id }: Wakeup): void {
    if (draining) return;
    let line = lines.get(webhook_id);
    if (!line) {
      const idle = { under_way: 0, window: smallest, claiming: false, recording: false };
      line = { company_id, webhook_id, ...idle, more: true, ended: [] };
      lines.set(webhook_id, line);
    }
    line.more = true;
    void take(line);
  }

  /** Claims as much as there is room for, until nothing more is due. */
  async function take(line: Busy): Promise<void> {
    if (line.claiming) return;
    line.claiming = true;
    try {
      for (let room = roomOf(line); line.more && room > 0; room = roomOf(line)) {
        line.more = false;
        under_way += room; // reserved before anyone else counts
        const claimed = await claimDue(db.tenant(line.company_id), line, {
          most: room,
          most_under_way: options.in_flight_per_subscription,
          lease_ms,
        }).catch((error) => {
          // What is due stays due, and is found by who looks for what is overdue.
          log.warn({ err: error, webhook_id: line.webhook_id }, 'deliveries can not be claimed');
          return [];
        });
        under_way -= room - claimed.length;
        if (claimed.length === room) line.more = true;
        line.under_way += claimed.length;
        for (const delivery of claimed) void goOnWith(line, delivery);
      }
    } finally {
      line.claiming = false;
      forget(line);
    }
  }

  function roomOf(line: Busy): number {
    if (draining) return 0;
    return Math.min(line.window - line.under_way, options.in_flight - under_way);
  }

  /** The attempt belongs to the request that the event comes from. Nothing of that is told to the receiver. */
  function goOnWith(line: Busy, delivery: ClaimedDelivery): Promise<void> {
    const { id, origin, event } = delivery;
    const attributes = { 'delivery.id': id, 'webhook.id': line.webhook_id, 'event.name': event.name };
    const traced = origin?.traceparent ? tracer : undefined;
    return resume(traced, { name: 'webhook attempt', origin, attributes }, () => attempt(line, delivery));
  }

  async function attempt(line: Busy, delivery: ClaimedDelivery): Promise<void> {
    meter.attempting();
    const sent = await send(delivery);
    meter.attempted(delivery, sent);
    const { status_code, error_class, duration_ms } = sent;
    const about = { ...idsOf(line), delivery_id: delivery.id, event: delivery.event.name };
    log.info(
      { ...about, status: status_code ?? undefined, error_class: error_class ?? undefined, duration_ms },
      'webhook attempt',
    );
    const outcome = outcomeOf(sent, delivery);
    const good = outcome.status === 'succeeded';
    line.window = good ? Math.min(line.window + 1, options.in_flight_per_subscription) : smallest;
    line.ended.push({ delivery, sent, outcome });
    if (!line.recording) await record(line);
  }

  async function send(delivery: ClaimedDelivery): Promise<Sent> {
    const started_at = new Date();
    try {
      const body = Buffer.from(encodeBody(delivery.event, delivery.created_at, delivery.payload_format));
      const headers = requestHeaders({
        event: delivery.event.name,
        event_id: delivery.event.id,
        idempotency_key: delivery.event.idempotency_key,
        timestamp_s: Math.floor(started_at.getTime() / 1000),
        body,
        secrets: validSecrets(delivery, settings, started_at),
        stored: storedHeaders(delivery, settings),
      });
      return await transport.send({ url: delivery.url, headers, body });
    } catch (error) {
      log.error({ err: error, delivery_id: delivery.id }, 'a webhook request can not be made');
      const nothing = { status_code: null, response_excerpt: null, retry_after_s: null };
      return { ...nothing, started_at, duration_ms: 0, error_class: 'payload' };
    }
  }

  /** Writes what has ended, one batch after the other: what ends meanwhile is the next batch. */
  async function record(line: Busy): Promise<void> {
    line.recording = true;
    while (line.ended.length > 0) {
      const batch = line.ended.splice(0);
      await recordPatiently(line, batch);
      line.under_way -= batch.length;
      under_way -= batch.length;
      if (line.more) void take(line);
      else if (lines.size > 0) wakeStarved(line);
    }
    line.recording = false;
    forget(line);
  }

  /** Our own outage is not the receiver's: the record is kept for as long as the lease holds. */
  async function recordPatiently(line: Line, batch: Attempt[]): Promise<void> {
    for (let pause_ms = first_pause_ms; ; pause_ms = Math.min(pause_ms * 2, longest_pause_ms)) {
      try {
        const deactivated = await recordAttempts(db.tenant(line.company_id), options.mail, line, batch);
        if (deactivated) {
          meter.deactivated(deactivated);
          log.warn({ ...idsOf(line), reason: deactivated }, 'webhook deactivated');
        }
        return;
      } catch (error) {
        const held = batch.filter(({ delivery }) => Date.parse(delivery.lease_until) > Date.now() + pause_ms);
        log.warn({ err: error, ...idsOf(line), attempts: batch.length }, 'attempts can not be recorded yet');
        if (held.length === 0) return;
        await sleep(pause_ms);
      }
    }
  }

  /** Room was freed that another subscription may wait for. */
  function wakeStarved(freed: Busy): void {
    for (const line of lines.values()) {
      if (line !== freed && line.more && !line.claiming) void take(line);
    }
  }

  function forget(line: Busy): void {
    if (!line.claiming && !line.recording && line.under_way === 0 && (!line.more || draining)) {
      lines.delete(line.webhook_id);
    }
    if (draining && under_way === 0) drained?.();
  }

  return {
    wake,
    async drain() {
      draining = true;
      if (under_way === 0) return;
      await new Promise<void>((resolve) => {
        drained = resolve;
      });
    },
  };
}

function idsOf({ company_id, webhook_id }: Line) {
  return { company_id, webhook_id };
}
