/**
 * The events of a company as they happen, in the order of the service's list. The list is read again and again from a cursor
 * that stands just before the last event that was seen, because the end of a list has no cursor of its own.
 */
import type { CompanyEvent, CursorPage } from '../service/answers.ts';

interface FeedOptions {
  /** RFC 3339: what happened before it is left out. */
  since: string;
  /** Sent to the service: undefined for all events. */
  pattern: string | undefined;
}

/** Reads a page. @throws CursorRefused when the service does not take the cursor */
export type ReadPage = (query: URLSearchParams) => Promise<CursorPage<CompanyEvent>>;

/** Thrown by `ReadPage`. */
export class CursorRefused extends Error {
  override name = 'CursorRefused';
}

const largestPage = 100;
/** After a cursor was refused, the list is read from this much before the last event: its order is not quite that of time. */
const overlapMs = 60_000;
/** Ids that are kept, to leave out what came before. */
const mostKnown = 10_000;

export function createFeed(read: ReadPage, { since, pattern }: FeedOptions) {
  let begin = since;
  let cursor: string | null = null;
  const known = new Set<string>();
  let last: CompanyEvent | undefined;

  const page = (limit: number) => {
    const query = new URLSearchParams({ since: begin, limit: String(limit) });
    if (pattern !== undefined) query.set('event', pattern);
    if (cursor !== null) query.set('cursor', cursor);
    return read(query);
  };

  /** Puts the cursor before the last of these events, which end the list. */
  const moveBefore = async (count: number) => {
    if (count < 2) return;
    const { data, pagination } = await page(count - 1);
    if (data.every(({ id }) => known.has(id))) cursor = pagination.nextCursor ?? cursor;
  };

  return {
    /** What happened since the last call, at most a page of it; the same again until `taken` was told of it. */
    async next(): Promise<CompanyEvent[]> {
      try {
        const { data, pagination } = await page(largestPage);
        const fresh = data.filter(({ id }) => !known.has(id));
        if (fresh.length === 0 && pagination.nextCursor !== null) {
          cursor = pagination.nextCursor;
          return this.next();
        }
        if (fresh.length === 0) await moveBefore(data.length);
        return fresh;
      } catch (error) {
        if (!(error instanceof CursorRefused) || cursor === null) throw error;
        // The service has other keys than before: the place is found again by time.
        cursor = null;
        if (last) begin = new Date(Math.max(Date.parse(last.timestamp) - overlapMs, Date.parse(since))).toISOString();
        return this.next();
      }
    },
    /** This event needs not be read again. */
    taken(event: CompanyEvent): void {
      last = event;
      known.add(event.id);
      if (known.size > mostKnown) known.delete(known.values().next().value!);
    },
  };
}
