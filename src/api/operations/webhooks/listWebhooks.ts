import { openPage } from '../../../platform/db/cursor.ts';
import { oldestWebhooks, webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import type { Handler } from '../../handler.ts';

export const listWebhooks: Handler<'listWebhooks'> = async ({ query }, context) => {
  const { tenant, cursors, webhooks } = context;
  const language = context.language();
  const page = openPage(query, cursors, ['listWebhooks', tenant.company_id]);
  const found = await oldestWebhooks(tenant, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: rows.map((row) => webhookResponse(row, webhooks, language)), pagination } };
};
