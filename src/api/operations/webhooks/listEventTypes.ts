import { inLanguage } from '../../../contract/languages/text.ts';
import { eventTypes } from '../../../product/webhooks/subscriptions/event-types.ts';
import type { Handler } from '../../handler.ts';

export const listEventTypes: Handler<'listEventTypes'> = async (_, { language }) => {
  return { status: 200, body: { data: inLanguage([...eventTypes], language()) } };
};
