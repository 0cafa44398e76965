/** How many requests the user, and the client, may send: 429 above that. From here on the limit is on every answer. */

import { type RateLimiter, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { Step } from '../exchange.ts';

export function countRequest(limiter: RateLimiter): Step {
  return async ({ company, caller, method, operation, trail }) => {
    if (!company) return;
    const kind = method === 'GET' ? 'read' : 'write';
    // The path may be of no operation: what counts then is that somebody asked.
    const decision = await limiter.take(company.tenant.company_id, caller, kind, operation?.rate_limit);
    Object.assign(trail.headers, decision.headers);
    if (!decision.allowed) throw tooManyRequests(decision);
  };
}
