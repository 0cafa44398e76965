/**
 * Builds the request that a subscriber would receive for an event: same headers in the same order, same body, and both signatures
 * (`webhook-signature` is the one of Standard Webhooks).
 */
import { createHmac } from 'node:crypto';
import type { CompanyEvent } from '../service/responses.ts';

export interface DeliveryRequest {
  /** In sending order. */
  headers: [name: string, value: string][];
  body: string;
}

/**
 * @param secret including the `whsec_` prefix
 * @param sentAt the time of this attempt
 */
export function deliveryRequest({ id, event, data }: CompanyEvent, secret: string, sentAt: Date): DeliveryRequest {
  const body = JSON.stringify({ event, timestamp: sentAt.toISOString(), data });
  const timestampS = String(Math.floor(sentAt.getTime() / 1000));
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Service-Webhook/1.0'],
    ['X-Webhook-Event', event],
    ['X-Webhook-Signature', createHmac('sha256', secret).update(body).digest('hex')],
    ['X-Webhook-Timestamp', timestampS],
  ];
  if (data.idempotency_key !== undefined) headers.push(['X-Webhook-Idempotency-Key', data.idempotency_key]);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64');
  headers.push(['webhook-id', id], ['webhook-timestamp', timestampS], ['webhook-signature', `v1,${signature}`]);
  return { headers, body };
}
