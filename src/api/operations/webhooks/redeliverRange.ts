import { t } from '../../../contract/languages/text.ts';
import { futureErrors, momentOf } from '../../../platform/values/moments.ts';
import {
  type EndedStatus,
  redeliverRange as redeliverEvents,
} from '../../../product/webhooks/subscriptions/replay-deliveries.ts';
import { refuseErrors } from '../../../product/webhooks/subscriptions/webhook-errors.ts';
import type { Handler } from '../../handler.ts';

export const redeliverRange: Handler<'redeliverRange'> = async ({ body }, { tenant, webhook, quotas }) => {
  const from = momentOf(body.from);
  const to = body.to ? momentOf(body.to) : new Date();
  const backwards = to <= from && { to: [{ code: 'out_of_range' as const, message: t`Must be after \`from\`.` }] };
  refuseErrors({ ...futureErrors('from', from), ...(body.to && backwards) });
  const status: EndedStatus[] = body.status ? [body.status] : ['failed', 'cancelled'];
  const deliveryCount = await tenant.transaction((tx) => redeliverEvents(tx, quotas, webhook.id, { from, to, status }));
  const range = { webhook_id: webhook.id, from: from.toISOString(), to: to.toISOString() };
  return { status: 202, body: { ...range, status, delivery_count: deliveryCount } };
};
