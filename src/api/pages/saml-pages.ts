/**
 * The assertion consumer service and the metadata for SAML providers. A cross-site POST carries no cookies of ours, so the
 * response is verified and stored; a redirect to the same URL then checks the cookie of the browser that was sent to the provider.
 */
import express, { type Request, type Response, type Router } from 'express';
import { useChallenge } from '../../identity/factors/challenges.ts';
import { isId } from '../../product/access/records.ts';
import { openConnection } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import { maxAgeMs, skewMs } from '../../product/sign-in-connections/saml/clock.ts';
import {
  consumeRequest,
  type Outcome,
  requestWithOutcome,
  storeOutcome,
  waitingRequest,
} from '../../product/sign-in-connections/saml/pending-requests.ts';
import { serviceAddresses, serviceMetadata } from '../../product/sign-in-connections/saml/service-provider.ts';
import { verifyResponse } from '../../product/sign-in-connections/saml/verify-response.ts';
import { maxXmlCharacters, XmlError } from '../../product/sign-in-connections/saml/xml.ts';
import { handleOutcome, refusedPage, restartHint, stalePage } from './connection-outcome.ts';
import { openPendingState } from './connection-start.ts';
import { field } from './shared/forms.ts';
import { failurePage, type PageContext, send } from './shared/page-context.ts';

/** The limit covers the base64 of the largest response, in which form encoding may triple some characters. */
const readResponse = express.urlencoded({ extended: false, limit: maxXmlCharacters * 2, parameterLimit: 10 });

export function samlPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/oauth/connections/:id/metadata', async (req, res) => {
    const connection = await openConnection(context.db, context.signIn, req.params.id);
    if (connection?.kind !== 'saml') return send(res, 404, stalePage);
    res.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    res.type('application/samlmetadata+xml').send(await serviceMetadata(context.base_url, connection));
  });
  router
    .route('/oauth/connections/:id/acs')
    .post(readResponse, (req, res) => receive(context, req, res))
    .get((req, res) => finish(context, req, res));
  router.use('/oauth/connections', failurePage(context.log, restartHint));
  return router;
}

const idOf = ({ params }: Request<{ id: string }>) => (isId(params.id) ? params.id.toLowerCase() : '');

/** Stores the outcome without showing it: an attacker may have made another browser post the response. */
async function receive(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, factors, signIn, base_url: baseUrl } = context;
  res.set('Cache-Control', 'no-store');
  const id = idOf(req);
  const relayState = field(req as Request, 'RelayState');
  const request = id && relayState ? await waitingRequest(db, id, relayState) : undefined;
  const connection = request && (await openConnection(db, signIn, id));
  if (connection?.kind !== 'saml') return send(res, 400, stalePage);
  const response = field(req as Request, 'SAMLResponse');
  const expected = { request_id: request!.request_id };
  let outcome: Outcome;
  try {
    const { assertion_id: assertionId, ...claims } = await verifyResponse(connection, baseUrl, expected, response);
    const isFirst = await useChallenge(db.global, `saml\n${id}\n${assertionId}`, maxAgeMs + 2 * skewMs);
    if (!isFirst) throw new XmlError('the assertion was used before');
    outcome = { claims };
  } catch (error) {
    context.log?.warn({ err: error, connection_id: id, ip: req.ip }, 'response of an identity provider rejected');
    outcome = { refused: error instanceof Error ? error.message.slice(0, 300) : 'unknown' };
  }
  if (!(await storeOutcome(db, factors.steps, { connectionId: id, relayState }, outcome)))
    return send(res, 400, stalePage);
  const { acs_url: address } = serviceAddresses(baseUrl, id);
  res.redirect(303, `${address}?${new URLSearchParams({ state: relayState })}`);
}

async function finish(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, factors, signIn } = context;
  res.set('Cache-Control', 'no-store');
  const id = idOf(req);
  const { state } = req.query;
  const pendingRequest =
    id && typeof state === 'string' ? await requestWithOutcome(db, factors.steps, id, state) : undefined;
  const pending = pendingRequest && openPendingState(context, req as Request, id, pendingRequest.begun);
  const connection = pending && (await openConnection(db, signIn, id));
  if (!pending || !connection || (!connection.isEnabled && pending.errand.kind !== 'test'))
    return send(res, 400, stalePage);
  if (!(await consumeRequest(db, String(state)))) return send(res, 400, stalePage);
  const { outcome } = pendingRequest;
  const reason = 'refused' in outcome ? outcome.refused : staleReason(outcome.claims.auth_time, pending.max_age);
  if ('refused' in outcome || reason) {
    return send(res, 400, refusedPage(connection, pending.errand.kind === 'test' ? reason : undefined));
  }
  await handleOutcome(context, req as Request, res, { connection, claims: outcome.claims, errand: pending.errand });
}

/** Providers may ignore `ForceAuthn` and reuse an older sign-in, so check its time. */
function staleReason(authTimeS: number | undefined, maxAgeS: number | undefined): string | undefined {
  if (maxAgeS === undefined || ((authTimeS ?? 0) + maxAgeS) * 1_000 + skewMs >= Date.now()) return undefined;
  return 'the provider did not ask the person to sign in again';
}
