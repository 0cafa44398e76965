// Benchmarks the overhead of openapi-backend per request: unmodified, and with its slow parts replaced as in
// `src/api/http/engine/engine.ts`. All hooks are installed but empty, so only the dispatch between them is measured.
import { type Document, OpenAPIBackend, type ParsedRequest } from 'openapi-backend';
import { createEngine, securityScheme } from '../../src/api/http/engine/engine.ts';
import { loadOperations } from '../../src/api/http/operation-record.ts';
import type { RequestContext } from '../../src/api/http/request-context.ts';
import { matchOperation } from '../../src/api/http/steps/match-operation.ts';
import { contract, contractOperations } from '../../src/contract/contract.ts';
import { contractAjv } from '../generate/contract-ajv.ts';
import { formatMedian, markdownTable } from './harness/figures.ts';

const rounds = 9;
const path = '/v1/collaborators/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const headers = { 'x-company-id': '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a31', authorization: 'Bearer token' };

const matchRequest = matchOperation(loadOperations());

const unmodified = new OpenAPIBackend({
  definition: contract as unknown as Document,
  quick: true,
  strict: true,
  customizeAjv: (_, options, context) =>
    contractAjv({ ...(options as object), coerceTypes: context === 'paramsValidator' }) as never,
});
await unmodified.init();
const replaced = await createEngine();
for (const engine of [unmodified, replaced]) registerEmptyHooks(engine);

/** Includes what the pipeline steps would have set. */
function request(): RequestContext {
  const req = { url: path };
  return { method: 'GET', path, headers, req, requestLog: {}, body: {} } as unknown as RequestContext;
}

function registerEmptyHooks(engine: OpenAPIBackend): void {
  const hooks = ['preRoutingHandler', 'postSecurityHandler', 'notFound', 'methodNotAllowed'];
  engine.register(Object.fromEntries(hooks.map((name) => [name, async () => {}])));
  engine.register('postRoutingHandler', async (context, exchange: RequestContext) => matchRequest(context, exchange));
  const failed = () => {
    throw new Error('the request is a good one');
  };
  engine.register({
    unauthorizedHandler: failed,
    validationFail: failed,
    postResponseHandler: ({ response }) => response,
  });
  engine.registerSecurityHandler(securityScheme, async () => true);
  for (const { operation } of contractOperations) engine.register(operation.operationId, async () => ({ status: 200 }));
}

/** @returns microseconds per request */
async function time(requests: number, execute: () => Promise<unknown> | undefined): Promise<number> {
  const startedMs = performance.now();
  for (let i = 0; i < requests; i++) await execute();
  return ((performance.now() - startedMs) * 1_000) / requests;
}

const variants: [string, number, () => Promise<unknown> | undefined][] = [
  ['as it is', 2_000, () => handleRequest(unmodified)],
  ['with its slow parts replaced', 100_000, () => handleRequest(replaced)],
  ['the replaced parts alone', 100_000, async () => runReplacedParts(replaced)],
];

function handleRequest(engine: OpenAPIBackend) {
  const exchange = request();
  return engine.handleRequest(exchange as never, exchange);
}

function runReplacedParts({ router, validator }: OpenAPIBackend): unknown {
  const exchange = request();
  const operation = router.matchOperation(exchange as never, true);
  const parsed = router.parseRequest(exchange as never, operation) as ParsedRequest & RequestContext;
  matchRequest({ operation, request: parsed }, exchange);
  return validator.validateRequest(exchange as never);
}

for (const [, requests, execute] of variants) await time(requests, execute);
const rows: string[][] = [];
for (const [name, requests, execute] of variants) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await time(requests, execute));
  rows.push([name, formatMedian(times, 1)]);
}
console.log(markdownTable(['openapi-backend', 'µs a request'], rows));
