import type { Handler } from '../../http/handler.ts';
import { attemptsOf, deliveryView, findDelivery } from '../../webhooks/deliveries.ts';

export const getDelivery: Handler<'getDelivery'> = async ({ path }, { tenant, webhook }) => {
  const row = await findDelivery(tenant, webhook.id, path.delivery_id);
  return { status: 200, body: { ...deliveryView(row), attempts: await attemptsOf(tenant, row.id) } };
};
