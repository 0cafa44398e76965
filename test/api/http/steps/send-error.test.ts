import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { createResponder } from '../../../../src/api/http/responses/respond.ts';
import { sendError } from '../../../../src/api/http/steps/send-error.ts';
import { asIs } from '../../../../src/contract/languages/text.ts';
import { methodNotAllowed, notFound, Problem } from '../../../../src/contract/problem.ts';
import { createLogger } from '../../../../src/platform/observe/log.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { memberContext, stepServer } from '../../../helpers/steps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let discarded = 0;
const files = { isForm: true, errors: {}, refusal: undefined, replacements: {}, discard: async () => void discarded++ };
const body = { value: {}, identity: {}, files };

function server(
  error: unknown,
  found: Partial<RequestContext> = {},
  observe: (exchange: RequestContext) => unknown = () => {},
) {
  discarded = 0;
  const responder = createResponder(true, createLogger('silent'), () => {});
  const step = (exchange: RequestContext) => {
    observe(exchange);
    return sendError(responder, app.audit)(exchange, error);
  };
  return stepServer(step, { ...memberContext('admin'), ...found });
}

test('sends a problem in the standard format, and notes its code for the log', async () => {
  let requestLog: RequestContext['requestLog'] | undefined;
  const { body } = await server(notFound(), {}, (exchange) => (requestLog = exchange.requestLog))
    .get('/v1/collaborators/x')
    .expect(404);
  expect(body).toEqual({ error: 'not_found', message: 'There is no such resource.' });
  expect(requestLog?.error_code).toBe('not_found');
});

test('405 isn’t an operation’s response, so no operation has to declare it', async () => {
  const { headers } = await server(methodNotAllowed(['GET']))
    .get('/v1/collaborators')
    .expect(405);
  expect(headers.allow).toBe('GET');
  await server(new Problem(418, 'not_found', asIs('It is a teapot.')))
    .get('/v1/collaborators')
    .expect(500);
});

test('removes an uploaded file, unless the operation has finished or its outcome is unknown', async () => {
  await server(notFound(), { body }).get('/v1/collaborators/x').expect(404);
  expect(discarded).toBe(1);
  await server(notFound(), { body, isCompleted: true }).get('/v1/collaborators/x').expect(404);
  expect(discarded).toBe(0);
  await server(new Error('an error of the service'), { body }).get('/v1/collaborators/x').expect(500);
  expect(discarded).toBe(0);
});

test('records rejected requests of members in the company’s audit log', async () => {
  await app.employee.delete(`/v1/collaborators/${app.employee.collaborator_id}`).expect(403);
  await app.audit.flush();
  const entries = await app.database.query("select action, target_type from audit_log where outcome = 'refused'");
  expect(entries).toEqual([{ action: 'deleteCollaborator', target_type: 'collaborator' }]);
});
