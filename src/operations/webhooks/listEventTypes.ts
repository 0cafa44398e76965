import type { Handler } from '../../http/handler.ts';
import { eventTypes } from '../../webhooks/event-types.ts';

export const listEventTypes: Handler<'listEventTypes'> = async () => {
  return { status: 200, body: { data: [...eventTypes] } };
};
