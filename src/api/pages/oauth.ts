/**
 * Sign-in for apps and people. The authorization server and its pages are as many modules as the whole API, and load on first
 * use.
 */
import type { RequestHandler } from 'express';
import { ensureBuiltInClients } from '../../identity/clients/ensure-own-clients.ts';
import { createPageOrigins, type PageOrigins } from '../../identity/clients/page-origins.ts';
import { watchSigningKey } from '../../identity/tokens/signing-key.ts';
import { createVerifier, type Verifier } from '../../identity/tokens/verify-token.ts';
import { createLimits, type Limits } from '../../identity/users/sign-in-limits.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { TokenCacheStats } from '../../platform/observe/limits.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { onFirstRequest } from '../http/lazy-routes.ts';

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
  /** /oauth/** and the metadata, to be mounted at the root, before any body parser. */
  router: RequestHandler;
  /** @throws Problem 401 for an invalid token; the database error if the check fails */
  verifyToken: Verifier['verify'];
  /** Limits of the authorization server, and of requests by users without a company. */
  limits: Pick<Limits, 'refused' | 'profileRequest'>;
  tokenCache: () => TokenCacheStats;
  origins: PageOrigins;
}

export async function createOAuth(options: OAuthOptions): Promise<OAuth> {
  const { config, base_url: baseUrl, db, access, log } = options;
  await ensureBuiltInClients(db, baseUrl);
  const { verify, figures } = createVerifier({
    db,
    base_url: baseUrl,
    cacheEntries: config.token_cache_entries,
    access,
    // Loaded on first use: startup doesn't need it.
    useOnce: async (id, ttlS) =>
      (await import('../../identity/provider/adapter.ts')).useOnce(db, config.encryption_keys, id, ttlS),
  });
  const origins = createPageOrigins(db, access);
  const key = await watchSigningKey({ db, encryption_keys: config.encryption_keys, access, log });
  const limits = createLimits({ db, config, log });
  const router = onFirstRequest(async () => {
    const { signInRoutes } = await import('./sign-in-routes.ts');
    return signInRoutes({ ...options, verify, origins, key, limits });
  });
  return { router, verifyToken: verify, limits, tokenCache: figures, origins };
}
