import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceMs = 300_000;

/**
 * Verifies the signature in `X-Webhook-Signature`, and the age of the `timestamp` in the body.
 * @param secrets the subscription's secret, including `whsec_`; both during a rotation
 * @param signature the value of the header
 * @param body the raw body, before parsing
 */
export function verifyBody(secrets: string[], signature: string, body: Buffer, nowMs = Date.now()): boolean {
  const given = Buffer.from(signature);
  const isGenuine = secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine && Math.abs(nowMs - Date.parse(JSON.parse(body.toString()).timestamp)) <= toleranceMs;
}
