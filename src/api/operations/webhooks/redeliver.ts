import {
  deliveryLocation,
  deliveryResponse,
  redeliver as redeliverDelivery,
} from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const redeliver: Handler<'redeliver'> = async ({ path }, { tenant, webhook, quotas }) => {
  const row = await tenant.transaction((tx) => redeliverDelivery(tx, quotas, webhook.id, path.delivery_id));
  return { status: 202, headers: { Location: deliveryLocation(row) }, body: await deliveryResponse(tenant, row) };
};
