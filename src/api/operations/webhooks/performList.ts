import { flatEvent } from '../../../product/webhooks/deliveries/webhook-body.ts';
import { latestEvents } from '../../../product/webhooks/event-feed.ts';
import { sampleEvents } from '../../../product/webhooks/sample-events.ts';
import type { Handler } from '../../handler.ts';

const maxEvents = 10;

export const performList: Handler<'performList'> = async ({ query: { event = '*' } }, { tenant }) => {
  const events = await latestEvents(tenant, event, maxEvents);
  return { status: 200, body: events.length > 0 ? events.map(flatEvent) : sampleEvents(event) };
};
