/** The event types, as the contract describes them: in its order, followed by reserved names. */
import type { components } from '../../../../generated/api.ts';
import { contract, resolve } from '../../../contract/contract.ts';
import { fromContract, type Text, t } from '../../../contract/languages/text.ts';
import { patternsFor } from './event-patterns.ts';

type EventType = Omit<components['schemas']['EventType'], 'description'> & { description: Text };

export const payloadVersion = contract.info['x-webhook-payload-version'] as '1.0.0';

export const eventTypes: readonly EventType[] = [...sentTypes(), ...reservedTypes()];

export const knownPatterns: ReadonlySet<string> = new Set(eventTypes.flatMap(({ name }) => patternsFor(name)));

function sentTypes(): EventType[] {
  return Object.entries(contract.webhooks).map(([name, { post }]) => {
    const [example] = Object.values(post.requestBody.content['application/json'].examples);
    const body = (resolve(example!) as { value: components['schemas']['EventEnvelope'] }).value;
    const description = fromContract(post.description.trim().replaceAll('\n', ' '));
    return {
      name,
      event_type: body.data.event_type,
      description,
      payload_version: payloadVersion,
      sent: true,
      example: body,
    };
  });
}

function reservedTypes(): EventType[] {
  const names = contract.components.schemas.EventName!['x-extensible-enum'] as string[];
  const reserved = names.filter((name) => !(name in contract.webhooks));
  const description = t`Reserved. Not sent yet.`;
  return reserved.map((name) => {
    return {
      name,
      event_type: className(name),
      description,
      payload_version: payloadVersion,
      sent: false,
      example: null,
    };
  });
}

/** For example `DeviceUpdated` for `device.updated`. */
function className(name: string): string {
  const words = name.split(/[._]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
