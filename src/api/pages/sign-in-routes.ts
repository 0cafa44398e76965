import type { Router } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { factorVault, stepVault } from '../../identity/factors/factors.ts';
import { relyingParty } from '../../identity/factors/passkeys.ts';
import { createResetQueue } from '../../identity/passwords/password-resets.ts';
import { createAuthorizationServer } from '../../identity/provider/provider.ts';
import type { CurrentSigningKey } from '../../identity/tokens/signing-key.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import type { Limits } from '../../identity/users/sign-in-limits.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { createInstallationLinks } from '../../product/connections/installation-links.ts';
import { createAddressLinks } from '../../product/sign-in-address/address-links.ts';
import { createOwnAddressLinks } from '../../product/sign-in-address/own-address.ts';
import { createIdentityProviders } from '../../product/sign-in-connections/provider.ts';
import { createSignInSettings } from '../../product/sign-in-connections/sign-in-settings.ts';
import { routes } from './page-routes.ts';
import { createDeviceCookies } from './shared/device-cookies.ts';
import { createFormGuard } from './shared/forms.ts';
import { errorPageOf, responseOrigin } from './shared/page-context.ts';
import { createProofs } from './shared/proofs.ts';

interface SignInOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  mail: MailQueue;
  verify: Verifier['verify'];
  origins: PageOrigins;
  key: CurrentSigningKey;
  limits: Limits;
  log?: Logger;
}

export function signInRoutes(options: SignInOptions): Router {
  const { config, base_url: baseUrl, db, mail, verify, origins, limits, log } = options;
  const { encryption_keys: encryptionKeys, app_url: appUrl } = config;
  const server = createAuthorizationServer({ ...options, errorPage: errorPageOf, originOf: responseOrigin });
  const { provider, handle } = server;
  const signIn = createSignInSettings(config);
  const context = {
    provider,
    origins,
    base_url: baseUrl,
    app_url: appUrl,
    db,
    mail,
    encryption_keys: encryptionKeys,
    resets: createResetQueue(encryptionKeys),
    addressLinks: createAddressLinks(encryptionKeys),
    ownAddressLinks: createOwnAddressLinks(encryptionKeys),
    installationLinks: createInstallationLinks(encryptionKeys),
    limits,
    devices: createDeviceCookies(encryptionKeys, baseUrl),
    forms: createFormGuard(encryptionKeys, baseUrl),
    factors: {
      sealed: factorVault(encryptionKeys),
      steps: stepVault(encryptionKeys),
      rp: relyingParty(baseUrl),
    },
    proofs: createProofs(encryptionKeys, baseUrl),
    signIn,
    providers: createIdentityProviders(signIn),
    log,
  };
  return routes(context, handle, verify);
}
