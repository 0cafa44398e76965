/**
 * SCIM 2.0, for identity providers. Address and token identify the directory. Rejected changes are stored for the company's
 * admins.
 */
import express, { type Request, type Response, type Router } from 'express';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Quotas } from '../../product/companies/quotas.ts';
import { type Attributes, canonicalPath, isObject } from '../../product/directories/attributes.ts';
import type { DirectoryMeter } from '../../product/directories/directory-meter.ts';
import { directoryByToken } from '../../product/directories/rotate-token.ts';
import { ScimProblem } from '../../product/directories/scim-problem.ts';
import { recordRefusal } from '../../product/directories/syncs.ts';
import { originOfRequest } from '../http/audited.ts';
import { readJson } from '../http/body/json-body.ts';
import type { RequestLog } from '../http/observe/request-log.ts';
import { isUnmodified } from '../http/responses/preconditions.ts';
import { contentHandler } from '../http/responses/published.ts';
import { type RateLimiter, tooManyRequests } from '../rate-limit/rate-limit.ts';
import { createScimEngine, type ScimEngine, scimDocument } from './engine.ts';
import type { ScimContext, ScimReply } from './operation.ts';
import { refusalOf } from './scim-error.ts';

interface ScimOptions {
  base_url: string;
  db: Database;
  mail: MailQueue;
  quotas: Quotas;
  limiter: RateLimiter;
  max_body_bytes: number;
  log: Logger;
  meter: DirectoryMeter;
}

