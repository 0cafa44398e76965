import { t } from '../../../contract/languages/text.ts';
import { validationError } from '../../../contract/problem.ts';
import { isId } from '../../../product/access/records.ts';
import { removeWebhooks } from '../../../product/webhooks/subscriptions/remove-webhook.ts';
import type { Handler } from '../../handler.ts';

export const performUnsubscribe: Handler<'performUnsubscribe'> = async ({ body }, { tenant }) => {
  const { id, target_url: targetUrl, hookUrl } = body;
  const url = targetUrl ?? hookUrl;
  if (id === undefined && url === undefined) {
    throw validationError({ id: [{ code: 'required', message: t`Is required.` }] });
  }
  if (id !== undefined && !isId(id)) return { status: 200, body: { ids: [] } }; // matches nothing
  const which = id === undefined ? { url: url! } : { id };
  const removed = await tenant.transaction((tx) => removeWebhooks(tx, which));
  return { status: 200, body: { ids: removed.map((webhook) => webhook.id) } };
};
