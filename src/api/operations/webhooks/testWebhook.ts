import { attemptsOf } from '../../../product/webhooks/deliveries/attempt-response.ts';
import { deliveryLocation, deliveryResponse, sendTest } from '../../../product/webhooks/deliveries/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const testWebhook: Handler<'testWebhook'> = async (_, { tenant, webhook, quotas, language }) => {
  const row = await tenant.transaction((tx) => sendTest(tx, quotas, webhook.id));
  const body = await deliveryResponse(tenant, row, language());
  return { status: 202, headers: { Location: deliveryLocation(row) }, body };
};

testWebhook.afterCommit = async (response, { query }, { tenant, testWaits, language }) => {
  const ended = query.wait ? await testWaits.ended(tenant, response.body) : undefined;
  if (!ended) return response;
  const body = await deliveryResponse(tenant, ended, language());
  return { ...response, status: 200, body: { ...body, attempts: await attemptsOf(tenant, ended, language()) } };
};
