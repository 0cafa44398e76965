import { keysetPage } from '../../../platform/db/cursor.ts';
import { oldestWebhooks, webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import type { Handler } from '../../handler.ts';

export const listWebhooks: Handler<'listWebhooks'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, cursors, webhooks } = context;
  const language = context.language();
  const binding = ['listWebhooks', tenant.company_id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await oldestWebhooks(tenant, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  return { status: 200, body: { data: rows.map((row) => webhookResponse(row, webhooks, language)), pagination } };
};
