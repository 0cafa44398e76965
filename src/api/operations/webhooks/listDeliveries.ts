import { keysetPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { deliveryViews, newestDeliveries } from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const listDeliveries: Handler<'listDeliveries'> = async ({ query }, { tenant, webhook, cursors }) => {
  const { limit = 20, cursor, event, status, since, until } = query;
  const filters = { event, status, since: optionalMoment(since), until: optionalMoment(until) };
  const binding = ['listDeliveries', tenant.company_id, webhook.id, filters];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await newestDeliveries(tenant, webhook.id, filters, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  return { status: 200, body: { data: await deliveryViews(tenant, rows), pagination } };
};
