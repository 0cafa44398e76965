/**
 * The way of a request to its handler. The order of the checks is part of the contract: nobody learns about a record,
 * or about the rules for a body, who may not call the operation.
 */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express';
import { notFound, Problem, validationError } from '../../contract/problem.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Vault } from '../../platform/secrets/secrets.ts';
import { leavesEntry } from '../../product/audit/audited-operations.ts';
import { recordSalaries } from '../../product/audit/salary-reads.ts';
import type { WebhookSettings } from '../../product/webhooks/webhook-settings.ts';
import type { Handlers } from '../handler.ts';
import { type RateLimiter, tooManyRequests } from '../rate-limit/rate-limit.ts';
import { actorOf, audited, originOfRequest, recordRefusal } from './audited.ts';
import type { Body, ReadBody } from './body.ts';
import type { OperationRecord } from './engine.ts';
import { isReplay, once } from './idempotency.ts';
import type { Reply, Responder } from './respond.ts';
import type { Routes } from './routes.ts';
import {
  authenticate,
  authorize,
  authorizeFields,
  authorizeValues,
  enterCompany,
  type VerifyToken,
} from './security.ts';
import { findResource, type ResourceLoaders } from './steps/find-resource.ts';
import type { Trail } from './trail.ts';
import { validateBody, validateParameters } from './validate.ts';

interface RouterOptions {
  routes: Routes;
  handlers: Handlers;
  resources: ResourceLoaders;
  responder: Responder;
  readBody: ReadBody;
  verifyToken: VerifyToken;
  db: Database;
  mail: MailQueue;
  cursors: Cursors;
  webhooks: WebhookSettings;
  files: FilesContext;
  export_lease_s: number;
  /** Seals the answers that are kept for an Idempotency-Key. */
  answer_vault: Vault;
  limiter: RateLimiter;
  audit: AuditRecorder;
  base_url: string;
  log: Logger;
}

export function createRouter(options: RouterOptions): RequestHandler {
  return async (req, res) => {
    const trail = res.locals.trail as Trail;
    try {
      const reply = await answer(options, req, res, trail);
      options.responder.send(res, trail.record!, reply);
    } catch (error) {
      recordRefusal(options.audit, req, trail, error);
      options.responder.fail(res, declares(trail.record, error), error);
    }
  };
}

async function answer(options: RouterOptions, req: ExpressRequest, res: Response, trail: Trail): Promise<Reply> {
  const {
    routes,
    handlers,
    readBody,
    verifyToken,
    db,
    mail,
    cursors,
    webhooks,
    files,
    export_lease_s,
    limiter,
    base_url,
  } = options;
  const { request_id } = trail;
  const path = req.path;

  const caller = await authenticate(req.headers, verifyToken);
  trail.user_id = caller.user_id;
  trail.client_id = caller.client_id;
  const company = path.startsWith('/v1/') ? await enterCompany(req.headers, caller, db) : undefined;
  const match = routes(req.method, path);
  if (match && 'record' in match) trail.record = match.record;
  if (company) {
    trail.company_id = company.tenant.company_id;
    await countRequest(limiter, req, trail);
  }

  if (!match) throw notFound();
  if ('allowed' in match) throw methodNotAllowed(match.allowed);
  const { record, path_parameters } = match;
  trail.path_parameters = path_parameters;
  const found = company && (await findResource(options.resources, record, path_parameters.id, { ...company, caller }));
  const record_id = found?.record_id;

  authorize(record.access, caller, company?.member);
  if (!acceptsJson(req)) throw notAcceptable();
  const body = record.body ? await readBody(req, res, record, company?.tenant.company_id) : noBody;
  try {
    if (company) authorizeFields(record.write_rules, body.value, caller, company.member, record_id);
    if (company) authorizeValues(record.value_rules, body.value, company.member, record_id);
    const query = queryOf(req);
    validateParameters(record.validateParameters, { path: path_parameters, query, header: req.headers });
    checkBody(record, body);

    const settled = { request_id, base_url, db, mail, cursors, webhooks, files, export_lease_s, caller };
    const context = { ...settled, ...company, ...found?.context };
    const handler = handlers[record.operationId] as AnyHandler;
    const request = { path: path_parameters, query, headers: req.headers, body: body.value };
    await handler.check?.(request, context);
    if (!company) return await handler(request, context);
    const origin = () => originOfRequest(req, trail);
    const key = record.takes_idempotency_key ? req.headers['idempotency-key'] : undefined;
    const carryOut = (tenant: Tenant) => handler(request, tenant === company.tenant ? context : { ...context, tenant });
    const run = (tenant: Tenant) => {
      if (typeof key !== 'string') return carryOut(tenant);
      const keyed = { key, client_id: caller.client_id, method: req.method, path, query, body: body.identity };
      return once(tenant, options.answer_vault, keyed, carryOut);
    };
    const asked = () => {
      const by = { actor: actorOf(trail), origin: origin() };
      return { operation: record, ...by, path: path_parameters, query, body: body.value };
    };
    const { tenant } = company;
    const reply = leavesEntry(record) ? await audited(options, tenant, asked(), run) : await run(tenant);
    if (isReplay(reply)) await body.form?.discard();
    const { company_id } = company.tenant;
    const whose = { company_id, operation_id: record.operationId, caller, member: company.member };
    recordSalaries(options.audit, { ...whose, collaborator_id: record_id, origin, body: reply.body });
    return reply;
  } catch (error) {
    // A refusal: nothing was written. After any other error that is not known, and what lies about is found by the sweep.
    if (error instanceof Problem) await body.form?.discard();
    throw error;
  }
}

