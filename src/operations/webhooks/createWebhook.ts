import type { Handler } from '../../http/handler.ts';
import { addWebhook } from '../../webhooks/create.ts';
import { headerFaults, patternFaults, refuseFaults, urlFaults } from '../../webhooks/faults.ts';
import { webhookLocation, webhookView } from '../../webhooks/subscriptions.ts';

export const createWebhook: Handler<'createWebhook'> = async ({ body }, { tenant, caller, webhooks }) => {
  const { payload_format = 'envelope' } = body;
  const { row, secret } = await tenant.transaction((tx) =>
    addWebhook(tx, webhooks, { ...body, payload_format, created_by: caller.user_id }),
  );
  const headers = { Location: webhookLocation(row) };
  return { status: 201, headers, body: { ...webhookView(row, webhooks), secret } };
};

createWebhook.check = async ({ body: { url, events, headers } }, { webhooks }) => {
  refuseFaults({
    ...(await urlFaults('url', url, webhooks)),
    ...patternFaults(events, (at) => `events.${at}`),
    ...headerFaults(headers ?? {}),
  });
};
