/** Headers of webhook requests, and overrides by a subscription. */

import { newWebhookSecret, signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';
import { requestHeaders, transportHeaders } from '../../../src/product/webhooks/subscriptions/webhook-headers.ts';

const secrets = [newWebhookSecret(), newWebhookSecret()];
const eventId = '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46';
const body = Buffer.from('{}');
const signed = signatures(secrets, eventId, 1772442901, body);
const headers = (stored: Record<string, string> = {}, idempotencyKey: string | null = null) =>
  requestHeaders({
    event: 'report.created',
    event_id: eventId,
    idempotency_key: idempotencyKey,
    timestampS: 1772442901,
    signatures: signed,
    stored,
  });

test('sends all of them in order', () => {
  const { hex, standard } = signed;
  expect(headers({}, 'report-1')).toEqual([
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Service-Webhook/1.0'],
    ['X-Webhook-Event', 'report.created'],
    ['X-Webhook-Signature', hex],
    ['X-Webhook-Timestamp', '1772442901'],
    ['X-Webhook-Idempotency-Key', 'report-1'],
    ['webhook-id', eventId],
    ['webhook-timestamp', '1772442901'],
    ['webhook-signature', standard],
  ]);
});

test('omits the idempotency header without a key', () => {
  expect(headers().map(([name]) => name)).not.toContain('X-Webhook-Idempotency-Key');
});

test('custom headers come last, override ours case-insensitively, and keep their case', () => {
  const defaults = headers();
  const sent = headers({ 'X-Gate': 'campinas', 'x-webhook-EVENT': 'mine', 'USER-agent': 'Mine/2' });
  expect(sent.slice(-3)).toEqual([
    ['X-Gate', 'campinas'],
    ['x-webhook-EVENT', 'mine'],
    ['USER-agent', 'Mine/2'],
  ]);
  const replaced = ['X-Webhook-Event', 'User-Agent'];
  expect(sent.slice(0, -3)).toEqual(defaults.filter(([name]) => !replaced.includes(name)));
});

test('the signature can be overridden, connection headers can’t', () => {
  const stored = Object.fromEntries([...transportHeaders].map((name) => [name.toUpperCase(), 'x']));
  expect(headers(stored)).toEqual(headers());
  expect(headers({ 'webhook-signature': 'v1,mine' })).toContainEqual(['webhook-signature', 'v1,mine']);
  expect([...transportHeaders].filter((name) => name !== name.toLowerCase())).toEqual([]);
});
