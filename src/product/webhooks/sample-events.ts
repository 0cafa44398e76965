/** Sample events for subscribers who have had none yet: made from the examples of the contract. */

import { type FlatEvent, flatForm } from './deliveries/flat-event.ts';
import { matches } from './subscriptions/event-patterns.ts';
import { eventTypes } from './subscriptions/event-types.ts';

/** Of events that are only reserved nothing is known but what all events have. */
const timestamp = '2026-03-02T09:15:00.000Z';

/** One for each event that matches, always the same. */
export function sampleEvents(pattern: string): FlatEvent[] {
  const types = eventTypes.filter(({ name }) => matches(pattern, name));
  return types.map(({ name, event_type: eventType, example }) => {
    return flatForm({ ...(example?.data ?? { event_type: eventType, timestamp }), id: `sample-${name}`, event: name });
  });
}
