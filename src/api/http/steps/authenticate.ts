/** Authenticates the caller: 401 without a valid token. An outage is a 503, never a 401. */
import { say } from '../../../contract/languages/text.ts';
import { unauthorized } from '../../../contract/problem.ts';
import type { VerifiedToken } from '../../../identity/tokens/verify-token.ts';
import type { RateLimiter } from '../../rate-limit/rate-limit.ts';
import { isOfCompany, type Step } from '../exchange.ts';

/** @throws 401 `invalid_token` or `token_expired` */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export function authenticate(
  verifyToken: VerifyToken,
  { policy_header: policyHeader }: Pick<RateLimiter, 'policy_header'>,
): Step {
  return async (exchange) => {
    const { authorization } = exchange.headers;
    // A request that fails here has no known caller, so it isn't counted; others get their own limits later.
    if (isOfCompany(exchange)) Object.assign(exchange.trail.headers, policyHeader);
    if (!authorization) throw unauthorized('unauthorized', say`An access token is required.`);
    const token = bearer.exec(authorization)?.[1];
    if (!token) throw unauthorized('invalid_token', say`The Authorization header does not hold a bearer token.`);
    const caller = await verifyToken(token);
    exchange.caller = caller;
    exchange.trail.user_id = caller.user_id;
    exchange.trail.client_id = caller.client_id;
    if (caller.installation_role) exchange.trail.isInstallation = true;
  };
}
