/** Polls a company's events in order. The end of a list has no cursor, so it resumes just before the last seen event. */
import type { CompanyEvent, CursorPage } from '../service/responses.ts';

interface FeedOptions {
  /** RFC 3339; older events are skipped. */
  since: string;
  /** Filter sent to the service; undefined for all events. */
  pattern: string | undefined;
}

/** Reads a page. @throws CursorRejected when the service rejects the cursor */
export type ReadPage = (query: URLSearchParams) => Promise<CursorPage<CompanyEvent>>;

export class CursorRejected extends Error {
  override name = 'CursorRefused';
}

const maxPageSize = 100;
/** How far before the last event to resume after a rejected cursor: list order is only roughly time order. */
const overlapMs = 60_000;
const maxKnownIds = 10_000;

export function createFeed(read: ReadPage, { since, pattern }: FeedOptions) {
  let resumeFrom = since;
  let cursor: string | null = null;
  const knownIds = new Set<string>();
  let last: CompanyEvent | undefined;

  const page = (limit: number) => {
    const query = new URLSearchParams({ since: resumeFrom, limit: String(limit) });
    if (pattern !== undefined) query.set('event', pattern);
    if (cursor !== null) query.set('cursor', cursor);
    return read(query);
  };

  /** Moves the cursor to just before the last of these events, which are the end of the list. */
  const moveBefore = async (count: number) => {
    if (count < 2) return;
    const { data, pagination } = await page(count - 1);
    if (data.every(({ id }) => knownIds.has(id))) cursor = pagination.nextCursor ?? cursor;
  };

  return {
    /** Returns up to a page of new events; returns the same ones again until each is passed to `acknowledge`. */
    async next(): Promise<CompanyEvent[]> {
      try {
        const { data, pagination } = await page(maxPageSize);
        const fresh = data.filter(({ id }) => !knownIds.has(id));
        if (fresh.length === 0 && pagination.nextCursor !== null) {
          cursor = pagination.nextCursor;
          return this.next();
        }
        if (fresh.length === 0) await moveBefore(data.length);
        return fresh;
      } catch (error) {
        if (!(error instanceof CursorRejected) || cursor === null) throw error;
        // The service's keys have changed: resume by time.
        cursor = null;
        if (last)
          resumeFrom = new Date(Math.max(Date.parse(last.timestamp) - overlapMs, Date.parse(since))).toISOString();
        return this.next();
      }
    },
    /** Acknowledges an event, so that it is not returned again. */
    acknowledge(event: CompanyEvent): void {
      last = event;
      knownIds.add(event.id);
      if (knownIds.size > maxKnownIds) knownIds.delete(knownIds.values().next().value!);
    },
  };
}
