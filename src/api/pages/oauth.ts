/** Signing in, for apps and for people: the authorization server with its routes and pages. */
import type { Router } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { factorVault, stepVault } from '../../identity/factors/factors.ts';
import { relyingParty } from '../../identity/factors/passkeys.ts';
import { createResetQueue } from '../../identity/passwords/password-resets.ts';
import { createAuthorizationServer } from '../../identity/provider/provider.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import { createLimits, type Limits } from '../../identity/users/sign-in-limits.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { TokenCacheFigures } from '../../platform/observe/limits.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { createInstallationLinks } from '../../product/connections/installation-links.ts';
import { createAddressLinks } from '../../product/sign-in-address/address-links.ts';
import { createOwnAddressLinks } from '../../product/sign-in-address/own-address.ts';
import { createDeviceCookies } from './device-cookies.ts';
import { createFormGuard } from './forms.ts';
import { errorPageOf, originOfAnswer } from './page-context.ts';
import { routes } from './page-routes.ts';
import { createProofs } from './proofs.ts';

interface OAuthOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  access: AccessListener;
  mail: MailQueue;
  log?: Logger;
}

export interface OAuth {
  /** /oauth/** and the metadata, to be mounted at the root, before anything reads a body. */
  router: Router;
  /** @throws Problem 401 for a token that is not good; the database's own error when it can't be asked */
  verifyToken: Verifier['verify'];
  /** Those of the authorization server, and what concerns a user without a company. */
  limits: Pick<Limits, 'refused' | 'profileRequest'>;
  token_cache: () => TokenCacheFigures;
  /** From where pages may call. */
  origins: PageOrigins;
}

export async function createOAuth(options: OAuthOptions): Promise<OAuth> {
  const { config, base_url, db, mail, log } = options;
  const { encryption_keys, app_url } = config;
  const server = await createAuthorizationServer({ ...options, errorPage: errorPageOf, originOf: originOfAnswer });
  const { provider, handle, verify, figures, origins } = server;
  const limits = createLimits({ db, config, log });
  const resets = createResetQueue(encryption_keys);
  const address_links = createAddressLinks(encryption_keys);
  const installation_links = createInstallationLinks(encryption_keys);
  const devices = createDeviceCookies(encryption_keys, base_url);
  const forms = createFormGuard(encryption_keys, base_url);
  const factors = {
    sealed: factorVault(encryption_keys),
    steps: stepVault(encryption_keys),
    rp: relyingParty(base_url),
  };
  const proofs = createProofs(encryption_keys, base_url);
  const context = {
    provider,
    origins,
    base_url,
    app_url,
    db,
    mail,
    encryption_keys,
    resets,
    address_links,
    own_address_links: createOwnAddressLinks(encryption_keys),
    installation_links,
    limits,
    devices,
    forms,
    factors,
    proofs,
    log,
  };
  return { router: routes(context, handle), verifyToken: verify, limits, token_cache: figures, origins };
}
