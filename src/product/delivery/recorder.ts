/**
 * Writes down what has ended, one batch after the other: what ends meanwhile is the next batch. Nothing waits for a batch to
 * fill.
 *
 * The subscriptions of a company that have only successes share a batch. A subscription with a failure has a transaction of its
 * own, and so has one that somebody has locked: the others do not wait for it. A subscription is in one batch at a time, so that
 * its failures are counted in the order in which they ended.
 *
 * - To share saves statements: with ten receivers a delivery costs Postgres a quarter less, and the worker a tenth.
 * - It costs this file, and a statement that takes several subscriptions (`write-attempts.ts`).
 * - To do without it, let `sharesWithNobody` say so always.
 * - When it is wrong, `test/product/delivery/recorded-together.test.ts` fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Attempt } from './attempt.ts';
import type { Line } from './claim-deliveries.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { hasFailed, recordAttempts, recordSuccesses } from './record-attempt.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;

interface RecorderTools {
  db: Database;
  mail: MailQueue;
  meter: DeliveryMeter;
  log: Logger;
}

interface Ended {
  attempt: Attempt;
  /** Free when it is recorded. */
  place: Place;
}

export interface Place {
  free(): void;
}

/** What has ended of a subscription, in this order. */
type Batch<L> = readonly [line: L, all: Ended[]];

interface OfCompany<L> {
  /** Not in a batch yet. */
  ended: Map<L, Ended[]>;
  /** In one. */
  recording: Set<L>;
  /** Whether one of several subscriptions is under way. */
  isShared: boolean;
}

export class Recorder<L extends Line> {
  readonly #tools: RecorderTools;
  readonly #recorded: (batches: readonly Batch<L>[]) => void;
  readonly #companies = new Map<string, OfCompany<L>>();

  /** @param recorded told of what is recorded, or given up because its lease has ended */
  constructor(tools: RecorderTools, recorded: (batches: readonly Batch<L>[]) => void) {
    this.#tools = tools;
    this.#recorded = recorded;
  }

  add(line: L, ended: Ended): void {
    const company = this.#companies.get(line.company_id) ?? this.#begin(line.company_id);
    const before = company.ended.get(line);
    if (before) before.push(ended);
    else company.ended.set(line, [ended]);
    this.#next(line.company_id, company);
  }

  #begin(companyId: string): OfCompany<L> {
    const company = { ended: new Map(), recording: new Set<L>(), isShared: false };
    this.#companies.set(companyId, company);
    return company;
  }

  #next(companyId: string, company: OfCompany<L>): void {
    const together: Batch<L>[] = [];
    for (const batch of company.ended) {
      const [line] = batch;
      const isAlone = sharesWithNobody(company, batch);
      if (company.recording.has(line) || (company.isShared && !isAlone)) continue;
      company.ended.delete(line);
      company.recording.add(line);
      if (isAlone) void this.#alone(company, batch);
      else together.push(batch);
    }
    if (together.length > 0) void this.#together(companyId, company, together);
    else if (company.ended.size === 0 && company.recording.size === 0) this.#companies.delete(companyId);
  }

  async #together(companyId: string, company: OfCompany<L>, batches: readonly Batch<L>[]): Promise<void> {
    company.isShared = true;
    const recorded = await this.#recordTogether(companyId, batches);
    company.isShared = false;
    const isRecorded = ([{ webhook_id: webhookId }]: Batch<L>) => recorded.has(webhookId);
    for (const batch of batches) if (!isRecorded(batch)) void this.#alone(company, batch);
    this.#end(companyId, company, batches.filter(isRecorded));
  }

  async #alone(company: OfCompany<L>, [line, all]: Batch<L>): Promise<void> {
    await this.#recordPatiently(
      line,
      all.map(({ attempt }) => attempt),
    );
    this.#end(line.company_id, company, [[line, all]]);
  }

  #end(companyId: string, company: OfCompany<L>, batches: readonly Batch<L>[]): void {
    for (const [line] of batches) company.recording.delete(line);
    this.#recorded(batches);
    this.#next(companyId, company);
  }

  /** @returns the subscriptions of which it is; what is wrong with one of them is found when each is recorded alone */
  async #recordTogether(companyId: string, batches: readonly Batch<L>[]): Promise<Set<string>> {
    const { db, log } = this.#tools;
    const ended = batches.flatMap(([{ webhook_id: webhookId }, all]) =>
      all.map(({ attempt }) => ({ webhook_id: webhookId, attempt })),
    );
    try {
      return await recordSuccesses(db.tenant(companyId), ended);
    } catch (error) {
      log.warn({ err: error, company_id: companyId, attempts: ended.length }, 'attempts can not be recorded together');
      return new Set();
    }
  }

  /** Our own outage is not the receiver's: the record is kept for as long as the lease holds. */
  async #recordPatiently({ company_id: companyId, webhook_id: webhookId }: Line, batch: Attempt[]): Promise<void> {
    const { db, mail, meter, log } = this.#tools;
    const line = { company_id: companyId, webhook_id: webhookId };
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const deactivated = await recordAttempts(db.tenant(companyId), mail, line, batch);
        if (deactivated) {
          meter.deactivated(deactivated);
          log.warn({ ...line, reason: deactivated }, 'webhook deactivated');
        }
        return;
      } catch (error) {
        const leased = batch.filter(({ delivery }) => Date.parse(delivery.lease_until) > Date.now() + pauseMs);
        log.warn({ err: error, ...line, attempts: batch.length }, 'attempts can not be recorded yet');
        if (leased.length === 0) return;
        await sleep(pauseMs);
      }
    }
  }
}

/** After a failure, or because nothing else has ended. */
function sharesWithNobody<L>({ ended, recording }: OfCompany<L>, [, all]: Batch<L>): boolean {
  return all.some(({ attempt }) => hasFailed(attempt)) || (ended.size === 1 && recording.size === 0);
}
