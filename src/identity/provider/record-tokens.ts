/**
 * Sign-ins, tokens that were issued, and grants that a client ended: in the audit log before the client has its answer. A
 * sign-in is told when it gives a client access, and to the companies that it gives access to.
 */
import type { ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { recordForGrant } from '../../platform/audit/account-entries.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { deviceSeen } from '../devices/devices.ts';
import { rememberSignIn } from '../grants/sign-in-age.ts';
import { deviceOfSession, keepSession, signed_in_device } from '../sessions/sessions.ts';

/** Where a request came from, by the answer that is made to it. */
export type OriginOf = (res: ServerResponse) => Origin;

/** @param provider is given a step around its endpoints */
export function recordTokens(provider: Provider, db: Database, originOf: OriginOf): void {
  const record = (ctx: KoaContextWithOIDC, action: string, grant_id: string, more: Record<string, unknown> = {}) => {
    const origin = originOf(ctx.res);
    return recordForGrant(db, grant_id, ({ user_id, client_id, installation_role }): AuditEntry => {
      const target = { type: 'client', id: client_id };
      // An installation gets its tokens by itself, and whoever installed it may have left long ago.
      const actor: AuditActor = installation_role
        ? { type: 'installation', installation_id: grant_id, client_id }
        : { type: 'user', user_id, client_id };
      return { action, actor, origin, target, details: { grant_id, ...more } };
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
    if (ctx.path.startsWith('/oauth/authorize')) {
      const { grantId, authTime } = AuthorizationCode ?? {};
      const device_id = await deviceOf(db, ctx, originOf(ctx.res).ip);
      if (ctx.oidc?.result?.login && grantId) await recordSignIn(ctx, grantId);
      if (grantId && authTime) await rememberSignIn(db, grantId, authTime, device_id);
    }
    if (ctx.path !== '/oauth/token' || ctx.status !== 200 || !AccessToken?.grantId) return;
    const { scope, gty } = AccessToken;
    await record(ctx, 'token.issued', AccessToken.grantId, { scopes: scope?.split(' ') ?? [], grant_type: gty });
  });
}

/**
 * The device that a session belongs to, as the sign-in has said: not by a cookie, which a browser may leave out.
 * @returns undefined for who is not signed in, and for a session of an older version
 */
async function deviceOf(db: Database, { oidc }: KoaContextWithOIDC, ip: string | null): Promise<string | undefined> {
  const { session, result } = oidc ?? {};
  const { accountId: user_id, uid } = session ?? {};
  if (!user_id || !uid) return undefined;
  const device_id = result?.[signed_in_device];
  if (typeof device_id === 'string') {
    await keepSession(db, { uid, user_id, device_id });
    return device_id;
  }
  await deviceSeen(db, uid, ip);
  return deviceOfSession(db, uid);
}
