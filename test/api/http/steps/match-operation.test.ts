import { createEngine } from '../../../../src/api/http/engine/engine.ts';
import { refuseMethod, refuseUnknownPath } from '../../../../src/api/http/steps/match-operation.ts';
import { stepServer } from '../../../helpers/steps.ts';

const { router } = await createEngine();
const refuse = refuseMethod(router);
const server = stepServer(
  (exchange) => {
    if (exchange.operation) return;
    try {
      router.matchOperation(exchange as never, true);
    } catch (error) {
      const isOtherMethod = (error as Error).message.startsWith('405');
      return isOtherMethod ? refuse(exchange) : refuseUnknownPath(exchange);
    }
  },
  {},
  ({ operation, pathParameters, requestLog }) => [
    operation.operationId,
    pathParameters,
    requestLog.record?.operationId,
  ],
);

test('matches method and path to an operation, also for the log', async () => {
  expect((await server.get('/v1/webhooks/event-types')).body).toEqual(['listEventTypes', {}, 'listEventTypes']);
  expect((await server.delete('/v1/webhooks/caf%C3%A9')).body).toEqual([
    'deleteWebhook',
    { id: 'café' },
    'deleteWebhook',
  ]);
});

test('supports HEAD wherever there is GET', async () => {
  await server.head('/v1/collaborators').expect(200);
  await server.head('/v1/collaborators/bulk').expect(405);
});

test('returns 404 for an unknown path', async () => {
  for (const path of ['/v1', '/v1/', '/v1/collaborators/', '/v1/collaborators/x/y', '/V1/collaborators']) {
    expect((await server.get(path).expect(404)).body.error).toBe('not_found');
  }
});

test('returns 405 with the allowed methods for other methods', async () => {
  const { body, headers } = await server.put('/v1/collaborators').expect(405);
  expect([body.error, headers.allow]).toEqual(['method_not_allowed', 'GET, HEAD, POST']);
  expect((await server.options('/v1/collaborators/x/role').expect(405)).headers.allow).toBe('POST');
});