export async function scimRoutes(options: ScimOptions): Promise<Router> {
  const engine = await createScimEngine();
  const router = express.Router({ caseSensitive: true });
  const document = `${JSON.stringify({ ...scimDocument, servers: [{ url: options.base_url }] }, null, 2)}\n`;
  router.get(
    '/openapi.json',
    contentHandler(() => ({
      body: document,
      media_type: 'application/json; charset=utf-8',
      headers: { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' },
    })),
  );
  router.use('/v2/:directory_id', (req, res) => handle(req, res, engine, options));
  return router;
}

async function handle(req: Request, res: Response, engine: ScimEngine, options: ScimOptions): Promise<void> {
  const requestLog = res.locals.requestLog as RequestLog;
  let context: ScimContext | undefined;
  const attempt: Attempt = { operation: undefined, body: {} };
  try {
    context = await enter(req, requestLog, options);
    await count(context, requestLog, options.limiter);
    const reply = await run(req, res, context, attempt, engine, options);
    options.meter.requested(attempt.operation, reply.status);
    send(req, res, requestLog, reply);
  } catch (error) {
    const { status, code, headers, body, cause } = refusalOf(error);
    requestLog.error_code = code;
    options.meter.requested(attempt.operation, status);
    if (cause !== undefined) options.log.error({ err: cause }, body.detail);
    if (context && isChange(req) && status < 500 && status !== 429 && status !== 412) {
      await auditRefusal(req, context, attempt, status, body.detail).catch((err) =>
        options.log.warn({ err }, 'rejected directory request not recorded'),
      );
    }
    send(req, res, requestLog, { status, headers, body });
  }
}

interface Attempt {
  operation: string | undefined;
  body: Attributes;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** @throws 401, the same for an unknown directory and a wrong token */
async function enter(
  req: Request,
  requestLog: RequestLog,
  { db, base_url: baseUrl, mail, quotas, meter }: ScimOptions,
): Promise<ScimContext> {
  const token = bearer.exec(req.headers.authorization ?? '')?.[1];
  const id = String(req.params.directory_id);
  const directory = token === undefined ? undefined : await directoryByToken(db, id, token);
  if (!directory) {
    const headers = { 'WWW-Authenticate': 'Bearer realm="scim"' };
    throw new Problem(401, 'invalid_token', t`There is no such directory, or the token is not its own.`, { headers });
  }
  requestLog.company_id = directory.company_id;
  requestLog.directory_id = directory.id;
  return {
    tenant: db.tenant(directory.company_id),
    directory,
    scim_url: `${baseUrl}/scim/v2/${directory.id}`,
    base_url: baseUrl,
    mail,
    quotas,
    meter,
    origin: originOfRequest(req, requestLog),
  };
}

/** @throws 429 */
async function count({ directory }: ScimContext, requestLog: RequestLog, limiter: RateLimiter): Promise<void> {
  const caller = { client_id: 'scim', user_id: directory.id };
  const decision = await limiter.take(directory.company_id, caller, 'write', 'directory');
  Object.assign(requestLog.headers, decision.headers);
  if (!decision.allowed) throw tooManyRequests(decision);
}

const parameters = ['filter', 'startIndex', 'count', 'sortBy', 'sortOrder', 'attributes', 'excludedAttributes'];

async function run(
  req: Request,
  res: Response,
  context: ScimContext,
  attempt: Attempt,
  engine: ScimEngine,
  { max_body_bytes: maxBytes }: ScimOptions,
): Promise<ScimReply> {
  const isJson = json.test(req.headers['content-type'] ?? '');
  const body = hasBody(req) ? (isJson ? await readBody(req, res, maxBytes) : {}) : undefined;
  if (body) attempt.body = body;
  // Unknown parameters are ignored, because providers add their own.
  const query = Object.fromEntries(
    parameters.flatMap((name) => (typeof req.query[name] === 'string' ? [[name, req.query[name]]] : [])),
  );
  const request = {
    method: req.method === 'HEAD' ? 'GET' : req.method,
    path: `/scim/v2/${context.directory.id}${req.path}`,
    query,
    headers: { ...(body && { 'content-type': 'application/json' }) } as Record<string, string>,
    body,
    isJson: body === undefined || isJson,
    ifMatch: tagsOf(req.headers['if-match']),
  };
  return engine(request, context, (operation) => {
    attempt.operation = operation;
  });
}

function tagsOf(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return (header.match(/"[^"]*"/g) ?? []).map((tag) => `W/${tag}`);
}

function hasBody(req: Request): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(req.method);
}

function isChange(req: Request): boolean {
  return hasBody(req) || req.method === 'DELETE';
}

const json = /^application\/(?:scim\+)?json\s*(?:;|$)/i;

/** @throws 400, 413, 415 for an unsupported encoding */
async function readBody(req: Request, res: Response, maxBytes: number): Promise<Attributes> {
  const { value } = await readJson(req, res, { max_bytes: maxBytes, maxRestBytes: maxBytes, encoded: undefined });
  if (!isObject(value)) throw new ScimProblem(400, 'invalidSyntax', 'The body must be a JSON object.');
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null) // the same as unassigned (RFC 7643, section 2.5)
      .map(([name, inner]) => [/^operations$/i.test(name) ? 'Operations' : canonicalPath(name), inner]),
  );
}

async function auditRefusal(
  req: Request,
  { tenant, directory }: ScimContext,
  attempt: Attempt,
  status: number,
  message: string,
): Promise<void> {
  const { userName, displayName } = attempt.body;
  const subject = [userName, displayName].find((name) => typeof name === 'string') ?? req.path.split('/').at(-1)!;
  const operation = attempt.operation ?? req.method;
  await recordRefusal(tenant, directory.id, { subject: String(subject), operation, status, message });
}

function send(req: Request, res: Response, requestLog: RequestLog, { status, headers = {}, body }: ScimReply): void {
  const isKnown =
    status === 200 &&
    headers.ETag !== undefined &&
    isUnmodified(req.headers['if-none-match'], headers.ETag.replace('W/', ''));
  const text = body === undefined || isKnown ? undefined : JSON.stringify(body);
  res.writeHead(isKnown ? 304 : status, {
    ...requestLog.headers,
    'Cache-Control': 'no-store',
    ...headers,
    ...(text !== undefined && {
      'Content-Type': 'application/scim+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    }),
  });
  res.end(req.method === 'HEAD' ? undefined : text);
}
