import { say } from '../../../contract/languages/text.ts';
import { addWebhook } from '../../../product/webhooks/subscriptions/create-webhook.ts';
import { webhookLocation, webhookView } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import { patternFaults, refuseFaults, urlFaults } from '../../../product/webhooks/subscriptions/webhook-faults.ts';
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
  return { status: 201, headers, body: { ...webhookView(row, webhooks, language()), secret } };
};

performSubscribe.check = async ({ body: { target_url: targetUrl, hookUrl, event } }, { webhooks }) => {
  const field = targetUrl === undefined && hookUrl !== undefined ? 'hookUrl' : 'target_url';
  const url = targetUrl ?? hookUrl;
  const missing = { target_url: [{ code: 'required' as const, message: say`Is required.` }] };
  refuseFaults({
    ...(url === undefined ? missing : await urlFaults(field, url, webhooks)),
    ...patternFaults([event], () => 'event'),
  });
};
