/** Sample events for subscribers who have had none yet: made from the examples of the contract. */

import { matches } from './event-patterns.ts';
import { eventTypes } from './event-types.ts';
import { type FlatEvent, flatForm } from './flat-event.ts';

/** One for each event that matches and is sent, always the same. */
export function sampleEvents(pattern: string): FlatEvent[] {
  return eventTypes.flatMap(({ name, example }) => {
    if (!example || !matches(pattern, name)) return [];
    return flatForm({ ...example.data, id: `sample-${name}`, event: name });
  });
}
