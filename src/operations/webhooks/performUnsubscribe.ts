import { isId } from '../../access/records.ts';
import { validationError } from '../../errors.ts';
import type { Handler } from '../../http/handler.ts';
import { removeWebhooks } from '../../webhooks/remove.ts';

export const performUnsubscribe: Handler<'performUnsubscribe'> = async ({ body }, { tenant }) => {
  const { id, target_url, hookUrl } = body;
  const url = target_url ?? hookUrl;
  if (id === undefined && url === undefined) {
    throw validationError({ id: [{ code: 'required', message: 'Is required.' }] });
  }
  if (id !== undefined && !isId(id)) return { status: 200, body: { ids: [] } }; // the id of nothing
  const which = id === undefined ? { url: url! } : { id };
  const removed = await tenant.transaction((tx) => removeWebhooks(tx, which));
  return { status: 200, body: { ids: removed.map((webhook) => webhook.id) } };
};
