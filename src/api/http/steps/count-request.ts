/** Rate limits per user and client: 429 above them. From here on every response has the limits' headers. */

import { type RateLimiter, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { Step } from '../request-context.ts';

export function countRequest(limiter: RateLimiter): Step {
  return async ({ company, caller, method, operation, requestLog }) => {
    if (!company) return;
    const kind = method === 'GET' ? 'read' : 'write';
    // An unknown path has no operation; the request counts all the same.
    const decision = await limiter.take(company.tenant.company_id, caller, kind, operation?.rate_limit);
    Object.assign(requestLog.headers, decision.headers);
    if (!decision.allowed) throw tooManyRequests(decision);
  };
}
