/**
 * The UserInfo endpoint (OpenID Connect Core 1.0, section 5.3). The library's own rejects the API's tokens, which have an
 * audience.
 */
import type { RequestHandler } from 'express';
import { insufficientScope } from '../../contract/problem.ts';
import { claimsOfUser } from '../../identity/grants/personal-claims.ts';
import { identityScopes, openid } from '../../identity/tokens/openid-scope.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import { verifyRequest } from '../http/access-token.ts';
import { tooManyRequests } from '../rate-limit/rate-limit.ts';
import type { PageContext } from './shared/page-context.ts';

/** @returns a handler that sends the claims for the token's scopes; 401 without a valid token, 403 without `openid` */
export function userInfo({ db, base_url: baseUrl, limits }: PageContext, verify: Verifier['verify']): RequestHandler {
  return async (req, res) => {
    const caller = await verifyRequest(req, baseUrl, verify);
    const { user_id: userId, grant_id: grantId, installation_role: isInstallation } = caller;
    const counted = await limits.profileRequest(userId);
    if (counted && !counted.isAllowed) throw tooManyRequests({ retry_after_s: counted.ends_s });
    const grant = await db.global
      .selectFrom('oauth_grants')
      .select('scopes')
      .where('id', '=', grantId)
      .executeTakeFirst();
    const ofToken = [...(caller.identity_scopes ?? identityScopes), ...caller.scopes];
    const scopes = new Set(grant?.scopes.filter((scope) => ofToken.includes(scope)));
    if (isInstallation || !scopes.has(openid)) throw insufficientScope([openid]);
    res.set('Cache-Control', 'no-store').json(await claimsOfUser(db, userId, scopes));
  };
}
