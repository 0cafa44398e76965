/**
 * The body of a webhook request, encoded once per attempt, so that the signed bytes are the sent ones. The stored payload is
 * inserted unchanged: an event and an attempt's time reproduce the body.
 */
import type { Selectable } from 'kysely';
import type { Events } from '../../../../generated/db.ts';
import { flatForm } from './flat-event.ts';

export type EventRow = Pick<Selectable<Events>, (typeof eventColumns)[number]>;

export const eventColumns = [
  'id',
  'name',
  'event_type',
  'payload',
  'idempotency_key',
  'created_at',
] as const satisfies (keyof Events)[];

/** @param sentAt time of the attempt; the flat form omits it */
export function encodeBody(event: EventRow, sentAt: string, format: string): string {
  if (format === 'flat') return JSON.stringify(flatEvent(event));
  const members = [
    `"event_type":${JSON.stringify(event.event_type)}`,
    `"timestamp":${JSON.stringify(event.created_at)}`,
  ];
  if (event.payload !== null) members.push(`"data":${event.payload}`);
  if (event.idempotency_key !== null) members.push(`"idempotency_key":${JSON.stringify(event.idempotency_key)}`);
  const head = `"event":${JSON.stringify(event.name)},"timestamp":${JSON.stringify(sentAt)}`;
  return `{${head},"data":{${members.join(',')}}}`;
}

export function flatEvent({
  id,
  name,
  event_type: eventType,
  payload,
  idempotency_key: idempotencyKey,
  created_at: createdAt,
}: EventRow) {
  const data = payload === null ? undefined : JSON.parse(payload);
  return flatForm({
    id,
    event: name,
    event_type: eventType,
    timestamp: createdAt,
    idempotency_key: idempotencyKey,
    data,
  });
}
