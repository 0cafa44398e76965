/** The express application. Every request passes these steps in order. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { contract } from '../contract/contract.ts';
import { t } from '../contract/languages/text.ts';
import { notFound, Problem } from '../contract/problem.ts';
import type { AuditRecorder } from '../platform/audit/recorder.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/client.ts';
import { createCursors } from '../platform/db/cursor.ts';
import { retainFilesDuringBackup } from '../platform/files/backup-lock.ts';
import { createFiles } from '../platform/files/context.ts';
import type { WatchedStore } from '../platform/files/store/store-watch.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Logger } from '../platform/observe/log.ts';
import { PhotoDecoders } from '../platform/photos/decoders.ts';
import { vault } from '../platform/secrets/secrets.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { ConnectionUsageRecorder } from '../product/connections/connection-usage.ts';
import type { DirectoryMeter } from '../product/directories/directory-meter.ts';
import { createSignInSettings } from '../product/sign-in-connections/sign-in-settings.ts';
import { createTestWaits } from '../product/webhooks/deliveries/test-wait.ts';
import { createWebhookSettings } from '../product/webhooks/subscriptions/webhook-settings.ts';
import { fileRoutes } from './files/file-routes.ts';
import { createAdmission, type Traffic } from './http/admission.ts';
import { bodyReader } from './http/body/body.ts';
import { receivers } from './http/body/receivers.ts';
import { handlers } from './http/handlers.ts';
import { health } from './http/health.ts';
import { onFirstRequest } from './http/lazy-routes.ts';
import { loggedPath } from './http/observe/logged-path.ts';
import { requestIdOf } from './http/observe/request-id.ts';
import type { RequestLog } from './http/observe/request-log.ts';
import { measureRequest, type RequestMetrics } from './http/observe/request-metrics.ts';
import { isCompanyRequest } from './http/request-context.ts';
import { createRequestPipeline } from './http/request-pipeline.ts';
import { resources } from './http/resources.ts';
import { createResponder, type Responder } from './http/responses/respond.ts';
import { securityHeaders } from './http/security-headers.ts';
import { unchangedChecks } from './http/unchanged-values.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import type { OAuth } from './pages/oauth.ts';
import type { RateLimiter } from './rate-limit/rate-limit.ts';

interface AppOptions {
  config: Config;
  base_url: string;
  db: Database;
  store: WatchedStore;
  oauth: OAuth;
  mail: MailQueue;
  limiter: RateLimiter;
  quotas: Quotas;
  watch: RequestMetrics;
  directoryMeter: DirectoryMeter;
  audit: AuditRecorder;
  uses?: ConnectionUsageRecorder | undefined;
  log: Logger;
  /** Aborted on shutdown; the process then isn't ready for new requests. */
  stopping?: AbortSignal;
}

