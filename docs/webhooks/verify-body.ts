import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceMs = 300_000;

/**
 * Whether a webhook request is genuine and fresh, by `X-Webhook-Signature` and the `timestamp` of the body.
 * @param secrets the secret of the subscription, from `whsec_` on; while it is being replaced, both
 * @param signature the value of the header
 * @param body the bytes as they were received, before any parsing
 */
export function verifyBody(secrets: string[], signature: string, body: Buffer, nowMs = Date.now()): boolean {
  const given = Buffer.from(signature);
  const isGenuine = secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine && Math.abs(nowMs - Date.parse(JSON.parse(body.toString()).timestamp)) <= toleranceMs;
}
