/**
 * Events as they come: each answer says where it ended, and the next request goes on from there, so none is missed and none comes
 * twice. What was read stays until there is too much of it to look at.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CompanyEvent, type EventFilters, eventPage } from '../../api/events.ts';
import { liveEveryMs } from '../../api/webhooks.ts';

/** Nobody reads through more; who needs them has the address of the API. */
const mostKept = 2_000;
/** Then what was read is shown first. */
const pagesAtOnce = 5;

export interface Stream {
  /** The newest first. */
  events: CompanyEvent[];
  position: string | undefined;
  /** Whether more wait than were read so far. */
  isBehind: boolean;
  /** Whether some were lost, because they are kept for a time only. */
  has_gap: boolean;
  /** Whether there were more than are kept here. */
  isCut: boolean;
}

const beginning: Stream = { events: [], position: undefined, isBehind: false, has_gap: false, isCut: false };

export function useEventStream(company: string, filters: EventFilters, live: boolean) {
  const queries = useQueryClient();
  const queryKey = [company, 'events', filters];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => readOn(company, filters, queries.getQueryData<Stream>(queryKey) ?? beginning),
    refetchInterval: ({ state }) =>
      live && !(state.data && isFull(state.data)) && (state.data?.isBehind ? 1 : liveEveryMs),
    refetchOnWindowFocus: live,
  });
  return { stream: data, error, refetch, forget: () => queries.removeQueries({ queryKey }) };
}

/** Who began long ago is shown that much, and goes on when they want to. */
export function isFull({ isBehind, events }: Stream): boolean {
  return isBehind && events.length >= mostKept;
}

async function readOn(company: string, filters: EventFilters, before: Stream): Promise<Stream> {
  let now = before;
  for (let page = 0; page < pagesAtOnce && !isFull(now) && (page === 0 || now.isBehind); page += 1) {
    const { data, pagination, position, has_gap: hasGap } = await eventPage(company, filters, now.position);
    const events = [...data.toReversed(), ...now.events];
    now = {
      events: events.slice(0, mostKept),
      position,
      isBehind: pagination.hasMore,
      has_gap: now.has_gap || hasGap,
      isCut: now.isCut || events.length > mostKept,
    };
  }
  return now;
}
