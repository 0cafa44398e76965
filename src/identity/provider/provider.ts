/**
 * The authorization server: OAuth 2.0 with the authorization code grant, PKCE for every client, rotating refresh tokens
 * and JWT access tokens (RFC 9068). oidc-provider does the protocol; `configuration.ts` says which part of it is used. The
 * pages that people see, and the routes below /oauth, are `api/pages`.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as oidc from 'oidc-provider';
import Provider from 'oidc-provider';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { ensureAccountClient } from '../clients/account-client.ts';
import { isAccepted } from '../clients/client-secrets.ts';
import { ensureCommandLineClient } from '../clients/command-line-client.ts';
import { ensureConsoleClient } from '../clients/console-client.ts';
import { createPageOrigins, type PageOrigins } from '../clients/page-origins.ts';
import { ensureReferenceClient } from '../clients/reference-client.ts';
import { findAccessTokens } from '../tokens/revocation.ts';
import { type PrivateKey, signingKeys } from '../tokens/signing-keys.ts';
import { createVerifier, type Verifier } from '../tokens/verify-token.ts';
import { configuration, type ErrorPage } from './configuration.ts';
import { adjustAuthorizationRequest, leaveEmptyUntyped, shareWithKnownPages, tidyMetadata } from './policy.ts';
import { type OriginOf, recordTokens } from './record-tokens.ts';
import { chainRefreshTokens } from './refresh-tokens.ts';

/** A new key signs after this time: by then every process has heard of it and takes its tokens. */
const publish_before_signing_ms = 1_500;

interface AuthorizationServerOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  access: AccessListener;
  /** What a person sees when an app sends them here with a request that can't go on. */
  errorPage: ErrorPage;
  /** Where a request came from, for the audit log. */
  originOf: OriginOf;
  log?: Logger | undefined;
}

interface AuthorizationServer extends Verifier {
  /** The library's provider of this moment: there is a new one when the signing key changes. */
  provider(): Provider;
  /** Answers a request for one of the library's routes. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** From where pages may call. */
  origins: PageOrigins;
}

export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { config, base_url, db, access } = options;
  await ensureReferenceClient(db, base_url);
  await ensureAccountClient(db, base_url);
  await ensureConsoleClient(db, base_url);
  await ensureCommandLineClient(db);
  const verifier = createVerifier({ db, base_url, cache_entries: config.token_cache_entries, access });
  const origins = createPageOrigins(db, access);
  return { ...verifier, origins, ...(await newestProvider(options, { verify: verifier.verify, origins })) };
}

/**
 * A provider can't change its keys, so there is a new one whenever another key is the newest. All state is in the
 * database: what one began the next one finishes.
 */
async function newestProvider(options: AuthorizationServerOptions, parts: ProviderParts) {
  const { config, db, access, log } = options;
  const newest = async () => (await signingKeys(db, config.encryption_keys))[0]!;
  let key = await newest();
  let provider = createProvider(options, key, parts);
  let handle = provider.callback();
  let asked = 0;

  const follow = async () => {
    const mine = ++asked;
    do {
      await sleep(publish_before_signing_ms, undefined, { ref: false, signal: access.closed }).catch(() => {});
      if (mine !== asked || access.closed.aborted) return; // a later call does it, or nobody
    } while (!access.connected); // it may have missed a newer key, which others have not heard of yet
    try {
      const found = await newest();
      if (found.kid === key.kid) return;
      key = found;
      provider = createProvider(options, key, parts);
      handle = provider.callback();
      log?.info({ key_id: key.kid }, 'signing with another key');
    } catch (error) {
      log?.warn({ err: error }, 'signing keys could not be read');
      void follow();
    }
  };
  access.subscribe({ onChange() {}, onKeys: () => void follow(), onGap: () => void follow() });
  return {
    provider: () => provider,
    handle: (req: IncomingMessage, res: ServerResponse) => handle(req, res),
  };
}

interface ProviderParts {
  verify: Verifier['verify'];
  origins: PageOrigins;
}

function createProvider(options: AuthorizationServerOptions, key: PrivateKey, { verify, origins }: ProviderParts) {
  const { base_url, db, log, originOf } = options;
  const provider = new Provider(base_url, configuration(options, key));
  // Addresses in answers, and whether cookies are secure, follow the public address, not what a request says.
  const { protocol, host } = new URL(base_url);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => base_url },
  });
  provider.Client.prototype.compareClientSecret = function (this: oidc.Client, secret: string) {
    return isAccepted(secret, this.clientSecret!); // what the adapter put there
  };
  chainRefreshTokens(provider, options.config.encryption_keys);
  provider.use(adjustAuthorizationRequest);
  provider.use(tidyMetadata);
  provider.use(leaveEmptyUntyped);
  provider.use(shareWithKnownPages(origins));
  recordTokens(provider, db, originOf);
  if (log) report(provider, log);
  findAccessTokens(provider, verify);
  return provider;
}

function report(provider: Provider, log: Logger): void {
  const fault = (error: unknown) => log.error({ err: error }, 'authorization server');
  const outage = (_ctx: unknown, error: oidc.errors.OIDCProviderError) => {
    if (error.status === 503) fault(error.cause);
  };
  (provider as EventEmitter).on('error', fault);
  provider.on('server_error', (_ctx, error) => fault(error));
  provider.on('authorization.error', outage);
  provider.on('grant.error', outage);
  provider.on('revocation.error', outage);
  provider.on('grant.revoked', (ctx, grant_id) => {
    log.info({ grant_id, client_id: ctx.oidc.client?.clientId, endpoint: ctx.path }, 'grant revoked');
  });
}
