import { keysetPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { eventView, recordedEvents } from '../../../product/webhooks/event-feed.ts';
import type { Handler } from '../../handler.ts';

export const listEvents: Handler<'listEvents'> = async ({ query }, { tenant, cursors }) => {
  const { limit = 20, cursor, event, since } = query;
  const filters = { event, since: optionalMoment(since) };
  const binding = ['listEvents', tenant.company_id, filters];
  const [after] = cursor === undefined ? [] : (cursors.open(cursor, binding) as [number]);
  const found = await recordedEvents(tenant, filters, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ sequence }) => cursors.seal([sequence], binding));
  return { status: 200, body: { data: rows.map(eventView), pagination } };
};
