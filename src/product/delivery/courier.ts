/**
 * The courier: takes what is due for a subscription, sends it, and writes down what came of it.
 *
 * An attempt is claim → send → record, with no transaction open while sending. A claim is a lease: should this process
 * die, whoever comes next takes the delivery over when the lease has ended, and a late record of ours is refused. Each
 * subscription has only so many attempts under way, in all processes together, so a receiver that hangs holds up nobody
 * else; and each process has an upper limit for all of them, of which no company gets so much that others wait.
 *
 * An attempt whose receiver takes its time gives its place to others: it needs a socket and some memory, and nothing is
 * worked on. So a healthy receiver gets its events beside many that hang. Of those there is an upper limit as well.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { Places } from '../../platform/fairness/places.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Wakeup } from '../webhooks/wake-webhooks.ts';
import { type Claimed, type ClaimedDelivery, claimDue, type Line } from './claim-deliveries.ts';
import type { Presence } from './presence.ts';
import { hasFailed } from './record-attempt.ts';
import { type Place, Recorder } from './recorder.ts';
import { type SenderOptions, sendAttempt } from './send-attempt.ts';

/** Attempts under way to a subscription of which nothing is known yet, or whose last attempt failed. */
const firstWindow = 20;
const usualSlowMs = 500;
/** Attempts without a place, for each place. */
const mostSlowAPlace = 4;
const nothing: Claimed = { deliveries: [], rest_ms: null };

interface CourierOptions extends SenderOptions {
  db: Database;
  mail: MailQueue;
  /** Of one request, with its answer. */
  timeout_ms: number;
  /** What an attempt may take beside the request itself: to be recorded, with a database that comes back. */
  graceMs: number;
  /** Attempts under way in this process. */
  inFlight: number;
  /** Attempts under way to one subscription, in all processes, while its receiver answers well. */
  inFlightPerSubscription: number;
  /** After so long without an answer an attempt gives its place to others. Default: 500. */
  slowMs?: number;
  presence: Presence;
}

/** A claim in a transaction that has not committed yet. */
export interface ClaimUnderWay {
  /** It has: what was claimed is sent. */
  begin(): void;
  /** It has not, and nothing is claimed. */
  giveBack(): void;
}

export interface Courier {
  /**
   * Claims what is due for a subscription in the transaction that makes it so. Waits for nothing: the claim leaves with the commit.
   * @returns undefined when there is no place for it now
   */
  claimIn(tx: TenantTransaction, webhookId: string): ClaimUnderWay | undefined;
  /**
   * There may be something due. Returns at once.
   * @returns whether there is a place for it; else it waits for one here, and another process may have one sooner
   */
  wake(wakeup: Wakeup): boolean;
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
  /** Whether it has had as many attempts as it may have by now. */
  resting: boolean;
}

export function createCourier(options: CourierOptions): Courier {
  return new PooledCourier(options);
}

