/**
 * The UserInfo endpoint (OpenID Connect Core 1.0, section 5.3). The library's own rejects the API's tokens, which have an
 * audience.
 */
import type { RequestHandler } from 'express';
import { say } from '../../contract/languages/text.ts';
import { insufficientScope, unauthorized } from '../../contract/problem.ts';
import { claimsOfUser } from '../../identity/grants/personal-claims.ts';
import { openid } from '../../identity/tokens/openid-scope.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import { tooManyRequests } from '../rate-limit/rate-limit.ts';
import type { PageContext } from './shared/page-context.ts';

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Sends the claims that the token's grant allows; 401 for an invalid token, 403 without `openid`. */
export function userInfo({ db, limits }: PageContext, verify: Verifier['verify']): RequestHandler {
  return async ({ headers: { authorization } }, res) => {
    const token = bearer.exec(authorization ?? '')?.[1];
    if (!token) throw unauthorized('unauthorized', say`An access token is required.`);
    const { user_id: userId, grant_id: grantId, installation_role: isInstallation } = await verify(token);
    const counted = await limits.profileRequest(userId);
    if (counted && !counted.isAllowed) throw tooManyRequests({ retry_after_s: counted.ends_s });
    const grant = await db.global
      .selectFrom('oauth_grants')
      .select('scopes')
      .where('id', '=', grantId)
      .executeTakeFirst();
    if (isInstallation || !grant?.scopes.includes(openid)) throw insufficientScope([openid]);
    res.set('Cache-Control', 'no-store').json(await claimsOfUser(db, userId, new Set(grant.scopes)));
  };
}
