/** What we rely on in openapi-backend: a new version that does otherwise fails here, and not in production. */
import type { OpenAPIBackend } from 'openapi-backend';
import { createEngine, security_scheme } from '../../../src/api/http/engine.ts';
import type { Exchange } from '../../../src/api/http/exchange.ts';
import { loadOperations } from '../../../src/api/http/operation-record.ts';
import { notFound } from '../../../src/contract/problem.ts';

const operations = loadOperations();
const named = (operationId: string) => operations.find((operation) => operation.operationId === operationId)!;
const request = { method: 'GET', path: '/v1/webhooks' } as Exchange;

let engine: OpenAPIBackend;
let called: string[];
let found: ReturnType<typeof named> | 'unknown' | 'other-method';
let wrong: ReturnType<typeof notFound> | undefined;

beforeEach(async () => {
  called = [];
  found = named('listWebhooks');
  wrong = undefined;
  engine = await createEngine({ operations, matchOperation: () => found, validateRequest: () => wrong });
  const note = (name: string) => async () => void called.push(name);
  const hooks = ['preRoutingHandler', 'postRoutingHandler', 'notFound', 'methodNotAllowed', 'postSecurityHandler'];
  engine.register(Object.fromEntries(hooks.map((name) => [name, note(name)])));
  engine.registerSecurityHandler(security_scheme, async () => called.push('security'));
  engine.register({
    unauthorizedHandler: async ({ security }) => {
      throw security[security_scheme].error;
    },
    validationFail: async ({ validation }) => {
      throw validation.errors![0];
    },
    listWebhooks: note('listWebhooks'),
  });
});

const carryOut = () => engine.handleRequest(request as never);

test('the hooks are called in the order in which the pipeline lists them', async () => {
  await carryOut();
  expect(called).toEqual([
    'preRoutingHandler',
    'postRoutingHandler',
    'security',
    'postSecurityHandler',
    'listWebhooks',
  ]);
});

test('without a route the one after routing is called all the same, and before the refusal', async () => {
  found = 'unknown';
  await carryOut();
  found = 'other-method';
  await carryOut();
  const before = ['preRoutingHandler', 'postRoutingHandler'];
  expect(called).toEqual([...before, 'notFound', ...before, 'methodNotAllowed']);
});

test('what the check of rights throws is what is told, an outage too, and nothing is carried out', async () => {
  const outage = new Error('the database is away');
  engine.registerSecurityHandler(security_scheme, async () => {
    throw outage;
  });
  await expect(carryOut()).rejects.toBe(outage);
  expect(called).not.toContain('listWebhooks');
});

test('what is wrong with the request is told, and nothing is carried out', async () => {
  wrong = notFound();
  await expect(carryOut()).rejects.toBe(wrong);
  expect(called).not.toContain('listWebhooks');
});

test('what another step throws ends the request', async () => {
  const refusal = notFound();
  engine.register('preRoutingHandler', async () => {
    throw refusal;
  });
  await expect(carryOut()).rejects.toBe(refusal);
  expect(called).toEqual([]);
});

test('an operation that has no handler, and a handler that has no operation, are refused', async () => {
  found = named('getWebhook');
  await expect(carryOut()).rejects.toThrow('getWebhook');
  expect(() => engine.register('getNothing', async () => {})).toThrow('getNothing');
});
