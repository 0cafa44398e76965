/** Records sign-ins, issued tokens, and revoked grants in the audit log, before the client gets its response. */
import type { ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { recordForGrant } from '../../platform/audit/account-entries.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { touchDevice } from '../devices/devices.ts';
import { storeSignIn } from '../grants/sign-in-age.ts';
import { deviceOfSession, saveSession, signedInDevice } from '../sessions/sessions.ts';

/** The origin of a request, by its response. */
export type OriginOf = (res: ServerResponse) => Origin;

/** @param provider gets a middleware around its endpoints */
export function recordTokens(provider: Provider, db: Database, originOf: OriginOf): void {
  const record = (ctx: KoaContextWithOIDC, action: string, grantId: string, more: Record<string, unknown> = {}) => {
    const origin = originOf(ctx.res);
    return recordForGrant(
      db,
      grantId,
      ({ user_id: userId, client_id: clientId, installation_role: installationRole }): AuditEntry => {
        const target = { type: 'client', id: clientId };
        // An installation gets tokens by itself; its installer may have left long ago.
        const actor: AuditActor = installationRole
          ? { type: 'installation', installation_id: grantId, client_id: clientId }
          : { type: 'user', user_id: userId, client_id: clientId };
        return { action, actor, origin, target, details: { grant_id: grantId, ...more } };
      },
    );
  };
  const recordSignIn = (ctx: KoaContextWithOIDC, grantId: string) => {
    const origin = originOf(ctx.res);
    return recordForGrant(db, grantId, ({ user_id: userId, client_id: clientId }): AuditEntry => {
      const actor = { type: 'user', user_id: userId, client_id: clientId } as const;
      return { action: 'sign_in', actor, origin, target: { type: 'user', id: userId } };
    });
  };
  const ended = new WeakMap<object, Set<string>>();
  provider.on('grant.revoked', (ctx, grantId) => {
    ended.set(ctx.req, (ended.get(ctx.req) ?? new Set()).add(grantId));
  });
  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    for (const grantId of ended.get(ctx.req) ?? []) await record(ctx, 'grant.revoked', grantId);
    const { AccessToken, AuthorizationCode } = ctx.oidc?.entities ?? {};
    if (ctx.path.startsWith('/oauth/authorize')) {
      const { grantId, authTime } = AuthorizationCode ?? {};
      const deviceId = await deviceOf(db, ctx, originOf(ctx.res).ip);
      if (ctx.oidc?.result?.login && grantId) await recordSignIn(ctx, grantId);
      if (grantId && authTime) await storeSignIn(db, grantId, authTime, deviceId);
    }
    if (ctx.path !== '/oauth/token' || ctx.status !== 200 || !AccessToken?.grantId) return;
    const { scope, gty } = AccessToken;
    await record(ctx, 'token.issued', AccessToken.grantId, { scopes: scope?.split(' ') ?? [], grant_type: gty });
  });
}

/** The device of a session, as recorded at sign-in, not from a cookie, which a browser may omit. @returns undefined if unknown */
async function deviceOf(db: Database, { oidc }: KoaContextWithOIDC, ip: string | null): Promise<string | undefined> {
  const { session, result } = oidc ?? {};
  const { accountId: userId, uid } = session ?? {};
  if (!userId || !uid) return undefined;
  const deviceId = result?.[signedInDevice];
  if (typeof deviceId === 'string') {
    await saveSession(db, { uid, user_id: userId, device_id: deviceId });
    return deviceId;
  }
  await touchDevice(db, uid, ip);
  return deviceOfSession(db, uid);
}
