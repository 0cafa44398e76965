/** Sample events for subscribers without real ones, from the contract's examples. */

import { type FlatEvent, flatForm } from './deliveries/flat-event.ts';
import { matches } from './subscriptions/event-patterns.ts';
import { eventTypes } from './subscriptions/event-types.ts';

/** Reserved events only have the common fields. */
const timestamp = '2026-03-02T09:15:00.000Z';

export function sampleEvents(pattern: string): FlatEvent[] {
  const types = eventTypes.filter(({ name }) => matches(pattern, name));
  return types.map(({ name, event_type: eventType, example }) => {
    return flatForm({ ...(example?.data ?? { event_type: eventType, timestamp }), id: `sample-${name}`, event: name });
  });
}
