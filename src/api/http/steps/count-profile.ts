/** Rate limit per user for requests outside of companies: 429 above it. From here on every response has the limit's headers. */

import type { Limits } from '../../../identity/users/sign-in-limits.ts';
import { tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { Exchange, Step } from '../exchange.ts';

export function countProfile({ profileRequest }: Pick<Limits, 'profileRequest'>): Step {
  const count = async ({ caller, trail }: Exchange) => {
    const counted = await profileRequest(caller.user_id);
    if (!counted) return;
    const { isAllowed, limit, left, ends_s: endsS } = counted;
    trail.headers['RateLimit-Policy'] = `"profile";q=${limit};w=60`;
    trail.headers.RateLimit = `"profile";r=${left};t=${endsS}`;
    if (!isAllowed) throw tooManyRequests({ retry_after_s: endsS });
  };
  return (exchange) => (exchange.company ? undefined : count(exchange));
}
