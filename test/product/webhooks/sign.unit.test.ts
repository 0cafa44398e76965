/** Signatures match what receivers compute with libraries or by hand. */
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { newWebhookSecret, signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';

const id = '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46';
const nowS = Math.floor(Date.now() / 1_000);
const envelope = {
  event: 'collaborator.created',
  timestamp: '2026-03-02T09:15:01.204Z',
  data: {
    event_type: 'CollaboratorCreated',
    timestamp: '2026-03-02T09:15:01.150Z',
    data: {
      id: '1',
      name: 'Zoë "Zo" O’Neill / <b>',
      position: null,
      '2': 'numeric keys',
      emoji: '🎫',
      line: 'a\u2028b\\',
    },
  },
};
const body = Buffer.from(JSON.stringify(envelope));

const libraries = [
  ['standardwebhooks', (secret: string) => new StandardWebhook(secret)],
  ['svix', (secret: string) => new SvixWebhook(secret)],
] as const;

/** The headers that those libraries read. */
const standardHeaders = (secrets: string[], content = body, timestampS = nowS) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampS),
  'webhook-signature': signatures(secrets, id, timestampS, content).standard,
});

test('a secret has 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(100);
});

test('matches the example of the contract', () => {
  const secret = 'whsec_bHkjtt5gJcm2g2Dr9XOnUPSDKEAV6FaY3kfMYWG7vXo=';
  const example = Buffer.from(
    '{"event":"webhook.test","timestamp":"2026-03-02T09:15:01.204Z","data":{"event_type":"WebhookTest","timestamp":"2026-03-02T09:15:01.150Z"}}',
  );
  expect(signatures([secret], id, 1772442901, example)).toEqual({
    hex: 'bb350edcb703878fcb031faf4394c73ea804122e6ca1f2dec07eddf142a7a4eb',
    standard: 'v1,62ASkZlub2sS85SvkFFzWVyq1Z4ugURMPbei7uMNZEI=',
  });
});

describe.each(libraries)('verified by the library %s', (_, open) => {
  const secret = newWebhookSecret();

  test('accepts a request as sent', () => {
    expect(() => open(secret).verify(body, standardHeaders([secret]))).not.toThrow();
  });

  test('rejects another body, id, or time', () => {
    const headers = standardHeaders([secret]);
    const tampered = Buffer.from(body);
    tampered[20]! ^= 1;
    expect(() => open(secret).verify(tampered, headers)).toThrow();
    expect(() => open(secret).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow();
    expect(() => open(secret).verify(body, { ...headers, 'webhook-timestamp': String(nowS - 1) })).toThrow();
    expect(() => open(newWebhookSecret()).verify(body, headers)).toThrow();
  });

  test('rejects an old request', () => {
    expect(() => open(secret).verify(body, standardHeaders([secret], body, nowS - 301))).toThrow(/old/);
  });

  test('accepts any valid secret during and after two rotations', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret(), secret];
    const headers = standardHeaders(secrets);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(3);
    for (const each of secrets) expect(() => open(each).verify(body, headers)).not.toThrow();
    expect(() => open(newWebhookSecret()).verify(body, headers)).toThrow();
  });
});

describe('verified by hand', () => {
  const secret = newWebhookSecret();
  const hmac = (key: string, content: string | Buffer) => createHmac('sha256', key).update(content).digest('hex');
  const { hex } = signatures([newWebhookSecret(), secret], id, nowS, body);

  test('uses the received bytes and the oldest valid secret', () => {
    expect(hmac(secret, body)).toBe(hex);
  });

  test('works for a body that was parsed and serialized again', () => {
    const { event, timestamp, data } = JSON.parse(body.toString());
    expect(hmac(secret, JSON.stringify({ event, timestamp, data }))).toBe(hex);
  });
});

test('throws without a secret', () => {
  expect(() => signatures([], id, nowS, body)).toThrow();
});
