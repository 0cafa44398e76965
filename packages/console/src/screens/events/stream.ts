/** Live event stream: each request continues at the previous position, so no event is missed or repeated. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CompanyEvent, type EventFilters, eventPage } from '../../api/events.ts';
import { pollIntervalMs } from '../../api/webhooks.ts';

/** Nobody scrolls further; programs use the API. */
const maxEvents = 2_000;
/** Renders after this many pages, before reading on. */
const pagesAtOnce = 5;

export interface Stream {
  /** Newest first. */
  events: CompanyEvent[];
  position: string | undefined;
  /** Whether more events are waiting. */
  hasMore: boolean;
  /** Whether some events had expired before they were read. */
  has_gap: boolean;
  /** Whether older events were dropped here. */
  isTruncated: boolean;
}

const emptyStream: Stream = { events: [], position: undefined, hasMore: false, has_gap: false, isTruncated: false };

export function useEventStream(company: string, filters: EventFilters, live: boolean) {
  const queries = useQueryClient();
  const queryKey = [company, 'events', filters];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => readNext(company, filters, queries.getQueryData<Stream>(queryKey) ?? emptyStream),
    refetchInterval: ({ state }) =>
      live && !(state.data && isFull(state.data)) && (state.data?.hasMore ? 1 : pollIntervalMs),
    refetchOnWindowFocus: live,
  });
  return { stream: data, error, refetch, reset: () => queries.removeQueries({ queryKey }) };
}

/** When starting far back, stop at the limit until the user continues. */
export function isFull({ hasMore, events }: Stream): boolean {
  return hasMore && events.length >= maxEvents;
}

async function readNext(company: string, filters: EventFilters, before: Stream): Promise<Stream> {
  let now = before;
  for (let page = 0; page < pagesAtOnce && !isFull(now) && (page === 0 || now.hasMore); page += 1) {
    const { data, pagination, position, has_gap: hasGap } = await eventPage(company, filters, now.position);
    const events = [...data.toReversed(), ...now.events];
    now = {
      events: events.slice(0, maxEvents),
      position,
      hasMore: pagination.hasMore,
      has_gap: now.has_gap || hasGap,
      isTruncated: now.isTruncated || events.length > maxEvents,
    };
  }
  return now;
}
