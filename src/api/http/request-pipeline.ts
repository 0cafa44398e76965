/**
 * The request pipeline. The order of its steps is part of the contract: a caller who may not call an operation learns nothing
 * about its records or its body. openapi-backend calls the hooks in the order below. An error in a step ends the request.
 */
import type { RequestHandler } from 'express';
import type { Context } from 'openapi-backend';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import type { Limits } from '../../identity/users/sign-in-limits.ts';
import type { ConnectionUsageRecorder } from '../../product/connections/connection-usage.ts';
import type { Handlers, OperationId } from '../handler.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import type { VerifyToken } from './access-token.ts';
import type { ReadBody } from './body/body.ts';
import { createEngine, securityScheme } from './engine/engine.ts';
import { loadOperations } from './operation-record.ts';
import { createRequestContext, type RequestContext, type Step } from './request-context.ts';
import type { Responder } from './responses/respond.ts';
import { acceptJson } from './steps/accept-json.ts';
import { authenticate } from './steps/authenticate.ts';
import { authorize } from './steps/authorize.ts';
import { authorizeFields } from './steps/authorize-fields.ts';
import { handleCors } from './steps/cors.ts';
import { countProfile } from './steps/count-profile.ts';
import { countRequest } from './steps/count-request.ts';
import { enterCompany } from './steps/enter-company.ts';
import { findResource, type ResourceLoaders } from './steps/find-resource.ts';
import { matchOperation, refuseMethod, refuseUnknownPath } from './steps/match-operation.ts';
import { receiveBody } from './steps/receive-body.ts';
import { type OperationOptions, runOperation } from './steps/run-operation.ts';
import { sendError } from './steps/send-error.ts';
import { sendReply } from './steps/send-reply.ts';
import { stripUnchanged, type UnchangedChecks } from './steps/strip-unchanged.ts';

interface PipelineOptions extends OperationOptions {
  handlers: Handlers;
  resources: ResourceLoaders;
  unchangedChecks: UnchangedChecks;
  responder: Responder;
  readBody: ReadBody;
  verifyToken: VerifyToken;
  origins: PageOrigins;
  limiter: RateLimiter;
  uses: ConnectionUsageRecorder | undefined;
  limits: Pick<Limits, 'profileRequest'>;
}

export async function createRequestPipeline(options: PipelineOptions): Promise<RequestHandler> {
  const {
    handlers,
    resources,
    unchangedChecks,
    responder,
    readBody,
    verifyToken,
    origins,
    limiter,
    limits,
    audit,
    services,
  } = options;
  const engine = await createEngine();
  const operation = matchOperation(loadOperations());
  const counting = inOrder(countRequest(limiter), countProfile(limits));
  const reply = sendReply(responder);
  engine.register({
    // 401, 400, 403, 429
    preRoutingHandler: inOrder(
      authenticate(verifyToken, services.base_url, limiter),
      enterCompany(services.db, limiter, options.uses),
    ),
    // Here the router has matched the request. 429
    postRoutingHandler(context: Context, exchange: RequestContext) {
      operation(context, exchange);
      return counting(context, exchange);
    },
    // 404, 405
    notFound: inOrder(refuseUnknownPath),
    methodNotAllowed: inOrder(refuseMethod(engine.router)),
  });
  // 404, 403
  engine.registerSecurityHandler(securityScheme, permission(findResource(resources), authorize));
  engine.register({
    // 406, 415, 413, 400, 403
    postSecurityHandler: withPermission(
      acceptJson,
      receiveBody(readBody),
      stripUnchanged(unchangedChecks, services),
      authorizeFields,
    ),
    unauthorizedHandler: throwSecurityError,
    // The validator has checked the request. 400, 404
    validationFail: throwValidationError,
    ...operationHandlers(handlers, options),
    postResponseHandler: ({ response }: Context, exchange: RequestContext) => reply(exchange, response),
  });

  // 204 for a CORS preflight
  const addCors = handleCors(origins);
  const refuseFor = sendError(responder, audit);
  return async (req, res) => {
    const exchange = createRequestContext(req, res);
    try {
      if (await addCors(exchange)) return;
      await engine.handleRequest(exchange as never, exchange);
    } catch (error) {
      await refuseFor(exchange, error);
    }
  };
}

type Hook = (context: Context, exchange: RequestContext) => unknown;

function inOrder(...steps: Step[]): Hook {
  return async (_, exchange) => {
    for (const step of steps) await step(exchange);
  };
}

/** The engine stores an error of a step until `throwSecurityError`. */
function permission(...steps: Step[]): Hook {
  const check = inOrder(...steps);
  return async (context, exchange) => {
    await check(context, exchange);
    return true;
  };
}

/** Without permission the engine continues with `unauthorizedHandler`. */
function withPermission(...steps: Step[]): Hook {
  const runSteps = inOrder(...steps);
  return (context, exchange) => (context.security.authorized ? runSteps(context, exchange) : undefined);
}

function throwSecurityError({ security }: Context): never {
  throw security[securityScheme].error;
}

function throwValidationError({ validation }: Context): never {
  throw validation.errors![0];
}

function operationHandlers(handlers: Handlers, options: OperationOptions): Record<string, Hook> {
  const entries = Object.entries(handlers) as [OperationId, Handlers[OperationId]][];
  return Object.fromEntries(
    entries.map(([operationId, handler]) => {
      const run = runOperation(handler, options);
      return [operationId, (_, exchange) => run(exchange)] satisfies [string, Hook];
    }),
  );
}
