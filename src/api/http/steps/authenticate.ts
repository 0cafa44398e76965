/** Authenticates the caller: 401 without a valid token. An outage on the way is a 503, never a 401. */
import type { RateLimiter } from '../../rate-limit/rate-limit.ts';
import { type VerifyToken, verifyRequest } from '../access-token.ts';
import { isCompanyRequest, type Step } from '../request-context.ts';

/** @param baseUrl public address of the service */
export function authenticate(
  verifyToken: VerifyToken,
  baseUrl: string,
  { policy_header: policyHeader }: Pick<RateLimiter, 'policy_header'>,
): Step {
  return async (exchange) => {
    // A rejected caller is unknown, so only the policy is sent. Others get their own counts later.
    if (isCompanyRequest(exchange)) Object.assign(exchange.requestLog.headers, policyHeader);
    const caller = await verifyRequest(exchange.req, baseUrl, verifyToken);
    exchange.caller = caller;
    exchange.requestLog.user_id = caller.user_id;
    exchange.requestLog.client_id = caller.client_id;
    if (caller.installation_role) exchange.requestLog.is_installation = true;
  };
}
