import { countedDeliveries } from '../../../product/webhooks/deliveries/count-deliveries.ts';
import type { Handler } from '../../handler.ts';

export const getDeliveryCounts: Handler<'getDeliveryCounts'> = async ({ query: { hours = 24 } }, { tenant }) => {
  return { status: 200, body: await countedDeliveries(tenant, hours, new Date()) };
};
