import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { runOperation } from '../../../../src/api/http/steps/run-operation.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

const path = '/v1/collaborators';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const entries = async (action: string) => {
  await app.audit.flush();
  return app.database.query('select target_id, outcome from audit_log where action = $1 order by id', [action]);
};

test('records changes in the audit log, but not reads', async () => {
  const id = app.report.collaborator_id;
  await app.admin.patch(`${path}/${id}`, { phone: '+1 23' }).expect(200);
  await app.admin.get(`${path}/${id}`).expect(200);
  expect(await entries('patchCollaborator')).toEqual([{ target_id: id, outcome: 'succeeded' }]);
  expect(await entries('getCollaborator')).toEqual([]);
});

test('records exports, although they only read', async () => {
  await app.admin.get(`${path}/export/list`).expect(200);
  expect(await entries('exportList')).toHaveLength(1);
});

test('with an Idempotency-Key, runs and records once', async () => {
  const body = { name: 'Ike Idem', email: 'ike@example.com', position: 'x', department: 'y' };
  const send = () => app.admin.post(path, body).set('Idempotency-Key', 'k').expect(201);
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(await entries('createCollaborator')).toHaveLength(1);
});

test('records reads of others’ salaries, but not of one’s own', async () => {
  const client = await app.as('admin', { scopes: ['collaborators:read', 'salary:read'] });
  await entries('salary.read');
  await app.database.query("delete from audit_log where action = 'salary.read'");
  await client.get(`${path}/${app.report.collaborator_id}`).expect(200);
  await client.get(`${path}/${app.admin.collaborator_id}`).expect(200);
  expect(await entries('salary.read')).toEqual([{ target_id: app.report.collaborator_id, outcome: 'succeeded' }]);
});

test('passes the results of earlier steps to the handler, which may validate the request first', async () => {
  const calls: unknown[] = [];
  const handler = async (request: unknown, context: unknown) => {
    calls.push(request, context);
    return { status: 200, body: {} };
  };
  const check = async () => void calls.push('check');
  const services = { base_url: 'https://api.example', db: app.database.db } as never;
  const run = runOperation(Object.assign(handler, { check }) as never, { services, audit: app.audit } as never);
  const exchange = {
    ...{
      requestLog: { request_id: 'r' },
      caller: 'caller',
      company: undefined,
      resource: { context: { webhook: 'row' } },
    },
    ...{ pathParameters: { id: '1' }, query: { page: 2 }, headers: { 'if-match': '"1"' }, body: { value: 'sent' } },
  };
  expect(await run(exchange as unknown as RequestContext)).toEqual({ status: 200, body: {} });
  expect(calls).toEqual([
    'check',
    { path: { id: '1' }, query: { page: 2 }, ifMatch: ['"1"'], createOnly: false, body: 'sent' },
    {
      ...(services as object),
      request_id: 'r',
      language: expect.any(Function),
      caller: 'caller',
      webhook: 'row',
    },
  ]);
});
