/**
 * Receives logouts from identity providers (OpenID Connect Back-Channel Logout 1.0). Every refusal is the same response, and so is
 * every success, so nobody learns which connections, people, or sessions exist.
 */
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import { signOutByProvider } from '../../product/sign-in-connections/provider-logout.ts';
import { enabledConnection } from './connection-start.ts';
import { field, readForm } from './shared/forms.ts';
import { originOfPage, type PageContext } from './shared/page-context.ts';

export const logoutPath = '/oauth/connections/:id/backchannel-logout';

export function providerLogout(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.post(logoutPath, async (req, res, next) => {
    const waitS = await context.limits.logoutRequest(req.ip);
    if (waitS === 0) return next();
    res.set({ 'Cache-Control': 'no-store', 'Retry-After': String(waitS) });
    res.status(429).json({ error: 'rate_limited', error_description: `too many requests, try again in ${waitS} s` });
  });
  router.post(logoutPath, readForm, (req, res) => receive(context, req, res));
  const unreadable: ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent || !(error.status < 500)) return next(error);
    refuse(res);
  };
  router.use(logoutPath, unreadable);
  return router;
}

async function receive(context: PageContext, req: Request, res: Response): Promise<void> {
  const { providers, log } = context;
  const id = String(req.params.id);
  const connection = await enabledConnection(context, id);
  if (connection?.kind !== 'oidc') return refuse(res);
  let logout: Awaited<ReturnType<typeof providers.logoutOf>>;
  try {
    logout = await providers.logoutOf(connection, field(req, 'logout_token'));
  } catch (error) {
    log?.warn({ err: error, connection_id: id, ip: req.ip }, 'logout of an identity provider rejected');
    return refuse(res);
  }
  const isNew = await signOutByProvider(context, connection, logout, originOfPage(req, res));
  if (!isNew) return refuse(res);
  res.set('Cache-Control', 'no-store');
  res.status(200).end();
}

function refuse(res: Response): void {
  res.set('Cache-Control', 'no-store');
  res.status(400).json({ error: 'invalid_request', error_description: 'the logout token was rejected' });
}
