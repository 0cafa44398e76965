/** Event filters in the URL. Empty filters are omitted. */
import type { EventFilters } from '../../api/events.ts';

export function readEventFilters({ event, since, position }: Record<string, unknown>): EventFilters {
  return {
    ...(typeof event === 'string' && event !== '' && { event }),
    ...(typeof since === 'string' && !Number.isNaN(Date.parse(since)) && { since }),
    ...(typeof position === 'string' && position.trim() !== '' && { position: position.trim() }),
  };
}
