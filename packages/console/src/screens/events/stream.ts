/**
 * Events as they come: each answer says where it ended, and the next request goes on from there, so none is missed and none comes
 * twice. What was read stays until there is too much of it to look at.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CompanyEvent, type EventFilters, eventPage } from '../../api/events.ts';
import { live_every_ms } from '../../api/webhooks.ts';

/** Nobody reads through more; who needs them has the address of the API. */
const most_kept = 2_000;
/** Then what was read is shown first. */
const pages_at_once = 5;

export interface Stream {
  /** The newest first. */
  events: CompanyEvent[];
  position: string | undefined;
  /** Whether more wait than were read so far. */
  is_behind: boolean;
  /** Whether some were lost, because they are kept for a time only. */
  has_gap: boolean;
  /** Whether there were more than are kept here. */
  is_cut: boolean;
}

const beginning: Stream = { events: [], position: undefined, is_behind: false, has_gap: false, is_cut: false };

export function useEventStream(company: string, filters: EventFilters, live: boolean) {
  const queries = useQueryClient();
  const queryKey = [company, 'events', filters];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => readOn(company, filters, queries.getQueryData<Stream>(queryKey) ?? beginning),
    refetchInterval: ({ state }) =>
      live && !(state.data && isFull(state.data)) && (state.data?.is_behind ? 1 : live_every_ms),
    refetchOnWindowFocus: live,
  });
  return { stream: data, error, refetch, forget: () => queries.removeQueries({ queryKey }) };
}

/** Who began long ago is shown that much, and goes on when they want to. */
export function isFull({ is_behind, events }: Stream): boolean {
  return is_behind && events.length >= most_kept;
}

async function readOn(company: string, filters: EventFilters, before: Stream): Promise<Stream> {
  let now = before;
  for (let page = 0; page < pages_at_once && !isFull(now) && (page === 0 || now.is_behind); page += 1) {
    const { data, pagination, position, has_gap } = await eventPage(company, filters, now.position);
    const events = [...data.toReversed(), ...now.events];
    now = {
      events: events.slice(0, most_kept),
      position,
      is_behind: pagination.hasMore,
      has_gap: now.has_gap || has_gap,
      is_cut: now.is_cut || events.length > most_kept,
    };
  }
  return now;
}
