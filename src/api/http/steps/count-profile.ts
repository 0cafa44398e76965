/** Rate limit per user for requests outside of companies: 429 above it. From here on every response has the limit's headers. */

import type { Limits } from '../../../identity/users/sign-in-limits.ts';
import { tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { RequestContext, Step } from '../request-context.ts';

export function countProfile({ profileRequest }: Pick<Limits, 'profileRequest'>): Step {
  const count = async ({ caller, requestLog }: RequestContext) => {
    const counted = await profileRequest(caller.user_id);
    if (!counted) return;
    const { isAllowed, limit, remaining, ends_s: endsS } = counted;
    requestLog.headers['RateLimit-Policy'] = `"profile";q=${limit};w=60`;
    requestLog.headers.RateLimit = `"profile";r=${remaining};t=${endsS}`;
    if (!isAllowed) throw tooManyRequests({ retry_after_s: endsS });
  };
  return (exchange) => (exchange.company ? undefined : count(exchange));
}
