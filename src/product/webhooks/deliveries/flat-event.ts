/** The flat form of an event: one object without nested objects or arrays. `PayloadFormat` in the contract has its rules. */
import type { components } from '../../../../generated/api.ts';
import { namespaceOf } from '../subscriptions/event-patterns.ts';

export type FlatEvent = components['schemas']['PerformListItem'];
type Scalar = string | number | boolean | null;

interface FlatSource {
  id: string;
  event: string;
  event_type: string;
  timestamp: string;
  idempotency_key?: string | null | undefined;
  data?: object | undefined;
}

export function flatForm(source: FlatSource): FlatEvent {
  const { id, event, event_type: eventType, timestamp, idempotency_key: idempotencyKey, data = {} } = source;
  const envelope = {
    id,
    event,
    event_type: eventType,
    timestamp,
    ...(idempotencyKey && { idempotency_key: idempotencyKey }),
  };
  const fields = Object.entries(data).flatMap(([name, value]) =>
    flattened(name === 'id' ? `${namespaceOf(event)}_id` : name, value),
  );
  // A payload field must not override an envelope field.
  const own = fields.filter(([name]) => !Object.hasOwn(envelope, name));
  return Object.fromEntries<Scalar>([...Object.entries(envelope), ...own]) as FlatEvent;
}

function flattened(name: string, value: unknown): [name: string, value: Scalar][] {
  if (Array.isArray(value)) return [[name, value.map(itemText).join(', ')]];
  if (typeof value !== 'object' || value === null) return [[name, value as Scalar]];
  return Object.entries(value).flatMap(([member, inner]) => flattened(`${name}__${member}`, inner));
}

function itemText(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}
