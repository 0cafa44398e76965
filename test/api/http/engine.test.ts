/** The behavior of openapi-backend that the service relies on, so that an incompatible version fails here. */
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { contractAjv } from '../../../scripts/generate/contract-ajv.ts';
import { createEngine, securityScheme } from '../../../src/api/http/engine/engine.ts';
import { loadOperations } from '../../../src/api/http/operation-record.ts';
import type { RequestContext } from '../../../src/api/http/request-context.ts';
import { matchOperation } from '../../../src/api/http/steps/match-operation.ts';
import { contract, contractOperations } from '../../../src/contract/contract.ts';
import { notFound, Problem } from '../../../src/contract/problem.ts';
import { aCollaborator, aCompany } from '../../helpers/steps.ts';

const step = matchOperation(loadOperations());

interface Sent {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: object;
}

let engine: OpenAPIBackend;
let called: string[];
beforeEach(async () => {
  called = [];
  engine = await createEngine();
  const note = (name: string) => async () => void called.push(name);
  const hooks = ['preRoutingHandler', 'notFound', 'methodNotAllowed', 'postSecurityHandler'];
  engine.register(Object.fromEntries(hooks.map((name) => [name, note(name)])));
  engine.registerSecurityHandler(securityScheme, async () => called.push('security'));
  engine.register({
    postRoutingHandler: async (context, exchange: RequestContext) => {
      called.push('postRoutingHandler');
      step(context, exchange);
    },
    unauthorizedHandler: async ({ security }) => {
      throw security[securityScheme].error;
    },
    validationFail: async ({ validation }) => {
      throw validation.errors![0];
    },
    listWebhooks: note('listWebhooks'),
  });
});

const webhooks = { method: 'GET', url: '/v1/webhooks' };

function exchangeOf({ method, url, headers = { 'x-company-id': aCompany }, body }: Sent): RequestContext {
  const path = url.split('?')[0]!;
  return { method, path, headers, req: { url }, body: { value: body }, requestLog: {} } as unknown as RequestContext;
}

function runRequest(sent: Sent = webhooks) {
  const exchange = exchangeOf(sent);
  return engine.handleRequest(exchange as never, exchange);
}

test('knows every operation of the contract with path, security, and schemas', () => {
  const known = engine.router.getOperations().map(({ operationId, method, path, security, requestBody, responses }) => {
    const declaration = { security, answers: Object.keys(responses!), hasBody: requestBody !== undefined };
    return { operationId, method, path, ...declaration };
  });
  const written = contractOperations.map(({ method, path, operation }) => {
    const { operationId, security, requestBody, responses } = operation;
    const declaration = { security, answers: Object.keys(responses), hasBody: requestBody !== undefined };
    return { operationId, method, path, ...declaration };
  });
  const inOrder = (operations: typeof written) =>
    operations.toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1));
  expect(inOrder(known as typeof written)).toEqual(inOrder(written));
  expect(JSON.stringify(known)).not.toContain('$ref');
});

test('calls hooks in the order that the pipeline lists', async () => {
  await runRequest();
  expect(called).toEqual([
    'preRoutingHandler',
    'postRoutingHandler',
    'security',
    'postSecurityHandler',
    'listWebhooks',
  ]);
});

test('without a route, still calls the hook after routing before the rejection', async () => {
  await runRequest({ method: 'GET', url: '/v1/nothing' });
  await runRequest({ method: 'DELETE', url: '/v1/webhooks' });
  const before = ['preRoutingHandler', 'postRoutingHandler'];
  expect(called).toEqual([...before, 'notFound', ...before, 'methodNotAllowed']);
});

test('reports an error of the security handler, including an outage, and runs nothing', async () => {
  const outage = new Error('the database is away');
  engine.registerSecurityHandler(securityScheme, async () => {
    throw outage;
  });
  await expect(runRequest()).rejects.toBe(outage);
  expect(called).not.toContain('listWebhooks');
});

test('reports an invalid request, and runs nothing', async () => {
  const refused = runRequest({ ...webhooks, url: '/v1/webhooks?nonsense=1' });
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_parameter' });
  await expect(refused).rejects.toBeInstanceOf(Problem);
  expect(called).not.toContain('listWebhooks');
});

