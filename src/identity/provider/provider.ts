/**
 * The authorization server: OAuth 2.0 with the authorization code grant, PKCE for every client, rotating refresh tokens
 * and JWT access tokens (RFC 9068). oidc-provider does the protocol; `configuration.ts` says which part of it is wanted,
 * `api/pages/page-routes.ts` mounts it below /oauth, beside the pages.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import type * as oidc from 'oidc-provider';
import Provider from 'oidc-provider';
import { createFormGuard } from '../../api/pages/forms.ts';
import { routes } from '../../api/pages/page-routes.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { sameSecret, secretHash } from '../../platform/secrets/secrets.ts';
import { ensureReferenceClient } from '../clients/reference-client.ts';
import { createResetQueue } from '../passwords/password-resets.ts';
import { findAccessTokens } from '../tokens/revocation.ts';
import { type PrivateKey, signingKeys } from '../tokens/signing-keys.ts';
import { createVerifier, type TokenCacheFigures, type Verifier } from '../tokens/verify-token.ts';
import { createLimits, type Limits } from '../users/sign-in-limits.ts';
import { configuration } from './configuration.ts';
import { adjustAuthorizationRequest, tidyMetadata } from './policy.ts';
import { recordTokens } from './record-tokens.ts';

/** A new key signs after this time: by then every process has heard of it and takes its tokens. */
const publish_before_signing_ms = 1_500;

export interface OAuthOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  access: AccessListener;
  mail: MailQueue;
  audit: AuditRecorder;
  log?: Logger;
}

export interface OAuth {
  /** /oauth/** and the metadata, to be mounted at the root, before anything reads a body. */
  router: Router;
  /** @throws Problem 401 for a token that is not good; the database's own error when it can't be asked */
  verifyToken: Verifier['verify'];
  /** How many attempts this process has refused, by limit. */
  refused: Limits['refused'];
  token_cache: () => TokenCacheFigures;
}

export async function createOAuth(options: OAuthOptions): Promise<OAuth> {
  const { config, base_url, db, access, mail, audit, log } = options;
  const { encryption_keys } = config;
  await ensureReferenceClient(db, base_url);
  const { verify, figures: token_cache } = createVerifier({
    db,
    base_url,
    cache_entries: config.token_cache_entries,
    access,
  });
  const { provider, handle } = await newestProvider(options, verify);
  const limits = createLimits({ db, config, log });
  const context = {
    provider,
    base_url,
    app_url: config.app_url,
    db,
    mail,
    resets: createResetQueue(encryption_keys),
    limits,
    forms: createFormGuard(encryption_keys, base_url),
    audit,
    log,
  };
  return { router: routes(context, handle), verifyToken: verify, refused: limits.refused, token_cache };
}

/**
 * A provider can't change its keys, so there is a new one whenever another key is the newest. All state is in the
 * database: what one began the next one finishes.
 */
async function newestProvider(options: OAuthOptions, verify: Verifier['verify']) {
  const { config, db, access, log } = options;
  const newest = async () => (await signingKeys(db, config.encryption_keys))[0]!;
  let key = await newest();
  let provider = createProvider(options, key, verify);
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
      provider = createProvider(options, key, verify);
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

function createProvider({ config, base_url, db, log }: OAuthOptions, key: PrivateKey, verify: Verifier['verify']) {
  const provider = new Provider(base_url, configuration(config, base_url, db, key));
  // Addresses in answers, and whether cookies are secure, follow the public address, not what a request says.
  const { protocol, host } = new URL(base_url);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => base_url },
  });
  provider.Client.prototype.compareClientSecret = function (this: oidc.Client, secret: string) {
    return sameSecret(secretHash(secret), Buffer.from(this.clientSecret!, 'base64url')); // what the adapter put there
  };
  provider.use(adjustAuthorizationRequest);
  provider.use(tidyMetadata);
  recordTokens(provider, db);
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
