import {
  deliveryLocation,
  deliveryResponse,
  redeliver as redeliverDelivery,
} from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const redeliver: Handler<'redeliver'> = async ({ path }, { tenant, webhook, quotas, language }) => {
  const row = await tenant.transaction((tx) => redeliverDelivery(tx, quotas, webhook.id, path.delivery_id));
  const body = await deliveryResponse(tenant, row, language());
  return { status: 202, headers: { Location: deliveryLocation(row) }, body };
};