test('an error in another step ends the request', async () => {
  const refusal = notFound();
  engine.register('preRoutingHandler', async () => {
    throw refusal;
  });
  await expect(runRequest()).rejects.toBe(refusal);
  expect(called).toEqual([]);
});

test('rejects an operation without a handler, and a handler without an operation', async () => {
  await expect(runRequest({ method: 'GET', url: `/v1/webhooks/${aCompany}` })).rejects.toThrow('getWebhook');
  expect(() => engine.register('getNothing', async () => {})).toThrow('getNothing');
});

describe('its own router and validator give the same results', () => {
  const person = `/v1/collaborators/${aCollaborator}`;
  const headers = { 'x-company-id': aCompany, 'content-type': 'application/json' };
  const cases: Record<string, Sent & { found: string; isValid?: boolean }> = {
    'a list': { method: 'GET', url: '/v1/collaborators?per_page=20&status=active', found: 'listCollaborators' },
    'a page that is too long': {
      method: 'GET',
      url: '/v1/collaborators?per_page=2000',
      found: 'listCollaborators',
      isValid: false,
    },
    'an unknown parameter': {
      method: 'GET',
      url: '/v1/webhooks?nonsense=1',
      found: 'listWebhooks',
      isValid: false,
    },
    'a record': { method: 'GET', url: person, found: 'getCollaborator' },
    'an id that names nothing': { method: 'GET', url: '/v1/collaborators/5', found: 'getCollaborator' },
    'a fixed path': {
      method: 'POST',
      url: '/v1/collaborators/bulk',
      body: { items: [] },
      found: 'bulkCollaborators',
      isValid: false,
    },
    'a path below a record': {
      method: 'POST',
      url: `${person}/role`,
      body: { role: 'manager' },
      found: 'assignRole',
    },
    'a value that is not in the list': {
      method: 'POST',
      url: `${person}/role`,
      body: { role: 'king' },
      found: 'assignRole',
      isValid: false,
    },
    'a body': {
      method: 'POST',
      url: '/v1/collaborators',
      body: { name: 'Ana', email: 'ana@example.com', department: 'Sales', position: 'Clerk', hire_date: '2026-01-05' },
      found: 'createCollaborator',
    },
    'a body without a field': {
      method: 'POST',
      url: '/v1/collaborators',
      body: { name: 'Ana' },
      found: 'createCollaborator',
      isValid: false,
    },
    'an unknown path': { method: 'GET', url: '/v1/collaborators/x/y', found: '404' },
    'a slash too many': { method: 'GET', url: '/v1/collaborators/', found: '404' },
    'another method': { method: 'PUT', url: '/v1/collaborators', found: '405' },
  };
  let library: OpenAPIBackend;
  beforeAll(async () => {
    library = new OpenAPIBackend({
      definition: contract as unknown as Document,
      quick: true,
      strict: true,
      ignoreTrailingSlashes: false,
      customizeAjv: (_, options, context) =>
        contractAjv({ ...(options as object), coerceTypes: context === 'paramsValidator' }) as never,
    });
    await library.init();
  });

  const route = ({ router }: OpenAPIBackend, request: never) => {
    try {
      const operation = router.matchOperation(request, true);
      return { found: operation.operationId, params: router.parseRequest(request, operation).params };
    } catch (error) {
      return { found: (error as Error).message.slice(0, 3), params: {} };
    }
  };

  test.each(Object.entries(cases))('%s', (_, sent) => {
    const { found, isValid = true } = sent;
    const exchange = exchangeOf({ ...sent, headers });
    const request = { method: sent.method, path: sent.url, headers, body: sent.body } as never;
    const routed = route(engine, exchange as never);
    expect(routed.found).toBe(found);
    expect(routed).toEqual(route(library, request));
    if (found.startsWith('40')) return;
    const operation = engine.router.getOperation(found)!;
    step({ operation, request: routed as never }, exchange);
    expect(engine.validator.validateRequest(exchange as never).valid).toBe(isValid);
    expect(library.validator.validateRequest(request, operation).valid).toBe(isValid);
  });
});
