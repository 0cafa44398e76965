/** A server that runs a single step of the pipeline, to test it without the steps before it. */
import express from 'express';
import supertest from 'supertest';
import { createEngine } from '../../src/api/http/engine/engine.ts';
import { loadOperations } from '../../src/api/http/operation-record.ts';
import { createRequestContext, type RequestContext } from '../../src/api/http/request-context.ts';
import { matchOperation } from '../../src/api/http/steps/match-operation.ts';
import { toProblem } from '../../src/contract/problem.ts';

const { router } = await createEngine();
const step = matchOperation(loadOperations());

/** Matches the operation, as the engine does before the step. */
function match(exchange: RequestContext): void {
  const operation = router.matchOperation(exchange as never);
  if (operation) step({ operation, request: router.parseRequest(exchange as never, operation) }, exchange);
}

export const aCompany = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
export const aCollaborator = '0199a3c4-5213-7b8e-b1d4-6c0f3a9e7d52';

/** Results of earlier steps: a company member with these scopes. */
export function memberContext(role: 'admin' | 'manager' | 'employee', scopes: string[] = []): Partial<RequestContext> {
  const member = { role, collaborator_id: aCollaborator };
  const caller = { user_id: 'user', client_id: 'client', scopes, company_ids: [aCompany] };
  return { caller, company: { tenant: { company_id: aCompany }, member } } as unknown as Partial<RequestContext>;
}

/**
 * @param step the step
 * @param context what earlier steps found; the operation follows from the request
 * @param responseBody response body for a request that passes
 */
export function stepServer(
  step: (exchange: RequestContext) => unknown,
  context: Partial<RequestContext> = {},
  responseBody: (exchange: RequestContext) => unknown = () => ({}),
) {
  const app = express();
  app.use(async (req, res) => {
    res.locals.requestLog = { request_id: 'request', headers: {} };
    const exchange = Object.assign(createRequestContext(req, res), context);
    match(exchange);
    try {
      await step(exchange);
      if (!res.headersSent) res.set(exchange.requestLog.headers).json(responseBody(exchange));
    } catch (error) {
      const problem = toProblem(error);
      res.status(problem.status).set(exchange.requestLog.headers).set(problem.headers).json(problem.body());
    }
  });
  return supertest(app);
}
