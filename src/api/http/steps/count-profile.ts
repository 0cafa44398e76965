/** Of requests for no company, how many a user may send: 429 above that. From here on the limit is on every answer. */

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
