import type { Handler } from '../../http/handler.ts';
import { addWebhook } from '../../webhooks/create.ts';
import { headerFaults, patternFaults, refuseFaults, urlFaults } from '../../webhooks/faults.ts';
import { webhookLocation, webhookView } from '../../webhooks/subscriptions.ts';

export const createWebhook: Handler<'createWebhook'> = async ({ body }, { tenant, caller, webhooks }) => {
  const { url, events, headers, payload_format = 'envelope' } = body;
  refuseFaults({
    ...(await urlFaults('url', url, webhooks)),
    ...patternFaults(events, (at) => `events.${at}`),
    ...headerFaults(headers ?? {}),
  });
  const { row, secret } = await tenant.transaction((tx) =>
    addWebhook(tx, webhooks, { ...body, payload_format, created_by: caller.user_id }),
  );
  const headersOfAnswer = { Location: webhookLocation(row) };
  return { status: 201, headers: headersOfAnswer, body: { ...webhookView(row, webhooks), secret } };
};
