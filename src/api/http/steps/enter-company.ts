/**
 * Resolves the company: 400 without a valid `X-Company-Id`; 403 if unknown or not the caller's (indistinguishable), or for a
 * suspended installation; 401 if the sign-in is older than the company allows.
 */

import { t } from '../../../contract/languages/text.ts';
import { Problem, unauthorized } from '../../../contract/problem.ts';
import { isOlder } from '../../../identity/grants/sign-in-age.ts';
import { findMember, scopesIn } from '../../../identity/members/member.ts';
import { requireSignInMethod } from '../../../identity/members/sign-in-method.ts';
import { requireLevel, unmetStepUp } from '../../../identity/members/step-up.ts';
import { originOf } from '../../../platform/audit/entry.ts';
import type { Database } from '../../../platform/db/client.ts';
import { isId } from '../../../product/access/records.ts';
import type { ConnectionUsageRecorder } from '../../../product/connections/connection-usage.ts';
import { type RateLimiter, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import { isCompanyRequest, type RequestContext, type Step } from '../request-context.ts';

export function enterCompany(db: Database, limiter: RateLimiter, uses?: ConnectionUsageRecorder): Step {
  return async (exchange) => {
    if (!isCompanyRequest(exchange)) return;
    try {
      await enter(db, exchange);
      if (uses) recordUse(uses, exchange);
    } catch (error) {
      if (error instanceof Problem) await countRefusal(limiter, exchange);
      throw error;
    }
  };
}

async function enter(db: Database, exchange: RequestContext): Promise<void> {
  const header = exchange.headers['x-company-id'];
  if (typeof header !== 'string' || header === '') {
    throw new Problem(400, 'company_id_required', t`The header X-Company-Id is required.`);
  }
  if (!isId(header)) throw new Problem(400, 'company_id_invalid', t`The header X-Company-Id must be a UUID.`);
  const tenant = db.tenant(header.toLowerCase());
  const member = await findMember(exchange.caller, tenant);
  if (!member) throw new Problem(403, 'company_access_denied', t`This token does not give access to that company.`);
  if (exchange.caller.isSuspended) throw suspended();
  // An installation belongs to the company, and outlives the sign-in of the person who created it.
  const isPerson = !exchange.caller.installation_role;
  if (isPerson && isOlder(exchange.caller.signedInS, member.policy.session_max_age)) {
    throw unauthorized('token_expired', t`Your company requires you to sign in again.`);
  }
  if (isPerson) requireSignInMethod(exchange.caller, member);
  requireLevel(exchange.caller, member);
  const scopes = scopesIn(exchange.caller, tenant.company_id, member.policy);
  if (scopes !== exchange.caller.scopes) exchange.caller = { ...exchange.caller, scopes };
  const lacks = unmetStepUp(exchange.caller, member);
  if (lacks) exchange.caller = { ...exchange.caller, lacks };
  exchange.company = { tenant, member };
  exchange.requestLog.company_id = tenant.company_id;
  exchange.requestLog.language = member.language;
}

function suspended(): Problem {
  const text = t`This app is suspended, because the role of the person who installed it has changed. Another admin has to confirm it.`;
  return new Problem(403, 'forbidden', text, { details: { reason: 'installation_suspended' } });
}

function recordUse(uses: ConnectionUsageRecorder, { req, caller, company }: RequestContext): void {
  const { grant_id: connectionId, user_id: userId } = caller;
  const use = { company_id: company!.tenant.company_id, connection_id: connectionId, user_id: userId };
  uses.add(use, () => originOf(req, undefined).ip);
}

/** Counted without the company: callers without access must not use up the limits of its people. @throws 429 */
async function countRefusal(limiter: RateLimiter, { caller, requestLog }: RequestContext): Promise<void> {
  const decision = await limiter.take(undefined, caller, 'read');
  Object.assign(requestLog.headers, decision.headers);
  if (!decision.allowed) throw tooManyRequests(decision);
}
