import type { Handler } from '../../http/handler.ts';
import { flatEvent } from '../../webhooks/body.ts';
import { latestEvents } from '../../webhooks/feed.ts';
import { sampleEvents } from '../../webhooks/samples.ts';

const events_shown = 10;

export const performList: Handler<'performList'> = async ({ query: { event = '*' } }, { tenant }) => {
  const events = await latestEvents(tenant, event, events_shown);
  return { status: 200, body: events.length > 0 ? events.map(flatEvent) : sampleEvents(event) };
};
