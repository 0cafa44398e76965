/** The delivery log shows what the receiver got, byte for byte, even much later, without secrets. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Received, type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, passTime, subscribe } from '../../helpers/resources/deliveries.ts';
import { deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
let there: Receiver;
beforeEach(async () => {
  there = await receiver();
});
afterEach(() => there.close());

interface Line {
  name: string;
  value: string;
}

/** The only delivery of a subscription, after this many attempts. */
async function logged(webhookId: string, attempts: number) {
  return eventually(async () => {
    const [row] = await deliveriesOf(app, webhookId);
    const { body } = await app.admin.get(`/v1/webhooks/${webhookId}/deliveries/${row?.id}`).expect(200);
    expect(body.attempts).toHaveLength(attempts);
    return body;
  });
}

/** The received request as the log shows it. @param stored headers whose values the log masks */
function masked({ headers, body }: Received, stored: string[] = []) {
  const lines = headers
    .filter(([name]) => name !== 'Connection') // added by Node
    .map(([name, value]): Line => ({ name, value: stored.includes(name) ? '***' : value }));
  return { headers: lines, body: body.toString() };
}

const requestOf = ({ request }: { request: { headers: Line[]; body: string } }) => ({
  headers: request.headers,
  body: request.body,
});

async function sendOne(more: object = {}): Promise<string> {
  const { id } = await subscribe(app, there.url, { events: ['report.created'], ...more });
  await emitReports(app.database.db, app.company_id, 1);
  return id;
}

const remove = (id: string) => app.admin.delete(`/v1/webhooks/${id}`).expect(200);

test('a success shows the sent bytes and the response', async () => {
  there.respond((response) => {
    const headers = { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=secret', 'b=secret'], 'X-Api-Key': 'secret' };
    response.writeHead(202, headers).end('Obrigado, Zoë');
  });
  const id = await sendOne();
  const { attempts, ...delivery } = await logged(id, 1);
  expect(delivery).toMatchObject({ status: 'succeeded', last_error: null });
  const [attempt] = attempts;
  expect(requestOf(attempt)).toEqual(masked(there.requests[0]!));
  expect(attempt).toMatchObject({
    request: { url: there.url },
    status_code: 202,
    error: null,
    response_excerpt: 'Obrigado, Zoë',
    next_attempt_at: null,
  });
  expect(attempt.response_headers.slice(0, 4)).toEqual([
    { name: 'Content-Type', value: 'text/plain' },
    { name: 'Set-Cookie', value: '***' },
    { name: 'Set-Cookie', value: '***' },
    { name: 'X-Api-Key', value: '***' },
  ]);
  const { body } = await app.admin.get(`/v1/webhooks/${id}/deliveries`).expect(200);
  expect(body.data).toEqual([delivery]);
  await remove(id);
});

test('each attempt stays as it was after secret, URL, and headers change', async () => {
  const elsewhere = await receiver();
  there.respond(503);
  const id = await sendOne({ headers: { Authorization: 'Bearer first-key', 'X-Gate': 'campinas' } });
  const waiting = await logged(id, 1);
  expect(waiting.attempts[0]).toMatchObject({
    error: expect.stringContaining('503'),
    next_attempt_at: expect.any(String),
  });
  expect(waiting.attempts[0].next_attempt_at).toBe(waiting.next_attempt_at);
  expect(waiting.last_error).toBe(waiting.attempts[0].error);
  await app.admin.post(`/v1/webhooks/${id}/rotate-secret`).expect(200);
  const changed = { url: elsewhere.url, headers: { Authorization: 'Bearer second-key', 'X-Gate': null } };
  await app.admin.put(`/v1/webhooks/${id}`, changed).expect(200);
  await passTime(app, id);
  const { attempts } = await logged(id, 2);
  await app.admin.post(`/v1/webhooks/${id}/rotate-secret`, { immediately: true }).expect(200);
  expect((await logged(id, 2)).attempts).toEqual(attempts);
  expect(attempts.map(requestOf)).toEqual([
    masked(there.requests[0]!, ['Authorization', 'X-Gate']),
    masked(elsewhere.requests[0]!, ['Authorization']),
  ]);
  expect(attempts.map(({ request }: { request: { url: string } }) => request.url)).toEqual([there.url, elsewhere.url]);
  expect(JSON.stringify(attempts)).not.toMatch(/first-key|second-key|campinas/);
  await remove(id);
  await elsewhere.close();
});

test('shows the flat format and headers that override ours', async () => {
  const id = await sendOne({
    payload_format: 'flat',
    headers: { 'webhook-ID': 'mine', 'x-webhook-signature': 'mine, too' },
  });
  const { attempts } = await logged(id, 1);
  expect(requestOf(attempts[0])).toEqual(masked(there.requests[0]!, ['webhook-ID', 'x-webhook-signature']));
  await remove(id);
});

test('truncates many or long headers', async () => {
  const responseHeaders: Record<string, string>[] = [
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`X-${n}`, 'x'])),
    Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`X-${n}`, 'y'.repeat(1_000)])),
  ];
  const [many, long] = await Promise.all(
    responseHeaders.map(async (headers) => {
      const target = await receiver({ reply: (response) => void response.writeHead(200, headers).end() });
      const { id } = await subscribe(app, target.url, { events: ['document.deleted'] });
      await app.admin.post(`/v1/webhooks/${id}/test`).expect(202);
      const { attempts } = await logged(id, 1);
      await remove(id);
      await target.close();
      return attempts[0].response_headers as Line[];
    }),
  );
  expect(many).toHaveLength(40);
  expect(long!.map(({ value }) => value.length)).toEqual(Array.from({ length: 7 }, () => 512));
});

test('a refused connection shows the intended request and advice', async () => {
  const { url } = there;
  await there.close();
  const { id } = await subscribe(app, url, { events: ['document.deleted'] });
  await app.admin.post(`/v1/webhooks/${id}/test`).expect(202);
  const { attempts, last_error: lastError } = await logged(id, 1);
  expect(attempts[0]).toMatchObject({
    request: { url, body: expect.stringContaining('webhook.test') },
    error_class: 'connect_refused',
    error: expect.stringContaining('Check that the endpoint is running'),
    response_headers: null,
    response_excerpt: null,
  });
  expect(lastError).toBe(attempts[0].error);
  await remove(id);
  there = await receiver();
});

test('attempts recorded before requests were logged show none', async () => {
  const id = await sendOne();
  await logged(id, 1);
  await app.database.query(
    'update attempts set url = null, signatures = null, response_headers = null where delivery_id in (select id from deliveries where webhook_id = $1)',
    [id],
  );
  expect((await logged(id, 1)).attempts).toMatchObject([{ request: null, response_headers: null, status_code: 204 }]);
  await remove(id);
});
