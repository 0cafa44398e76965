import { createEngine } from '../../../../src/api/http/engine.ts';
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
  ({ operation, pathParameters, trail }) => [operation.operationId, pathParameters, trail.record?.operationId],
);

test('a method and a path mean an operation, for the log too', async () => {
  expect((await server.get('/v1/webhooks/event-types')).body).toEqual(['listEventTypes', {}, 'listEventTypes']);
  expect((await server.delete('/v1/webhooks/caf%C3%A9')).body).toEqual([
    'deleteWebhook',
    { id: 'café' },
    'deleteWebhook',
  ]);
});

test('HEAD works wherever GET does', async () => {
  await server.head('/v1/collaborators').expect(200);
  await server.head('/v1/collaborators/bulk').expect(405);
});

test('a path that is not there is 404', async () => {
  for (const path of ['/v1', '/v1/', '/v1/collaborators/', '/v1/collaborators/x/y', '/V1/collaborators']) {
    expect((await server.get(path).expect(404)).body.error).toBe('not_found');
  }
});

test('a method that the path does not answer to is 405, and is told which are', async () => {
  const { body, headers } = await server.put('/v1/collaborators').expect(405);
  expect([body.error, headers.allow]).toEqual(['method_not_allowed', 'GET, HEAD, POST']);
  expect((await server.options('/v1/collaborators/x/role').expect(405)).headers.allow).toBe('POST');
});
