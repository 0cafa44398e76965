import { addWebhook } from '../../../product/webhooks/subscriptions/create-webhook.ts';
import { maskErrors } from '../../../product/webhooks/subscriptions/stored-headers.ts';
import {
  webhookEtag,
  webhookLocation,
  webhookResponse,
} from '../../../product/webhooks/subscriptions/subscriptions.ts';
import {
  headerErrors,
  patternErrors,
  refuseErrors,
  urlErrors,
} from '../../../product/webhooks/subscriptions/webhook-errors.ts';
import type { Handler } from '../../handler.ts';

export const createWebhook: Handler<'createWebhook'> = async ({ body }, { tenant, caller, webhooks, language }) => {
  const { payload_format: payloadFormat = 'envelope' } = body;
  const { row, secret } = await tenant.transaction((tx) =>
    addWebhook(tx, webhooks, { ...body, payload_format: payloadFormat, created_by: caller.user_id }),
  );
  const headers = { Location: webhookLocation(row), ETag: webhookEtag(row) };
  return { status: 201, headers, body: { ...webhookResponse(row, webhooks, language()), secret } };
};

createWebhook.check = async ({ body: { url, events, headers } }, { webhooks }) => {
  refuseErrors({
    ...(await urlErrors('url', url, webhooks)),
    ...patternErrors(events, (at) => `events.${at}`),
    ...headerErrors(headers ?? {}),
    ...maskErrors(headers ?? {}, {}),
  });
};
