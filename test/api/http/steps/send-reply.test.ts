import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { createResponder } from '../../../../src/api/http/responses/respond.ts';
import { sendReply } from '../../../../src/api/http/steps/send-reply.ts';
import { createLogger } from '../../../../src/platform/observe/log.ts';
import { stepServer } from '../../../helpers/steps.ts';

const breaches: string[] = [];
const responder = createResponder(true, createLogger('silent'), (operationId) => breaches.push(operationId));
const server = (reply: { status: number; body?: unknown; headers?: Record<string, string> }) =>
  stepServer((exchange: RequestContext) => sendReply(responder)(exchange, reply));

test('sends a declared response with the common headers', async () => {
  const reply = { status: 200, body: { data: [] }, headers: { ETag: '"1"' } };
  const { body, headers } = await server(reply).get('/v1/webhooks/event-types').expect(200);
  expect(body).toEqual({ data: [] });
  expect(headers).toMatchObject({ etag: '"1"', 'cache-control': 'no-store, no-transform' });
  expect(headers['x-api-version']).toMatch(/^\d/);
});

test('an undeclared response returns 500 in strict mode, and is reported', async () => {
  for (const reply of [
    { status: 202, body: {} },
    { status: 200, body: { data: 'none' } },
  ]) {
    breaches.length = 0;
    await server(reply).get('/v1/webhooks/event-types').expect(500);
    expect(breaches).toEqual(['listEventTypes']);
  }
});
