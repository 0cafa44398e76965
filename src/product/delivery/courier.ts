/**
 * The courier: takes what is due for a subscription, sends it, and writes down what came of it.
 *
 * An attempt is claim → send → record, with no transaction open while sending. A claim is a lease: should this process
 * die, whoever comes next takes the delivery over when the lease has ended, and a late record of ours is refused. Each
 * subscription has only so many attempts under way, in all processes together, so a receiver that hangs holds up nobody
 * else; and each process has an upper limit for all of them, of which no company gets so much that others wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import { Places } from '../../platform/fairness/places.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Wakeup } from '../webhooks/wake-webhooks.ts';
import type { Attempt } from './attempt.ts';
import { type ClaimedDelivery, claimDue, type Line } from './claim-deliveries.ts';
import { recordAttempts } from './record-attempt.ts';
import { type SenderOptions, sendAttempt } from './send-attempt.ts';

/** Attempts under way to a subscription of which nothing is known yet, or whose last attempt failed. */
const first_window = 20;
const first_pause_ms = 100;
const longest_pause_ms = 2_000;

interface CourierOptions extends SenderOptions {
  db: Database;
  mail: MailQueue;
  /** Of one request, with its answer. */
  timeout_ms: number;
  /** What an attempt may take beside the request itself: to be recorded, with a database that comes back. */
  grace_ms: number;
  /** Attempts under way in this process. */
  in_flight: number;
  /** Attempts under way to one subscription, in all processes, while its receiver answers well. */
  in_flight_per_subscription: number;
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
  return new PooledCourier(options);
}

class PooledCourier implements Courier {
  readonly #options: CourierOptions;
  /** By subscription. */
  readonly #lines = new Map<string, Busy>();
  readonly #places: Places<Busy>;
  #draining = false;
  #drained: (() => void) | undefined;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#places = new Places(options.in_flight);
  }

  wake({ company_id, webhook_id }: Wakeup): void {
    if (this.#draining) return;
    const line = this.#lines.get(webhook_id) ?? this.#begin({ company_id, webhook_id });
    line.more = true;
    this.#wait(line);
    this.#handOut();
  }

  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#places.taken === 0) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  get #smallestWindow(): number {
    return Math.min(first_window, this.#options.in_flight_per_subscription);
  }

  #begin(line: Line): Busy {
    const idle = { under_way: 0, window: this.#smallestWindow, claiming: false, recording: false };
    const busy = { ...line, ...idle, more: true, ended: [] };
    this.#lines.set(line.webhook_id, busy);
    return busy;
  }

  /** What has as many attempts under way as it may have waits for the end of one of them, and not for a place. */
  #wait(line: Busy): void {
    if (line.more && !line.claiming && line.under_way < line.window) this.#places.wait(line);
  }

  /** Gives free places to those who wait, one after the other. */
  #handOut(): void {
    while (!this.#draining) {
      const line = this.#places.next();
      if (!line) return;
      void this.#take(line);
    }
  }

  /** Claims as much as there is room for. */
  async #take(line: Busy): Promise<void> {
    const room = Math.min(line.window - line.under_way, this.#places.roomFor(line.company_id));
    if (room <= 0) return; // after a failure it may have fewer
    line.claiming = true;
    line.more = false;
    this.#places.take(line, room); // reserved before anyone else counts
    const claimed = await this.#claim(line, room);
    this.#places.free(line, room - claimed.length);
    if (claimed.length === room) line.more = true;
    line.under_way += claimed.length;
    line.claiming = false;
    for (const delivery of claimed) void this.#attempt(line, delivery);
    this.#wait(line);
    this.#handOut();
    this.#forget(line);
  }

  async #claim(line: Busy, most: number): Promise<ClaimedDelivery[]> {
    const { db, in_flight_per_subscription: most_under_way, timeout_ms, grace_ms, log } = this.#options;
    const limits = { most, most_under_way, lease_ms: timeout_ms + grace_ms };
    try {
      return await claimDue(db.tenant(line.company_id), line, limits);
    } catch (error) {
      // What is due stays due, and is found by who looks for what is overdue.
      log.warn({ err: error, webhook_id: line.webhook_id }, 'deliveries can not be claimed');
      return [];
    }
  }

  async #attempt(line: Busy, delivery: ClaimedDelivery): Promise<void> {
    const attempt = await sendAttempt(this.#options, line, delivery);
    const good = attempt.outcome.status === 'succeeded';
    line.window = good ? Math.min(line.window + 1, this.#options.in_flight_per_subscription) : this.#smallestWindow;
    line.ended.push(attempt);
    if (!line.recording) await this.#record(line);
  }

  /** Writes what has ended, one batch after the other: what ends meanwhile is the next batch. */
  async #record(line: Busy): Promise<void> {
    line.recording = true;
    while (line.ended.length > 0) {
      const batch = line.ended.splice(0);
      await this.#recordPatiently(line, batch);
      line.under_way -= batch.length;
      this.#places.free(line, batch.length);
      this.#wait(line); // after those who wait already
      this.#handOut();
    }
    line.recording = false;
    this.#forget(line);
  }

  /** Our own outage is not the receiver's: the record is kept for as long as the lease holds. */
  async #recordPatiently({ company_id, webhook_id }: Line, batch: Attempt[]): Promise<void> {
    const { db, mail, meter, log } = this.#options;
    const line = { company_id, webhook_id };
    for (let pause_ms = first_pause_ms; ; pause_ms = Math.min(pause_ms * 2, longest_pause_ms)) {
      try {
        const deactivated = await recordAttempts(db.tenant(company_id), mail, line, batch);
        if (deactivated) {
          meter.deactivated(deactivated);
          log.warn({ ...line, reason: deactivated }, 'webhook deactivated');
        }
        return;
      } catch (error) {
        const leased = batch.filter(({ delivery }) => Date.parse(delivery.lease_until) > Date.now() + pause_ms);
        log.warn({ err: error, ...line, attempts: batch.length }, 'attempts can not be recorded yet');
        if (leased.length === 0) return;
        await sleep(pause_ms);
      }
    }
  }

  #forget(line: Busy): void {
    if (!line.claiming && !line.recording && line.under_way === 0 && (!line.more || this.#draining)) {
      this.#lines.delete(line.webhook_id);
    }
    if (this.#draining && this.#places.taken === 0) this.#drained?.();
  }
}