interface AnyHandler {
  (request: unknown, context: unknown): Promise<Reply>;
  check?(request: unknown, context: unknown): Promise<void>;
}

const noBody: Body = { value: undefined, identity: undefined };

/** @throws 400 `validation_error`, and whatever else a file is refused for */
function checkBody({ body, form }: OperationRecord, received: Body): void {
  const { value } = received;
  if (received.form) {
    validateBody(form!.validate, value, received.form.faults);
    if (received.form.refusal) throw received.form.refusal;
  } else if (value !== undefined) validateBody(body!.validate!, value);
  else if (body?.required) throw validationError({ body: [{ code: 'required', message: 'This field is required.' }] });
}

/**
 * Puts the limit on every answer from here on.
 * @throws 429 `rate_limited`
 */
async function countRequest(limiter: RateLimiter, req: ExpressRequest, trail: Trail): Promise<void> {
  const kind = req.method === 'GET' || req.method === 'HEAD' ? 'read' : 'write';
  const decision = await limiter.take(trail.company_id!, trail.client_id!, kind, trail.record?.rate_limit);
  Object.assign(trail.headers, decision.headers);
  if (!decision.allowed) throw tooManyRequests(decision);
}

/** Far more than any operation knows. */
const max_query_parameters = 100;

/**
 * Query parameters by name; one that is given twice becomes a list, which only lists accept.
 * @throws 400 `invalid_parameter` for more than anybody can mean
 */
function queryOf(req: ExpressRequest): Record<string, string | string[]> {
  const start = req.url.indexOf('?');
  if (start < 0) return {};
  const query: Record<string, string | string[]> = Object.create(null); // clients choose the names: `__proto__` is one too
  const parameters = new URLSearchParams(req.url.slice(start + 1));
  if (parameters.size > max_query_parameters) {
    throw new Problem(400, 'invalid_parameter', `There are more than ${max_query_parameters} parameters.`);
  }
  for (const [name, value] of parameters) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function acceptsJson(req: ExpressRequest): boolean {
  const { accept } = req.headers;
  return accept === undefined || accept === '*/*' || Boolean(req.accepts('application/json'));
}

function notAcceptable(): Problem {
  return new Problem(406, 'not_acceptable', 'Answers are application/json; the Accept header refuses that.');
}

export function methodNotAllowed(allowed: string[]): Problem {
  return new Problem(405, 'method_not_allowed', `This path answers to ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** 405 belongs to a path and not to an operation, so no operation declares it. */
function declares(record: OperationRecord | undefined, error: unknown): OperationRecord | undefined {
  return error instanceof Problem && error.status === 405 ? undefined : record;
}
