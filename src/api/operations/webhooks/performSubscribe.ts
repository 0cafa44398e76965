import { t } from '../../../contract/languages/text.ts';
import { addWebhook } from '../../../product/webhooks/subscriptions/create-webhook.ts';
import { webhookLocation, webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import { patternErrors, refuseErrors, urlErrors } from '../../../product/webhooks/subscriptions/webhook-errors.ts';
import type { Handler } from '../../handler.ts';

export const performSubscribe: Handler<'performSubscribe'> = async (
  { body },
  { tenant, caller, webhooks, language },
) => {
  const { target_url: targetUrl, hookUrl, event } = body;
  const url = (targetUrl ?? hookUrl)!;
  const webhook = { url, events: [event], payload_format: 'flat' as const, created_by: caller.user_id };
  const { row, secret } = await tenant.transaction((tx) => addWebhook(tx, webhooks, webhook));
  const headers = { Location: webhookLocation(row) };
  return { status: 201, headers, body: { ...webhookResponse(row, webhooks, language()), secret } };
};

performSubscribe.check = async ({ body: { target_url: targetUrl, hookUrl, event } }, { webhooks }) => {
  const field = targetUrl === undefined && hookUrl !== undefined ? 'hookUrl' : 'target_url';
  const url = targetUrl ?? hookUrl;
  const missing = { target_url: [{ code: 'required' as const, message: t`Is required.` }] };
  refuseErrors({
    ...(url === undefined ? missing : await urlErrors(field, url, webhooks)),
    ...patternErrors([event], () => 'event'),
  });
};
