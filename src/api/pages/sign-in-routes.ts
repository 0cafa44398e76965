/** The authorization server with its routes and pages. */
import type { Router } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { factorVault, stepVault } from '../../identity/factors/factors.ts';
import { relyingParty } from '../../identity/factors/passkeys.ts';
import { createResetQueue } from '../../identity/passwords/password-resets.ts';
import { createAuthorizationServer } from '../../identity/provider/provider.ts';
import type { NewestKey } from '../../identity/tokens/newest-key.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import type { Limits } from '../../identity/users/sign-in-limits.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { createInstallationLinks } from '../../product/connections/installation-links.ts';
import { createAddressLinks } from '../../product/sign-in-address/address-links.ts';
import { createOwnAddressLinks } from '../../product/sign-in-address/own-address.ts';
import { createDeviceCookies } from './device-cookies.ts';
import { createFormGuard } from './forms.ts';
import { errorPageOf, originOfAnswer } from './page-context.ts';
import { routes } from './page-routes.ts';
import { createProofs } from './proofs.ts';

interface SignInOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  mail: MailQueue;
  verify: Verifier['verify'];
  origins: PageOrigins;
  key: NewestKey;
  limits: Limits;
  log?: Logger;
}

export function signInRoutes(options: SignInOptions): Router {
  const { config, base_url, db, mail, origins, limits, log } = options;
  const { encryption_keys, app_url } = config;
  const server = createAuthorizationServer({ ...options, errorPage: errorPageOf, originOf: originOfAnswer });
  const { provider, handle } = server;
  const context = {
    provider,
    origins,
    base_url,
    app_url,
    db,
    mail,
    encryption_keys,
    resets: createResetQueue(encryption_keys),
    address_links: createAddressLinks(encryption_keys),
    own_address_links: createOwnAddressLinks(encryption_keys),
    installation_links: createInstallationLinks(encryption_keys),
    limits,
    devices: createDeviceCookies(encryption_keys, base_url),
    forms: createFormGuard(encryption_keys, base_url),
    factors: {
      sealed: factorVault(encryption_keys),
      steps: stepVault(encryption_keys),
      rp: relyingParty(base_url),
    },
    proofs: createProofs(encryption_keys, base_url),
    log,
  };
  return routes(context, handle);
}
