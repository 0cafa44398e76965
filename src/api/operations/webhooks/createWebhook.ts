import { addWebhook } from '../../../product/webhooks/subscriptions/create-webhook.ts';
import { maskFaults } from '../../../product/webhooks/subscriptions/stored-headers.ts';
import { webhookLocation, webhookView } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import {
  headerFaults,
  patternFaults,
  refuseFaults,
  urlFaults,
} from '../../../product/webhooks/subscriptions/webhook-faults.ts';
import type { Handler } from '../../handler.ts';

export const createWebhook: Handler<'createWebhook'> = async ({ body }, { tenant, caller, webhooks, language }) => {
  const { payload_format: payloadFormat = 'envelope' } = body;
  const { row, secret } = await tenant.transaction((tx) =>
    addWebhook(tx, webhooks, { ...body, payload_format: payloadFormat, created_by: caller.user_id }),
  );
  const headers = { Location: webhookLocation(row) };
  return { status: 201, headers, body: { ...webhookView(row, webhooks, language()), secret } };
};

createWebhook.check = async ({ body: { url, events, headers } }, { webhooks }) => {
  refuseFaults({
    ...(await urlFaults('url', url, webhooks)),
    ...patternFaults(events, (at) => `events.${at}`),
    ...headerFaults(headers ?? {}),
    ...maskFaults(headers ?? {}, {}),
  });
};
