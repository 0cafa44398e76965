/** The callback for identity providers, and the start of a connection test. */
import express, { type Request, type Response, type Router } from 'express';
import { useChallenge } from '../../identity/factors/challenges.ts';
import { isId } from '../../product/access/records.ts';
import type { Claims } from '../../product/sign-in-connections/claims.ts';
import { publicClientKeys } from '../../product/sign-in-connections/client-keys.ts';
import { openConnection } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import { callbackOf } from '../../product/sign-in-connections/sign-in-connections.ts';
import { openTest } from '../../product/sign-in-connections/test-ticket.ts';
import { handleOutcome, refusedPage, restartHint, stalePage } from './connection-outcome.ts';
import { causeOf, consumeState, redirectToProvider } from './connection-start.ts';
import { failurePage, type PageContext, send } from './shared/page-context.ts';
import { markSingleUse } from './shared/page-language.ts';

export function connectionPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use('/oauth/connections', (_req, res, next) => {
    markSingleUse(res);
    next();
  });
  router.get('/oauth/connections/:id/test', (req, res) => startTest(context, req, res));
  router.get('/oauth/connections/:id/callback', (req, res) => finish(context, req, res));
  router.get('/oauth/connections/:id/jwks', (req, res) => sendKeys(context, req, res));
  router.use('/oauth/connections', failurePage(context.log, restartHint));
  return router;
}

/** Public: the provider reads them. */
async function sendKeys({ db, signIn }: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { id } = req.params;
  const connection = await openConnection(db, signIn, id);
  if (connection?.kind !== 'oidc') return send(res, 404, stalePage);
  res.set('Cache-Control', 'public, max-age=300');
  res.type('application/jwk-set+json').send(JSON.stringify(await publicClientKeys(db, connection.id)));
}

async function startTest(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, signIn } = context;
  const { id } = req.params;
  const ticket = String(req.query.ticket ?? '');
  const userId = openTest(signIn, id, ticket);
  const connection = userId ? await openConnection(db, signIn, id) : undefined;
  if (!userId || !connection || !(await useChallenge(db.global, ticket))) return send(res, 410, stalePage);
  await redirectToProvider(context, req, res, connection, { kind: 'test', user_id: userId }, { again: { max_age: 0 } });
}

async function finish(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, signIn, providers, base_url: baseUrl, log } = context;
  res.set('Cache-Control', 'no-store');
  const id = isId(req.params.id) ? req.params.id.toLowerCase() : '';
  const pending = await consumeState(context, req, id);
  const connection = pending && (await openConnection(db, signIn, id));
  if (!pending || connection?.kind !== 'oidc' || (!connection.isEnabled && pending.errand.kind !== 'test'))
    return send(res, 400, stalePage);
  const redirectUri = callbackOf(baseUrl, id);
  const response = new URL(`${redirectUri}${new URL(req.originalUrl, baseUrl).search}`);
  let claims: Claims;
  try {
    claims = await providers.claimsOf(connection, { ...pending, redirect_uri: redirectUri }, response);
  } catch (error) {
    log?.warn({ err: error, connection_id: id, ip: req.ip }, 'response of an identity provider rejected');
    const reason = pending.errand.kind === 'test' ? causeOf(error) : undefined;
    return send(res, 400, refusedPage(connection, reason));
  }
  await handleOutcome(context, req, res, { connection, claims, errand: pending.errand });
}
