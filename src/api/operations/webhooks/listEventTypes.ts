import { eventTypes } from '../../../product/webhooks/subscriptions/event-types.ts';
import type { Handler } from '../../handler.ts';

export const listEventTypes: Handler<'listEventTypes'> = async () => {
  return { status: 200, body: { data: [...eventTypes] } };
};