class PooledCourier implements Courier {
  readonly #options: CourierOptions;
  /** By subscription. */
  readonly #lines = new Map<string, Busy>();
  readonly #places: Places<Busy>;
  readonly #recorder: Recorder<Busy>;
  /** Attempts that have given their place to others. */
  #slow = 0;
  #draining = false;
  #drained: (() => void) | undefined;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#places = new Places(options.inFlight);
    this.#recorder = new Recorder(options, (batches) => this.#free(batches));
  }

  wake({ company_id: companyId, webhook_id: webhookId }: Wakeup): boolean {
    if (this.#draining) return false;
    const hasPlace = this.#places.roomFor(companyId) > 0;
    const line = this.#lines.get(webhookId) ?? this.#begin({ company_id: companyId, webhook_id: webhookId });
    line.more = true;
    this.#wait(line);
    this.#handOut();
    return hasPlace;
  }

  claimIn(tx: TenantTransaction, webhookId: string): ClaimUnderWay | undefined {
    if (this.#draining) return undefined;
    const { company_id: companyId } = tx;
    const line = this.#lines.get(webhookId) ?? this.#begin({ company_id: companyId, webhook_id: webhookId });
    const room = line.claiming || line.resting ? 0 : this.#reserve(line);
    if (room === 0) return void this.#forget(line);
    const claimed = this.#claim(tx, line, room);
    return {
      begin: () => void claimed.then((found) => this.#goOn(line, room, found)),
      giveBack: () => void claimed.then(() => this.#goOn(line, room, nothing)),
    };
  }

  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  get #smallestWindow(): number {
    return Math.min(firstWindow, this.#options.inFlightPerSubscription);
  }

  get #isIdle(): boolean {
    return this.#places.taken === 0 && this.#slow === 0;
  }

  #begin(line: Line): Busy {
    const idle = { under_way: 0, window: this.#smallestWindow, claiming: false, resting: false };
    const busy = { ...line, ...idle, more: false };
    this.#lines.set(line.webhook_id, busy);
    return busy;
  }

  /** What has as many attempts under way as it may have waits for the end of one of them, and not for a place. */
  #wait(line: Busy): void {
    if (line.more && !line.claiming && !line.resting && line.under_way < line.window) this.#places.wait(line);
  }

  /** What may have only so many attempts a second takes no place meanwhile. */
  #rest(line: Busy, ms: number): void {
    line.resting = true;
    line.more = true;
    const end = () => {
      line.resting = false;
      this.#wait(line);
      this.#handOut();
    };
    setTimeout(end, ms).unref(); // who has stopped meanwhile has nothing to go on with
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
    const room = this.#reserve(line);
    if (room > 0) this.#goOn(line, room, await this.#claim(this.#options.db.tenant(line.company_id), line, room));
  }

  /** @returns for how many there is room, which is reserved before anyone else counts */
  #reserve(line: Busy): number {
    const room = Math.min(line.window - line.under_way, this.#places.roomFor(line.company_id));
    if (room <= 0) return 0; // after a failure it may have fewer
    line.claiming = true;
    line.more = false;
    this.#places.take(line, room);
    return room;
  }

  /** Sends what was claimed; what else there was room for is free again. */
  #goOn(line: Busy, room: number, { deliveries: claimed, rest_ms: restMs }: Claimed): void {
    this.#places.free(line, room - claimed.length);
    if (claimed.length === room) line.more = true;
    if (restMs !== null) this.#rest(line, restMs);
    line.under_way += claimed.length;
    line.claiming = false;
    for (const delivery of claimed) void this.#attempt(line, delivery);
    this.#wait(line);
    this.#handOut();
    this.#forget(line);
  }

  async #claim(tenant: Tenant, line: Busy, most: number): Promise<Claimed> {
    const { inFlightPerSubscription: mostUnderWay, timeout_ms: timeoutMs, graceMs, presence, log } = this.#options;
    const ofProcess = { courier_id: presence.id, gone: presence.gone };
    const limits = { most, mostUnderWay, leaseMs: timeoutMs + graceMs, ...ofProcess };
    try {
      return await claimDue(tenant, line, limits);
    } catch (error) {
      // What is due stays due, and is found by who looks for what is overdue.
      log.warn({ err: error, webhook_id: line.webhook_id }, 'deliveries can not be claimed');
      return nothing;
    }
  }

  async #attempt(line: Busy, delivery: ClaimedDelivery): Promise<void> {
    const place = this.#holdPlace(line);
    const attempt = await sendAttempt(this.#options, line, delivery);
    line.window = hasFailed(attempt)
      ? this.#smallestWindow
      : Math.min(line.window + 1, this.#options.inFlightPerSubscription);
    this.#recorder.add(line, { attempt, place });
  }

  /** Of an attempt, which gives it to others when its receiver takes its time. */
  #holdPlace(line: Busy): Place {
    const { slowMs = usualSlowMs, inFlight } = this.#options;
    let isSlow = false;
    const timer = setTimeout(() => {
      if (this.#slow >= inFlight * mostSlowAPlace) return;
      isSlow = true;
      this.#slow++;
      this.#places.free(line, 1);
      this.#handOut();
    }, slowMs);
    return {
      free: () => {
        clearTimeout(timer);
        if (isSlow) this.#slow--;
        else this.#places.free(line, 1);
      },
    };
  }

  /** What is recorded makes room for more, all of it before the next claims. */
  #free(batches: readonly (readonly [Busy, readonly { place: Place }[]])[]): void {
    for (const [line, ended] of batches) {
      line.under_way -= ended.length;
      for (const { place } of ended) place.free();
      this.#wait(line); // after those who wait already
    }
    this.#handOut();
    for (const [line] of batches) this.#forget(line);
  }

  #forget(line: Busy): void {
    if (!line.claiming && line.under_way === 0 && (!line.more || this.#draining)) {
      this.#lines.delete(line.webhook_id);
    }
    if (this.#draining && this.#isIdle) this.#drained?.();
  }
}
