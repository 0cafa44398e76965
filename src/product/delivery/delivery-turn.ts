/**
 * One turn of a subscription, which is one job: claims due deliveries, sends them, and records the results, for a few seconds at
 * most. Then it adds the job for the next turn.
 *
 * No transaction is open while it sends. It lingers when nothing is due, because the next event often follows soon. After its
 * time the next turn starts beside its attempts in flight, so a hanging request doesn't delay the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { newId } from '../../platform/values/ids.ts';
import { deadJobs, dropKey, removeJob, wakeWebhooks } from '../webhooks/subscriptions/wake-webhooks.ts';
import type { Attempt } from './attempt.ts';
import {
  type Claimant,
  type ClaimedDelivery,
  type ClaimResult,
  claimDue,
  releaseDeliveries,
  type SubscriptionQueue,
  takeOver,
} from './claim-deliveries.ts';
import { hasFailed, recordAttempts } from './record-attempts.ts';
import { type SenderOptions, sendAttempt } from './send-attempt.ts';

/** Concurrent attempts to a subscription without a known success, or after a failure. */
const firstWindow = 20;
/** Minimum per turn, regardless of other turns in this process. */
const minInFlight = 10;
/** Initial wait when other turns use up the budget; doubles each time. */
const firstBlockedMs = 20;
const firstPauseMs = 100;
const maxPauseMs = 2_000;

export interface TurnOptions extends SenderOptions {
  db: Database;
  mail: MailQueue;
  /** How long to retry recording an attempt while the database is unavailable. */
  graceMs: number;
  /** Concurrent attempts per subscription across processes, while its receiver responds well. */
  inFlightPerSubscription: number;
  /** How long a turn claims new deliveries. */
  turnMs: number;
  /** How long it waits for more when nothing is due. */
  lingerMs: number;
  /** Poll interval while attempts are in flight. */
  pollMs: number;
}

/** Attempts in flight in this process, across turns. */
export interface Budget {
  remaining: number;
}

