/** The events this service sends: the name subscribers see, the class name in `data.event_type`, and the payload. */
import type { components, webhooks } from '../../generated/api.ts';

export type EventName = keyof webhooks & keyof Payloads;

export type EventPayload<N extends EventName> = Payloads[N];

interface Payloads {
  'collaborator.created': components['schemas']['CollaboratorEvent'];
}

export const eventClasses: Record<EventName, string> = {
  'collaborator.created': 'CollaboratorCreated',
};
