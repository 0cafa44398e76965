/** Follows a request through the worker: by its id in logs and emails, and by its trace. */

import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { people } from '../../helpers/resources/imports.ts';
import { type Collector, collector, type ReceivedSpan } from '../../platform/observe/otlp.ts';
import { type WatchedService, watchedService } from './service.ts';

const parent = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };

let traces: Collector;
let hook: Receiver;
let service: WatchedService;
beforeAll(async () => {
  [traces, hook] = await Promise.all([collector(), receiver()]);
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, OTEL_SERVICE_NAME: 'people-api' };
  // Raise the threshold, because a busy machine would add slow query lines.
  service = await watchedService({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true', LOG_SLOW_QUERY_MS: '600000' });
  await service.request('POST', '/v1/webhooks', {}, { url: hook.url, events: ['collaborator.created'] });
});
afterAll(async () => {
  await service.close();
  await Promise.all([traces.close(), hook.close()]);
});

const linesOf = (requestId: string) => service.lines().filter((line) => line.request_id === requestId);
const messagesOf = (requestId: string) => linesOf(requestId).map(({ msg }) => msg);
/** Without the line of the request itself, which the worker may overtake. */
const workOf = (requestId: string) => linesOf(requestId).filter(({ msg }) => msg !== 'request');

test('an email has the id in the log lines of its job and its sending, and as a header', async () => {
  const created = await service.request('POST', '/v1/collaborators', {}, person('ines@example.com'));
  const { id } = (await created.json()) as { id: string };
  const headers = {
    'X-Request-Id': 'invite-7',
    traceparent: `00-${parent.trace_id}-${parent.span_id}-01`,
  };
  const sent = await service.request('POST', `/v1/collaborators/${id}/send-invitation`, headers, {});
  expect(sent.status).toBe(200);
  await eventually(() => expect(messagesOf('invite-7')).toEqual(expect.arrayContaining(['request', 'job done'])));
  expect(workOf('invite-7')).toMatchObject([
    { msg: 'no SMTP_URL: email saved as a file' },
    { msg: 'job done', task: 'sendMail', duration_ms: expect.any(Number) },
  ]);
  const mail = (await service.mails()).find((text) => text.includes('To: ines@example.com'));
  expect(mail).toContain('\nX-Request-Id: invite-7\n');
});

test('a password reset has the id in the job that finds the account, and in the email', async () => {
  const body = new URLSearchParams({ email: 'mariana@example.com' });
  const page = await fetch(`${service.base_url}/oauth/forgot`);
  const form = await page.text();
  const [, csrf] = /name="csrf_token" value="([^"]+)"/.exec(form) ?? [];
  if (csrf) body.set('csrf_token', csrf);
  const cookie = page.headers.getSetCookie().map((set) => set.split(';')[0]);
  const headers = { 'X-Request-Id': 'forgot-1', Cookie: cookie.join('; '), Origin: service.base_url };
  const response = await fetch(`${service.base_url}/oauth/forgot`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  await eventually(() => expect(messagesOf('forgot-1').filter((msg) => msg === 'job done')).toHaveLength(2));
  const mails = await service.mails();
  expect(mails.filter((text) => text.includes('X-Request-Id: forgot-1'))).toHaveLength(1);
});

test('each delivery attempt has the id, and the receiver gets neither id nor trace', async () => {
  const before = hook.requests.length;
  await service.request('POST', '/v1/collaborators', { 'X-Request-Id': 'create-3' }, person('bea@example.com'));
  await eventually(() => {
    expect(workOf('create-3')).toMatchObject([{ msg: 'webhook attempt', status: 204, event: 'collaborator.created' }]);
  });
  const request = JSON.stringify(hook.requests.slice(before).map(({ headers, body }) => [headers, String(body)]));
  expect(request).toContain('bea@example.com');
  const [, webhookId] = hook.requests.at(-1)!.headers.find(([name]) => name.toLowerCase() === 'webhook-id')!;
  expect(workOf('create-3')).toMatchObject([{ event_id: webhookId }]); // the id that receivers quote
  expect(request).not.toMatch(/create-3|traceparent|x-request-id/i);
});

test('an import and its deliveries have the id', async () => {
  const form = new FormData();
  form.set('file', new Blob([people([900_001, 900_002]) as never], { type: 'text/csv' }), 'people.csv');
  const response = await service.request('POST', '/v1/collaborators/import', { 'X-Request-Id': 'import-2' }, form);
  expect(response.status).toBe(202);
  await eventually(() => {
    expect(messagesOf('import-2').filter((msg) => msg === 'webhook attempt')).toHaveLength(2);
    expect(messagesOf('import-2')).toContain('import finished');
  });
});

test('an export by a worker has the id', async () => {
  const [{ id } = {}] = await service.database.query<{ id: string }>('select id from collaborators limit 1');
  const path = `/v1/collaborators/${id}/personal-data`;
  const response = await service.request('POST', path, { 'X-Request-Id': 'export-9' });
  expect(response.status).toBe(202);
  await eventually(() => expect(messagesOf('export-9').toSorted()).toEqual(['export made', 'request']));
});

test('traces link the request through the database to the worker’s spans, with the request id', async () => {
  await service.stop();
  expect(new Set(traces.requests)).toEqual(new Set(['POST /v1/traces application/json']));
  const named = (requestId: string, name: string) => {
    const found = traces.spans.find((span) => span.name === name && span.attributes['request.id'] === requestId);
    if (!found) throw new Error(`no span ${name} of ${requestId}`);
    return found;
  };
  const below = ({ span_id: spanId }: ReceivedSpan) => traces.spans.filter((span) => span.parentId === spanId);

  const request = named('invite-7', 'sendInvitation');
  expect(request).toMatchObject({
    trace_id: parent.trace_id,
    parentId: parent.span_id,
    kind: 2,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/collaborators/{id}/send-invitation',
      'http.response.status_code': 200,
      'company.id': service.company_id,
    },
  });
  expect(request.resource).toMatchObject({ 'service.name': 'people-api' });
  const statements = below(request).filter(({ kind }) => kind === 3);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['select', 'insert', 'commit']));
  for (const { trace_id: traceId, attributes, duration_ms: durationMs } of statements) {
    expect(traceId).toBe(parent.trace_id);
    expect(attributes).toMatchObject({ 'db.system.name': 'postgresql', 'db.query.text': expect.any(String) });
    expect(durationMs).toBeGreaterThan(0);
    expect(durationMs).toBeLessThan(request.duration_ms + 1);
  }
  expect(JSON.stringify(statements)).not.toContain('ines@example.com');

  const job = named('invite-7', 'sendMail');
  expect(job).toMatchObject({ trace_id: parent.trace_id, parentId: request.span_id, kind: 5, failed: false });

  const created = named('create-3', 'createCollaborator');
  const attempt = named('create-3', 'webhook attempt');
  expect(attempt.attributes['event.id']).toMatch(/^[0-9a-f-]{36}$/);
  expect([attempt.trace_id, attempt.parentId]).toEqual([created.trace_id, created.span_id]);
  expect(named('import-2', 'import').parentId).toBe(named('import-2', 'importCollaborators').span_id);
  expect(below(named('import-2', 'import')).map(({ name }) => name)).toContain('commit');
  expect(named('export-9', 'export').parentId).toBe(named('export-9', 'exportPersonalData').span_id);
});

function person(email: string) {
  return { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
}