export async function createApp(options: AppOptions): Promise<Express> {
  const { config, base_url: baseUrl, db, store, oauth, mail, limiter, quotas, watch, audit, log, stopping } = options;
  const responder = createResponder(!config.production, log, watch.meter.breached);
  const { verifyToken, limits, origins } = oauth;
  const cursors = createCursors(config.encryption_keys);
  const webhooks = createWebhookSettings(config);
  const signIn = createSignInSettings(config);
  const testWaits = createTestWaits(config.webhooks.testWaitMs);
  const files = retainFilesDuringBackup(createFiles(config, baseUrl, store.storage), db);
  const photos = new PhotoDecoders({
    stopping,
    onKilled: (companyId, error) => log.warn({ company_id: companyId, err: error }, 'photo not decoded'),
  });
  const readBody = bodyReader(receivers, files, config.max_body_bytes);
  const responseVault = vault(config.encryption_keys, 'kept-answers');
  const api = await createRequestPipeline({
    handlers,
    resources,
    unchangedChecks,
    services: {
      base_url: baseUrl,
      db,
      mail,
      cursors,
      webhooks,
      signIn,
      testWaits,
      files,
      photos,
      quotas,
      exportLeaseS: config.exports.leaseS,
    },
    responder,
    readBody,
    verifyToken,
    origins,
    responseVault,
    limiter,
    limits,
    audit,
    uses: options.uses,
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (config.trust_proxy) app.set('trust proxy', config.trust_proxy);
  const { admit } = createAdmission(config.http);
  const headers = { ...securityHeaders(config), 'X-Api-Version': contract.info.version };
  app.use(requestLog(log, watch, headers));
  // The API comes first: every step before it costs each of its requests.
  const apiHandler = config.require_https ? requireHttps(responder, api) : api;
  app.use((req, res, next) => {
    const { path } = req;
    const calledApi = isApi(path);
    if (isCompanyRequest(req)) Object.assign((res.locals.requestLog as RequestLog).headers, limiter.policy_header);
    try {
      admit(req, res, calledApi ? 'api' : trafficOf(path));
    } catch (error) {
      responder.fail(res, undefined, error);
      return;
    }
    return calledApi ? apiHandler(req, res, next) : next();
  });
  app.use(setHeaders);
  app.use(health(db, store, stopping));
  if (config.require_https) app.use(requireHttps(responder));
  app.use(oauth.router);
  app.use(mcpRoutes({ base_url: baseUrl, db, verifyToken, limiter, audit, service: app }));
  app.use('/files', fileRoutes(files, { db, audit, responder, stallTimeoutMs: config.http.downloadStallTimeoutMs }));
  const { directoryMeter: meter } = options;
  const scim = { base_url: baseUrl, db, mail, quotas, limiter, meter, max_body_bytes: config.max_body_bytes, log };
  app.use(
    '/scim',
    onFirstRequest(async () => (await import('./scim/routes.ts')).scimRoutes(scim)),
  );
  app.use(onFirstRequest(async () => (await import('./service-pages.ts')).servicePages(baseUrl)));
  app.use((_req, res) => void responder.fail(res, undefined, notFound()));
  app.use(lastResort(responder));
  return app;
}

/** Sets the request id (a valid incoming one is kept) and writes one log line per request. @param headers of every response */
function requestLog(log: Logger, watch: RequestMetrics, headers: Record<string, string>): RequestHandler {
  return (req, res, next) => {
    const started = performance.now();
    const requestId = requestIdOf(req);
    const requestLog: RequestLog = { request_id: requestId, headers: { ...headers, 'X-Request-Id': requestId } };
    res.locals.requestLog = requestLog;
    const { url } = req; // express rewrites it
    const watched = measureRequest(watch, req, requestLog);
    res.once('close', () => {
      const { record, headers: _, pathParameters: __, language: ___, ...known } = requestLog;
      const durationMs = Math.round((performance.now() - started) * 1000) / 1000;
      const status = res.writableFinished ? res.statusCode : 499; // the client disconnected before the response
      const target = record ? { operationId: record.operationId } : { path: loggedPath(url) };
      const slow = watched.end(status, durationMs);
      const line = { ...target, method: req.method, status, duration_ms: durationMs, ...known };
      if (slow) log.warn({ ...line, slow }, 'request');
      else log.info(line, 'request');
    });
    watched.run(next);
  };
}

/** For handlers that write their own response; the API sets all headers at once. */
const setHeaders: RequestHandler = (_req, res, next) => {
  const { headers } = res.locals.requestLog as RequestLog;
  for (const name in headers) res.setHeader(name, headers[name]!);
  next();
};

/** Rejects plain HTTP before reading anything of the request. */
function requireHttps(responder: Responder, handler?: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.secure) return handler ? handler(req, res, next) : next();
    responder.fail(res, undefined, new Problem(403, 'https_required', t`This service is available over HTTPS only.`));
  };
}

/** The contract's paths and everything below them, so that unknown ones get a 401 before a 404. */
function isApi(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/auth/') || path === '/v1' || path === '/auth';
}

function trafficOf(path: string): Traffic | undefined {
  if (path === '/healthz' || path === '/readyz') return undefined;
  return path.startsWith('/files/') ? 'files' : 'pages';
}

function lastResort(responder: Responder): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    // Express can't decode the path, as in `/oauth/authorize/%zz`: nothing has that name.
    responder.fail(res, undefined, error instanceof URIError ? notFound() : error);
  };
}
