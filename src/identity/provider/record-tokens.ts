/**
 * Sign-ins, tokens that were issued, and grants that a client ended: in the audit log before the client has its answer. A
 * sign-in is told when it gives a client access, and to the companies that it gives access to.
 */
import type { ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { recordForGrant } from '../../platform/audit/account-entries.ts';
import type { AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { rememberSignIn } from '../grants/sign-in-age.ts';

/** Where a request came from, by the answer that is made to it. */
export type OriginOf = (res: ServerResponse) => Origin;

/** @param provider is given a step around its endpoints */
export function recordTokens(provider: Provider, db: Database, originOf: OriginOf): void {
  const record = (ctx: KoaContextWithOIDC, action: string, grant_id: string, more: Record<string, unknown> = {}) => {
    const origin = originOf(ctx.res);
    return recordForGrant(db, grant_id, ({ user_id, client_id }): AuditEntry => {
      const target = { type: 'client', id: client_id };
      return { action, actor: { type: 'user', user_id, client_id }, origin, target, details: { grant_id, ...more } };
    });
  };
  const recordSignIn = (ctx: KoaContextWithOIDC, grant_id: string) => {
    const origin = originOf(ctx.res);
    return recordForGrant(db, grant_id, ({ user_id, client_id }): AuditEntry => {
      const actor = { type: 'user', user_id, client_id } as const;
      return { action: 'sign_in', actor, origin, target: { type: 'user', id: user_id } };
    });
  };
  const ended = new WeakMap<object, Set<string>>();
  provider.on('grant.revoked', (ctx, grant_id) => {
    ended.set(ctx.req, (ended.get(ctx.req) ?? new Set()).add(grant_id));
  });
  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    for (const grant_id of ended.get(ctx.req) ?? []) await record(ctx, 'grant.revoked', grant_id);
    const { AccessToken, AuthorizationCode } = ctx.oidc?.entities ?? {};
    const is_sign_in = ctx.path.startsWith('/oauth/authorize') && ctx.oidc?.result?.login;
    if (is_sign_in && AuthorizationCode?.grantId) await recordSignIn(ctx, AuthorizationCode.grantId);
    if (AuthorizationCode?.grantId && AuthorizationCode.authTime && ctx.path.startsWith('/oauth/authorize')) {
      await rememberSignIn(db, AuthorizationCode.grantId, AuthorizationCode.authTime);
    }
    if (ctx.path !== '/oauth/token' || ctx.status !== 200 || !AccessToken?.grantId) return;
    const { scope, gty } = AccessToken;
    await record(ctx, 'token.issued', AccessToken.grantId, { scopes: scope?.split(' ') ?? [], grant_type: gty });
  });
}
