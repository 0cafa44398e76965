/**
 * Audit entries for requests without changes: responses with salaries, refusals, downloads. They are batched and written a moment
 * later, so that reads stay fast.
 *
 * A crash, unlike a regular stop, loses the entries of the last `pauseMs`. While the database is unavailable they are buffered;
 * when the buffer is full, requests that need an entry are rejected, so no salary is shown without a record.
 */

import { isUnavailable, serviceUnavailable } from '../../contract/problem.ts';
import type { Database } from '../db/client.ts';
import type { Logger } from '../observe/log.ts';
import { type AuditEntry, type AuditRow, auditRow, recordAuditRows } from './entry.ts';

const pauseMs = 250;
/** After a failure. */
const longPauseMs = 5_000;
const maxWaiting = 10_000;
const rowsPerStatement = 500;
/** A repeated refusal or download is recorded once in this time. */
const repeatPauseMs = 60_000;
const maxRepeatsRemembered = 10_000;

export interface AuditRecorder {
  /**
   * @param sameAs entries with the same text are merged, with their number in `details.times`
   * @throws 503 when the buffer is full
   */
  add(companyId: string, entry: AuditEntry, sameAs?: string): void;
  /** Records only the first of equal entries within a minute. @throws 503 when the buffer is full */
  addOnce(companyId: string, entry: AuditEntry, sameAs: string): void;
  /** A refused request; repeats within a minute are dropped. */
  addRefusal(companyId: string, entry: AuditEntry): void;
  flush(): Promise<void>;
  /** Writes buffered entries; those that fail are lost. */
  close(): Promise<void>;
}

interface Waiting {
  company_id: string;
  row: AuditRow;
}

export function createAuditRecorder({ db, log }: { db: Database; log: Logger }): AuditRecorder {
  let waiting = new Map<string, Waiting>();
  let writing: Promise<void> = Promise.resolve();
  let writingCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const isRepeat = rememberRepeats();

  const isFull = () => waiting.size + writingCount >= maxWaiting;

  const enqueue = (item: Waiting, sameAs?: string) => {
    const key = `${item.company_id} ${sameAs ?? item.row.id}`;
    const known = waiting.get(key);
    if (known) {
      const { times = 1 } = (known.row.details ?? {}) as { times?: number };
      known.row.details = { ...known.row.details, times: times + 1 };
      return;
    }
    waiting.set(key, item);
    timer ??= setTimeout(() => void flush(), pauseMs);
  };

  const write = async () => {
    const items = [...waiting.values()];
    waiting = new Map();
    writingCount = items.length;
    const failed: Waiting[] = [];
    for (const [companyId, waited] of Map.groupBy(items, (item) => item.company_id)) {
      const rows = waited.map(({ row }) => row);
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const batch = rows.slice(at, at + rowsPerStatement);
        try {
          await db.tenant(companyId).transaction(async (tx) => recordAuditRows(tx, batch));
        } catch (error) {
          log.error({ err: error, company_id: companyId, entries: batch.length }, 'audit entries could not be written');
          if (isUnavailable(error)) failed.push(...batch.map((row) => ({ company_id: companyId, row })));
        }
      }
    }
    writingCount = 0;
    if (failed.length > 0) timer ??= setTimeout(() => void flush(), longPauseMs);
    for (const item of failed) enqueue(item);
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error) => log.error({ err: error }, 'audit entries could not be written'));
    return writing;
  };

  return {
    add(companyId, entry, sameAs) {
      if (isFull()) throw serviceUnavailable(new Error('too many audit entries wait'));
      enqueue({ company_id: companyId, row: auditRow(entry) }, sameAs);
    },
    addOnce(companyId, entry, sameAs) {
      if (isFull()) throw serviceUnavailable(new Error('too many audit entries wait'));
      if (isRepeat(`${companyId} ${sameAs}`)) return;
      enqueue({ company_id: companyId, row: auditRow(entry) }, sameAs);
    },
    addRefusal(companyId, entry) {
      const { action, actor, details } = entry;
      const key = JSON.stringify([companyId, action, actor, details]);
      if (isFull() || isRepeat(key)) return;
      enqueue({ company_id: companyId, row: auditRow({ ...entry, outcome: 'refused' }) });
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

/** @returns whether the key was seen within the last minute; an evicted key is recorded once more */
function rememberRepeats(): (key: string) => boolean {
  const endsMs = new Map<string, number>();
  return (key) => {
    const nowMs = performance.now();
    if ((endsMs.get(key) ?? 0) > nowMs) return true;
    if (endsMs.size >= maxRepeatsRemembered) endsMs.clear();
    endsMs.set(key, nowMs + repeatPauseMs);
    return false;
  };
}
