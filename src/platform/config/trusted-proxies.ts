/** TRUST_PROXY: the proxies whose forwarded headers are trusted. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** Names that express knows for ranges of addresses. */
const ranges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Comma-separated addresses, subnets and ranges. Neither `true` (everybody is trusted) nor a number of hops (who
 * connects past the proxy is believed) is taken: with both a client could choose the address that limits count it by.
 */
export const trustedProxies = z.string().superRefine((text, context) => {
  const wrong = text
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !isTrustable(entry));
  if (wrong === undefined) return;
  const message = `must list addresses, subnets (10.0.0.0/8) or ${ranges.join(', ')}, separated by commas; "${wrong}" is none of these`;
  context.addIssue({ code: 'custom', message });
});

function isTrustable(entry: string): boolean {
  if (ranges.includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