export class Turn {
  readonly #options: TurnOptions;
  readonly #queue: SubscriptionQueue;
  readonly #claimant: Claimant;
  readonly #budget: Budget;
  /** Concurrency window, including other turns: grows with each success, and resets after a failure. */
  #window: number;
  #underWay = 0;
  #mayBeDue = true;
  #nextAt: string | undefined;
  /** Next due time of the retries that this turn has recorded. */
  #retryAt: string | undefined;
  #ended: Attempt[] = [];
  #recording = false;
  #isStopping = false;
  #failure: unknown;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor(
    options: TurnOptions,
    queue: SubscriptionQueue,
    { job_id: jobId, budget }: { job_id: number; budget: Budget },
  ) {
    this.#options = options;
    this.#queue = queue;
    this.#claimant = { job_id: jobId, turn_id: newId() };
    this.#budget = budget;
    this.#window = this.#smallestWindow;
  }

  /** @throws the database error; the job is then retried */
  async run(): Promise<void> {
    const { db, turnMs } = this.#options;
    const endMs = performance.now() + turnMs;
    await this.#claimUntil(endMs);
    if (!this.#failure) await this.#claimLast(performance.now() < endMs);
    while (this.#underWay > 0) await this.#waitForChange(maxPauseMs);
    if (this.#failure) {
      await this.#withRetries(() => releaseDeliveries(this.#tenant, this.#queue, this.#claimant));
      throw this.#failure;
    }
    const [next] = [this.#nextAt, this.#retryAt].filter((at) => at !== undefined).sort();
    const runAt = this.#mayBeDue ? null : next;
    if (runAt !== undefined) await wakeWebhooks(db.global, this.#queue.company_id, [this.#queue.webhook_id], runAt);
    await removeJob(db.global, this.#claimant.job_id).catch(() => {}); // otherwise, the library removes it
  }

  nudge(): void {
    this.#mayBeDue = true;
    this.#signalChange();
  }

  stop(): void {
    this.#isStopping = true;
    this.#signalChange();
  }

  get #tenant() {
    return this.#options.db.tenant(this.#queue.company_id);
  }

  get #smallestWindow(): number {
    return Math.min(firstWindow, this.#options.inFlightPerSubscription);
  }

  get #room(): number {
    return Math.min(this.#window - this.#underWay, Math.max(minInFlight - this.#underWay, this.#budget.remaining));
  }

  async #claimUntil(endMs: number): Promise<void> {
    const { lingerMs, pollMs } = this.#options;
    let blockedMs = firstBlockedMs;
    while (!this.#isStopping && !this.#failure) {
      const remainingMs = endMs - performance.now();
      if (remainingMs <= 0) return;
      if (this.#mayBeDue && this.#room > 0) {
        const { rest_ms: restMs, deliveries } = await this.#claim(this.#room);
        const isBlocked = this.#mayBeDue && deliveries.length === 0;
        if (restMs !== null) await this.#waitOut(Math.min(restMs, remainingMs));
        else if (isBlocked) await this.#waitOut(Math.min(blockedMs, remainingMs));
        blockedMs = isBlocked ? Math.min(2 * blockedMs, pollMs) : firstBlockedMs;
        continue;
      }
      const isIdle = this.#underWay === 0 && !this.#mayBeDue;
      if (await this.#waitForChange(Math.min(isIdle ? lingerMs : pollMs, remainingMs))) continue;
      if (isIdle) return;
      this.#mayBeDue = true; // in case a notification was lost
    }
  }

  /** After this, new work gets a new job; this last claim finds what relied on this turn. */
  async #claimLast(hasTime: boolean): Promise<void> {
    const { db } = this.#options;
    try {
      await dropKey(db.global, this.#claimant.job_id);
    } catch (error) {
      this.#failure = error;
      return;
    }
    this.#mayBeDue = true;
    await this.#claim(hasTime && !this.#isStopping ? this.#room : 0);
    if (this.#underWay === 0 || !this.#mayBeDue || this.#failure) return;
    const { company_id: companyId, webhook_id: webhookId } = this.#queue;
    try {
      await wakeWebhooks(db.global, companyId, [webhookId]); // runs beside the attempts in flight
      this.#mayBeDue = false;
    } catch (error) {
      this.#failure = error;
    }
  }

  async #claim(maxDeliveries: number): Promise<Pick<ClaimResult, 'deliveries' | 'rest_ms'>> {
    this.#mayBeDue = false;
    const { log } = this.#options;
    this.#budget.remaining -= maxDeliveries;
    let found: ClaimResult | undefined;
    try {
      found = await claimDue(this.#tenant, this.#queue, {
        most: maxDeliveries,
        maxUnderWay: this.#window,
        ...this.#claimant,
      });
      this.#budget.remaining += maxDeliveries - found.deliveries.length;
      this.#underWay += found.deliveries.length;
      for (const delivery of found.deliveries) void this.#attempt(delivery);
      if (found.has_more) this.#mayBeDue = true;
      this.#nextAt = found.next_at ?? undefined;
      if (found.others.length > 0) await this.#takeOverDead(found.others);
    } catch (error) {
      if (!found) this.#budget.remaining += maxDeliveries;
      this.#failure = error;
      log.warn({ err: error, webhook_id: this.#queue.webhook_id }, "deliveries can't be claimed");
    }
    return found ?? { deliveries: [], rest_ms: null };
  }

  /** An earlier run of this job is dead, or this one wouldn't run. */
  async #takeOverDead(jobs: readonly number[]): Promise<void> {
    const { job_id: own } = this.#claimant;
    const others = jobs.filter((id) => id !== own);
    const deadIds = others.length > 0 ? await deadJobs(this.#options.db.global, others) : [];
    if (deadIds.length === 0 && !jobs.includes(own)) return;
    const deliveries = await takeOver(this.#tenant, this.#queue, this.#claimant, deadIds);
    if (deliveries === 0) return;
    this.#options.log.warn(
      { ...this.#queue, jobs: [...deadIds], deliveries },
      'deliveries of an interrupted turn are sent again',
    );
    this.#mayBeDue = true;
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const attempt = await sendAttempt(this.#options, this.#queue, delivery);
    this.#window = hasFailed(attempt)
      ? this.#smallestWindow
      : Math.min(this.#window + 1, this.#options.inFlightPerSubscription);
    this.#ended.push(attempt);
    if (!this.#recording) void this.#record();
  }

  /** Records batch by batch; attempts that end meanwhile form the next, so failures are counted in order. */
  async #record(): Promise<void> {
    const { mail, meter, log } = this.#options;
    this.#recording = true;
    for (let batch = this.#ended.splice(0); batch.length > 0; batch = this.#ended.splice(0)) {
      await this.#withRetries(async () => {
        const { turn_id: turnId } = this.#claimant;
        const recorded = await recordAttempts(this.#tenant, mail, this.#queue, turnId, batch);
        const { deactivated, next_at: nextAt } = recorded;
        if (nextAt && (!this.#retryAt || nextAt < this.#retryAt)) this.#retryAt = nextAt;
        if (!deactivated) return;
        meter.deactivated(deactivated);
        log.warn({ ...this.#queue, reason: deactivated }, 'webhook deactivated');
      });
      this.#underWay -= batch.length;
      this.#budget.remaining += batch.length;
      this.#signalChange();
    }
    this.#recording = false;
  }

  /** Retries for a while: our own outage isn't the receiver's failure. */
  async #withRetries(work: () => Promise<void>): Promise<void> {
    const endMs = performance.now() + this.#options.graceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        return await work();
      } catch (error) {
        this.#options.log.warn({ err: error, ...this.#queue }, "attempts can't be recorded yet");
        if (performance.now() + pauseMs > endMs) {
          this.#failure ??= error;
          return;
        }
        await sleep(pauseMs);
      }
    }
  }

  /** Waits out the rate limit, whatever else happens. */
  async #waitOut(ms: number): Promise<void> {
    const endMs = performance.now() + ms;
    for (let remainingMs = ms; remainingMs > 0 && !this.#isStopping; remainingMs = endMs - performance.now())
      await this.#waitForChange(remainingMs);
    this.#mayBeDue = true;
  }

  #signalChange(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }

  async #waitForChange(ms: number): Promise<boolean> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }
}
