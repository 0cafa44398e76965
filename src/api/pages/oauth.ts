/**
 * Signing in, for apps and for people. What the API asks for with each request is made at once; the authorization server and
 * its pages are loaded when somebody asks for one: they are as many modules as all of the API, and nobody signs in while a
 * process starts.
 */
import type { RequestHandler } from 'express';
import { ensureOwnClients } from '../../identity/clients/ensure-own-clients.ts';
import { createPageOrigins, type PageOrigins } from '../../identity/clients/page-origins.ts';
import { followNewestKey } from '../../identity/tokens/newest-key.ts';
import { createVerifier, type Verifier } from '../../identity/tokens/verify-token.ts';
import { createLimits, type Limits } from '../../identity/users/sign-in-limits.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { TokenCacheFigures } from '../../platform/observe/limits.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { atFirstRequest } from '../http/at-first-request.ts';

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
  router: RequestHandler;
  /** @throws Problem 401 for a token that is not good; the database's own error when it can't be asked */
  verifyToken: Verifier['verify'];
  /** Those of the authorization server, and what concerns a user without a company. */
  limits: Pick<Limits, 'refused' | 'profileRequest'>;
  tokenCache: () => TokenCacheFigures;
  /** From where pages may call. */
  origins: PageOrigins;
}

export async function createOAuth(options: OAuthOptions): Promise<OAuth> {
  const { config, base_url: baseUrl, db, access, log } = options;
  await ensureOwnClients(db, baseUrl);
  const { verify, figures } = createVerifier({
    db,
    base_url: baseUrl,
    cacheEntries: config.token_cache_entries,
    access,
    // Nobody sends a proof while a process starts.
    useOnce: async (id, keptS) =>
      (await import('../../identity/provider/adapter.ts')).useOnce(db, config.encryption_keys, id, keptS),
  });
  const origins = createPageOrigins(db, access);
  const key = await followNewestKey({ db, encryption_keys: config.encryption_keys, access, log });
  const limits = createLimits({ db, config, log });
  const router = atFirstRequest(async () => {
    const { signInRoutes } = await import('./sign-in-routes.ts');
    return signInRoutes({ ...options, verify, origins, key, limits });
  });
  return { router, verifyToken: verify, limits, tokenCache: figures, origins };
}
