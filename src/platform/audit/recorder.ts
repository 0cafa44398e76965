/**
 * Audit entries about what changed nothing: answers with salaries, refusals, fetched files. They are collected and
 * written a moment later, for all requests together, so that reads stay fast.
 *
 * A crash (not a stop) loses the entries of the last `pause_ms`. While the database accepts none they wait; when too
 * many wait, requests that would add another are refused: no salary is shown that can not be recorded.
 */

import { isUnavailable, serviceUnavailable } from '../../contract/problem.ts';
import type { Database } from '../db/client.ts';
import type { Logger } from '../observe/log.ts';
import { type AuditEntry, type AuditRow, auditRow, recordAuditRows } from './entry.ts';

const pause_ms = 250;
/** After a failure. */
const long_pause_ms = 5_000;
const most_waiting = 10_000;
const rows_a_statement = 500;
/** A refusal or a download that repeats is recorded once in this time. */
const repeat_pause_ms = 60_000;
const most_repeats_remembered = 10_000;

export interface AuditRecorder {
  /**
   * @param same_as entries with the same text become one, whose `details.times` says how many they were
   * @throws 503 when too many wait
   */
  add(company_id: string, entry: AuditEntry, same_as?: string): void;
  /**
   * The first of entries with the same text in a minute; those that follow are left out.
   * @throws 503 when too many wait
   */
  addOnce(company_id: string, entry: AuditEntry, same_as: string): void;
  /** A refused request. Repeats within a minute are left out. */
  addRefusal(company_id: string, entry: AuditEntry): void;
  /** Writes what is gathered now. */
  flush(): Promise<void>;
  /** Writes what is gathered; what the database does not take then is lost. */
  close(): Promise<void>;
}

interface Waiting {
  company_id: string;
  row: AuditRow;
}

export function createAuditRecorder({ db, log }: { db: Database; log: Logger }): AuditRecorder {
  let waiting = new Map<string, Waiting>();
  let writing: Promise<void> = Promise.resolve();
  let in_writing = 0;
  let timer: NodeJS.Timeout | undefined;
  const isRepeat = rememberRepeats();

  const isFull = () => waiting.size + in_writing >= most_waiting;

  const gather = (item: Waiting, same_as?: string) => {
    const key = `${item.company_id} ${same_as ?? item.row.id}`;
    const known = waiting.get(key);
    if (known) {
      const { times = 1 } = (known.row.details ?? {}) as { times?: number };
      known.row.details = { ...known.row.details, times: times + 1 };
      return;
    }
    waiting.set(key, item);
    timer ??= setTimeout(() => void flush(), pause_ms);
  };

  const write = async () => {
    const items = [...waiting.values()];
    waiting = new Map();
    in_writing = items.length;
    const failed: Waiting[] = [];
    for (const [company_id, waited] of Map.groupBy(items, (item) => item.company_id)) {
      const rows = waited.map(({ row }) => row);
      for (let at = 0; at < rows.length; at += rows_a_statement) {
        const some = rows.slice(at, at + rows_a_statement);
        try {
          await db.tenant(company_id).transaction(async (tx) => recordAuditRows(tx, some));
        } catch (error) {
          log.error({ err: error, company_id, entries: some.length }, 'audit entries could not be written');
          if (isUnavailable(error)) failed.push(...some.map((row) => ({ company_id, row })));
        }
      }
    }
    in_writing = 0;
    if (failed.length > 0) timer ??= setTimeout(() => void flush(), long_pause_ms);
    for (const item of failed) gather(item);
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error) => log.error({ err: error }, 'audit entries could not be written'));
    return writing;
  };

  return {
    add(company_id, entry, same_as) {
      if (isFull()) throw serviceUnavailable(new Error('too many audit entries wait'));
      gather({ company_id, row: auditRow(entry) }, same_as);
    },
    addOnce(company_id, entry, same_as) {
      if (isFull()) throw serviceUnavailable(new Error('too many audit entries wait'));
      if (isRepeat(`${company_id} ${same_as}`)) return;
      gather({ company_id, row: auditRow(entry) }, same_as);
    },
    addRefusal(company_id, entry) {
      const { action, actor, details } = entry;
      const key = JSON.stringify([company_id, action, actor, details]);
      if (isFull() || isRepeat(key)) return;
      gather({ company_id, row: auditRow({ ...entry, outcome: 'refused' }) });
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

/** @returns whether the same key was asked for within the last minute; what is forgotten too early is recorded once more */
function rememberRepeats(): (key: string) => boolean {
  const ends_ms = new Map<string, number>();
  return (key) => {
    const now_ms = performance.now();
    if ((ends_ms.get(key) ?? 0) > now_ms) return true;
    if (ends_ms.size >= most_repeats_remembered) ends_ms.clear();
    ends_ms.set(key, now_ms + repeat_pause_ms);
    return false;
  };
}
