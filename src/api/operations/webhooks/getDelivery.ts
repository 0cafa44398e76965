import { attemptsOf } from '../../../product/webhooks/deliveries/attempt-response.ts';
import { deliveryResponse, findDelivery } from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const getDelivery: Handler<'getDelivery'> = async ({ path }, { tenant, webhook, language }) => {
  const row = await findDelivery(tenant, webhook.id, path.delivery_id);
  const body = await deliveryResponse(tenant, row, language());
  return { status: 200, body: { ...body, attempts: await attemptsOf(tenant, row, language()) } };
};
