/**
 * Access tokens for installations by client credentials (RFC 6749, section 4.4). They need the admin's grant, and end with it.
 */
import type Provider from 'oidc-provider';
import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
// Internal helpers of the library's own grants: it has no public API for custom grants.
import { checkDpopReplay, validateDpop } from 'oidc-provider/lib/helpers/grants.js';
import type { Database } from '../../platform/db/client.ts';
import { isInstallation } from '../installations/installations.ts';
import { openid } from '../tokens/openid-scope.ts';

export const clientCredentials = 'client_credentials';
/** The installation, in the request, and in the response to its authorization code. */
const parameter = 'installation_id';

interface GrantOptions {
  db: Database;
  /** The only audience of tokens. */
  resource: string;
  /** The scopes and lifetime of a client's tokens. */
  infoOf(client: Client): ResourceServer;
}

/** @param provider where the grant type is registered */
export function grantToInstallations(provider: Provider, { db, resource, infoOf }: GrantOptions): void {
  const handle = async (ctx: KoaContextWithOIDC) => {
    const { oidc } = ctx;
    const client = oidc.client!;
    const { scope, resource: requested, [parameter]: id } = oidc.params!;
    if (requested !== undefined && requested !== resource) throw new errors.InvalidTarget();
    if (typeof id !== 'string') throw new errors.InvalidRequest(`missing required parameter ${parameter}`);
    const found = await installationOf(db, id, client.clientId);
    if (!found) throw new errors.InvalidGrant('this client has no such installation');
    const server = new provider.ResourceServer(resource, infoOf(client));
    const token = new provider.AccessToken({
      accountId: found.user_id,
      client,
      grantId: id,
      gty: clientCredentials,
      scope: grantedScope(
        scope,
        found.scopes.filter((each) => server.scopes.has(each)),
      ),
    } as never);
    token.resourceServer = server;
    const proof = await validateDpop(provider, ctx);
    if (proof) {
      await checkDpopReplay(provider, ctx, proof, client.clientId);
      token.setThumbprint('jkt', proof.thumbprint);
    }
    oidc.entity('AccessToken', token);
    return {
      access_token: await token.save(),
      expires_in: token.expiration,
      token_type: token.tokenType,
      scope: token.scope,
    };
  };
  provider.registerGrantType(
    clientCredentials,
    async (ctx) => {
      ctx.body = await handle(ctx as KoaContextWithOIDC);
    },
    ['scope', 'resource', parameter],
  );
  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    const grantId = ctx.path === '/oauth/token' && ctx.status === 200 && ctx.oidc?.entities.AccessToken?.grantId;
    // Tells the app the id for later requests.
    if (grantId && (await isInstallation(db, grantId))) Object.assign(ctx.body as object, { [parameter]: grantId });
  });
}

/** An active installation with offline access; undefined if it isn't the client's, or has ended. */
async function installationOf(db: Database, id: string, clientId: string) {
  if (id.includes('\0')) return undefined;
  const row = await db.global
    .selectFrom('oauth_grants')
    .select(['user_id', 'scopes'])
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where('installation_role', 'is not', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row?.scopes.includes('offline_access') ? row : undefined;
}

/** @throws `invalid_scope` for more than the admin allowed */
function grantedScope(requested: unknown, allowed: string[]): string {
  const names = typeof requested === 'string' ? requested.split(' ').filter(Boolean) : [];
  const refused = names.filter((name) => !allowed.includes(name) && name !== openid);
  if (refused.length > 0) throw new errors.InvalidScope('scope was not granted to the installation', refused.join(' '));
  // There is no refresh token, and no signed-in user.
  const granted = names.length > 0 ? allowed.filter((name) => names.includes(name)) : allowed;
  return granted.filter((name) => name !== 'offline_access').join(' ');
}
