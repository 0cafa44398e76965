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
import { dropKey, goneJobs, wakeWebhooks } from '../webhooks/subscriptions/wake-webhooks.ts';
import type { Attempt } from './attempt.ts';
import {
  type Claimant,
  type Claimed,
  type ClaimedDelivery,
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
  left: number;
}

export class Turn {
  readonly #options: TurnOptions;
  readonly #line: SubscriptionQueue;
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
    line: SubscriptionQueue,
    { job_id: jobId, budget }: { job_id: number; budget: Budget },
  ) {
    this.#options = options;
    this.#line = line;
    this.#claimant = { job_id: jobId, turn_id: newId() };
    this.#budget = budget;
    this.#window = this.#smallestWindow;
  }

  /** @throws the database error; the job is then retried */
  async run(): Promise<void> {
    const { db, turnMs } = this.#options;
    const endMs = performance.now() + turnMs;
    await this.#goOn(endMs);
    if (!this.#failure) await this.#lookLast(performance.now() < endMs);
    while (this.#underWay > 0) await this.#changes(maxPauseMs);
    if (this.#failure) {
      await this.#patiently(() => releaseDeliveries(this.#tenant, this.#line, this.#claimant));
      throw this.#failure;
    }
    const [next] = [this.#nextAt, this.#retryAt].filter((at) => at !== undefined).sort();
    const runAt = this.#mayBeDue ? null : next;
    if (runAt !== undefined) await wakeWebhooks(db.global, this.#line.company_id, [this.#line.webhook_id], runAt);
  }

  nudge(): void {
    this.#mayBeDue = true;
    this.#change();
  }

  stop(): void {
    this.#isStopping = true;
    this.#change();
  }

  get #tenant() {
    return this.#options.db.tenant(this.#line.company_id);
  }

  get #smallestWindow(): number {
    return Math.min(firstWindow, this.#options.inFlightPerSubscription);
  }

  get #room(): number {
    return Math.min(this.#window - this.#underWay, Math.max(minInFlight - this.#underWay, this.#budget.left));
  }

  async #goOn(endMs: number): Promise<void> {
    const { lingerMs, pollMs } = this.#options;
    let blockedMs = firstBlockedMs;
    while (!this.#isStopping && !this.#failure) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return;
      if (this.#mayBeDue && this.#room > 0) {
        const { rest_ms: restMs, deliveries } = await this.#claim(this.#room);
        const isBlocked = this.#mayBeDue && deliveries.length === 0;
        if (restMs !== null) await this.#rests(Math.min(restMs, leftMs));
        else if (isBlocked) await this.#rests(Math.min(blockedMs, leftMs));
        blockedMs = isBlocked ? Math.min(2 * blockedMs, pollMs) : firstBlockedMs;
        continue;
      }
      const isIdle = this.#underWay === 0 && !this.#mayBeDue;
      if (await this.#changes(Math.min(isIdle ? lingerMs : pollMs, leftMs))) continue;
      if (isIdle) return;
      this.#mayBeDue = true; // in case a notification was lost
    }
  }

  /** After this, new work gets a new job; this last claim finds what relied on this turn. */
  async #lookLast(hasTime: boolean): Promise<void> {
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
    const { company_id: companyId, webhook_id: webhookId } = this.#line;
    try {
      await wakeWebhooks(db.global, companyId, [webhookId]); // runs beside the attempts in flight
      this.#mayBeDue = false;
    } catch (error) {
      this.#failure = error;
    }
  }

  async #claim(most: number): Promise<Pick<Claimed, 'deliveries' | 'rest_ms'>> {
    this.#mayBeDue = false;
    const { log } = this.#options;
    this.#budget.left -= most;
    let found: Claimed | undefined;
    try {
      found = await claimDue(this.#tenant, this.#line, { most, maxUnderWay: this.#window, ...this.#claimant });
      this.#budget.left += most - found.deliveries.length;
      this.#underWay += found.deliveries.length;
      for (const delivery of found.deliveries) void this.#attempt(delivery);
      if (found.has_more) this.#mayBeDue = true;
      this.#nextAt = found.next_at ?? undefined;
      if (found.others.length > 0) await this.#takeOverFrom(found.others);
    } catch (error) {
      if (!found) this.#budget.left += most;
      this.#failure = error;
      log.warn({ err: error, webhook_id: this.#line.webhook_id }, "deliveries can't be claimed");
    }
    return found ?? { deliveries: [], rest_ms: null };
  }

  /** An earlier run of this job is dead, or this one wouldn't run. */
  async #takeOverFrom(jobs: readonly number[]): Promise<void> {
    const { job_id: own } = this.#claimant;
    const others = jobs.filter((id) => id !== own);
    const gone = others.length > 0 ? await goneJobs(this.#options.db.global, others) : [];
    if (gone.length === 0 && !jobs.includes(own)) return;
    this.#options.log.warn({ ...this.#line, jobs: [...gone] }, 'deliveries of an interrupted turn are sent again');
    await takeOver(this.#tenant, this.#line, this.#claimant, gone);
    this.#mayBeDue = true;
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const attempt = await sendAttempt(this.#options, this.#line, delivery);
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
      await this.#patiently(async () => {
        const { turn_id: turnId } = this.#claimant;
        const recorded = await recordAttempts(this.#tenant, mail, this.#line, turnId, batch);
        const { deactivated, next_at: nextAt } = recorded;
        if (nextAt && (!this.#retryAt || nextAt < this.#retryAt)) this.#retryAt = nextAt;
        if (!deactivated) return;
        meter.deactivated(deactivated);
        log.warn({ ...this.#line, reason: deactivated }, 'webhook deactivated');
      });
      this.#underWay -= batch.length;
      this.#budget.left += batch.length;
      this.#change();
    }
    this.#recording = false;
  }

  /** Retries for a while: our own outage isn't the receiver's failure. */
  async #patiently(work: () => Promise<void>): Promise<void> {
    const endMs = performance.now() + this.#options.graceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        return await work();
      } catch (error) {
        this.#options.log.warn({ err: error, ...this.#line }, "attempts can't be recorded yet");
        if (performance.now() + pauseMs > endMs) {
          this.#failure ??= error;
          return;
        }
        await sleep(pauseMs);
      }
    }
  }

  /** Waits out the rate limit, whatever else happens. */
  async #rests(ms: number): Promise<void> {
    const endMs = performance.now() + ms;
    for (let leftMs = ms; leftMs > 0 && !this.#isStopping; leftMs = endMs - performance.now())
      await this.#changes(leftMs);
    this.#mayBeDue = true;
  }

  #change(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }

  async #changes(ms: number): Promise<boolean> {
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
