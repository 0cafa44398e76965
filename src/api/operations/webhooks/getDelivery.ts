import { attemptsOf } from '../../../product/webhooks/deliveries/attempt-response.ts';
import { deliveryResponse, findDelivery } from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const getDelivery: Handler<'getDelivery'> = async ({ path }, { tenant, webhook }) => {
  const row = await findDelivery(tenant, webhook.id, path.delivery_id);
  return { status: 200, body: { ...(await deliveryResponse(tenant, row)), attempts: await attemptsOf(tenant, row) } };
};
