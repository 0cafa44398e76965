import { openPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { deliveryViews, newestDeliveries } from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const listDeliveries: Handler<'listDeliveries'> = async ({ query }, { tenant, webhook, cursors, language }) => {
  const { event, status, since, until } = query;
  const filters = { event, status, since: optionalMoment(since), until: optionalMoment(until) };
  const page = openPage(query, cursors, ['listDeliveries', tenant.company_id, webhook.id, filters]);
  const found = await newestDeliveries(tenant, webhook.id, filters, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: await deliveryViews(tenant, rows, language()), pagination } };
};
