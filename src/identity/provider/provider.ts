/**
 * The authorization server: OAuth 2.0 authorization code grant with PKCE, rotating refresh tokens, and JWT access tokens (RFC
 * 9068). oidc-provider implements the protocol; the pages and routes below /oauth are in `api/pages`.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as oidc from 'oidc-provider';
import Provider from 'oidc-provider';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { isAccepted } from '../clients/client-secrets.ts';
import type { PageOrigins } from '../clients/page-origins.ts';
import { enableJwtRevocation } from '../tokens/revocation.ts';
import type { CurrentSigningKey } from '../tokens/signing-key.ts';
import type { PrivateKey } from '../tokens/signing-keys.ts';
import type { Verifier } from '../tokens/verify-token.ts';
import { grantToInstallations } from './client-credentials.ts';
import { configuration, type ErrorPage, resourceInfo } from './configuration.ts';
import {
  addRetryAfter,
  adjustAuthorizationRequest,
  adjustResource,
  filterMetadata,
  includeIdentityScopes,
  limitAssistants,
  removeEmptyContentType,
  restrictCors,
} from './policy.ts';
import { type OriginOf, recordTokens } from './record-tokens.ts';
import { compareParsedUris } from './redirect-uris.ts';
import { chainRefreshTokens } from './refresh-tokens.ts';

interface AuthorizationServerOptions extends ProviderParts {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  /** The current signing key. */
  key: CurrentSigningKey;
  /** Shown to users when an app's request is invalid. */
  errorPage: ErrorPage;
  /** The origin of a request, for the audit log. */
  originOf: OriginOf;
  log?: Logger | undefined;
}

interface AuthorizationServer {
  /** The current provider, which is replaced when the signing key changes. */
  provider(): Provider;
  /** Handles a request for one of the library's routes. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** A new signing key needs a new provider. All state is in the database, so it continues what the old one started. */
export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const make = (key: PrivateKey) => {
    const provider = createProvider(options, key);
    return { key, provider, handle: provider.callback() };
  };
  let current = make(options.key.now());
  const newest = () => {
    const key = options.key.now();
    if (key !== current.key) current = make(key);
    return current;
  };
  return { provider: () => newest().provider, handle: (req, res) => newest().handle(req, res) };
}

interface ProviderParts {
  verify: Verifier['verify'];
  origins: PageOrigins;
}

function createProvider(options: AuthorizationServerOptions, key: PrivateKey) {
  const { base_url: baseUrl, db, log, originOf, verify, origins } = options;
  const provider = new Provider(baseUrl, configuration(options, key));
  // URLs in responses and the cookies' secure flag follow the public address, not the request.
  const { protocol, host } = new URL(baseUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => baseUrl },
  });
  provider.Client.prototype.compareClientSecret = function (this: oidc.Client, secret: string) {
    return isAccepted(secret, this.clientSecret!); // set by the adapter
  };
  compareParsedUris(provider);
  chainRefreshTokens(provider, options.config.encryption_keys);
  provider.use(addRetryAfter);
  provider.use(limitAssistants(provider));
  provider.use(adjustAuthorizationRequest);
  provider.use(adjustResource);
  provider.use(filterMetadata);
  provider.use(includeIdentityScopes);
  provider.use(removeEmptyContentType);
  provider.use(restrictCors(origins));
  const infoOf = (client: oidc.Client) => resourceInfo(options.config, baseUrl, client);
  grantToInstallations(provider, { db, resource: baseUrl, infoOf });
  recordTokens(provider, db, originOf);
  if (log) report(provider, log);
  enableJwtRevocation(provider, db, verify);
  return provider;
}

function report(provider: Provider, log: Logger): void {
  const logError = (error: unknown) => log.error({ err: error }, 'authorization server');
  const outage = (_ctx: unknown, error: oidc.errors.OIDCProviderError) => {
    if (error.status === 503) logError(error.cause);
  };
  (provider as EventEmitter).on('error', logError);
  provider.on('server_error', (_ctx, error) => logError(error));
  provider.on('authorization.error', outage);
  provider.on('grant.error', outage);
  provider.on('revocation.error', outage);
  provider.on('grant.revoked', (ctx, grantId) => {
    log.info({ grant_id: grantId, client_id: ctx.oidc.client?.clientId, endpoint: ctx.path }, 'grant revoked');
  });
}
