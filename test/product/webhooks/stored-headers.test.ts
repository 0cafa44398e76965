/** Header values of a subscription are sent to its receiver, stored encrypted, and never shown again. */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { header, type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks } from '../../helpers/resources/deliveries.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

const word = 'qxsesame';
const token = `${word}-4f1d22`;
let app: TestApp;
let worker: TestWorker;
let there: Receiver;
const log: string[] = [];
beforeAll(async () => {
  [app, there] = await Promise.all([testApp(localWebhooks), receiver()]);
  worker = await testWorker(app, { log: pino({ level: 'trace' }, { write: (line) => void log.push(line) }) });
  // Like request inspection services, echo everything in the response, including headers.
  there.respond((response, { headers }) => {
    const sent = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
    const echo = { 'X-Echo': sent.authorization, 'X-Gate': 'of ours', 'Set-Cookie': `session=${token}` };
    response.writeHead(500, echo).end(JSON.stringify({ headers: sent, token }));
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([app.close(), there.close()]);
});

/** Every table with a row that contains the text, also in binary columns, which Postgres shows in hexadecimal digits. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await app.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await app.database.query(`select 1 from ${name} t where t::text ilike any($1) limit 1`, [
      [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`],
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('stay hidden whatever happens to the subscription, and whatever the receiver returns', async () => {
  const responses: string[] = [];
  const callApi = async (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
    const reply = await app.admin[method](path, body).set('Idempotency-Key', `${method} ${path}`);
    responses.push(JSON.stringify([reply.body, reply.headers]));
    expect({ path, status: reply.status, isGood: reply.status < 300 }).toMatchObject({ isGood: true });
    return reply.body;
  };
  const headers = { Authorization: `Bearer ${token}`, 'X-Gate': `${word} of ours` };
  const { id } = await callApi('post', '/v1/webhooks', { url: there.url, events: ['report.created'], headers });
  const path = `/v1/webhooks/${id}`;
  const { headers: masked } = await callApi('get', path);
  expect(masked).toEqual({ Authorization: '***', 'X-Gate': '***' });
  await callApi('put', path, { headers: masked });
  const delivery = await callApi('post', `${path}/test`);
  const [request] = await there.received(1);
  expect(header(request!, 'authorization')).toBe(`Bearer ${token}`);
  const delivered = await eventually(async () => {
    const found = (await app.admin.get(`${path}/deliveries/${delivery.id}`).expect(200)).body;
    expect(found.status).toBe('failed');
    return found;
  });
  responses.push(JSON.stringify(delivered));
  expect(delivered.attempts[0].response_excerpt).toContain('"authorization":"***"');
  await callApi('get', `${path}/deliveries`);
  await callApi('post', `${path}/rotate-secret`);
  await callApi('put', path, { headers: { 'X-Gate': `${word} another` } });
  await callApi('put', path, { status: 'deactivated' });
  await callApi('post', `${path}/activate`);
  for (const each of ['/v1/webhooks', '/v1/events', '/v1/audit']) await callApi('get', each);
  expect(await tablesWith(there.url)).toContain('public.webhooks');
  expect(await tablesWith('"authorization":"***"'.replaceAll('"', '""'))).toEqual(['public.attempts']);
  expect(await tablesWith(word)).toEqual([]);
  await callApi('delete', path);

  expect(responses.filter((reply) => reply.includes(word))).toEqual([]);
  expect(await tablesWith(word)).toEqual([]);
  expect(log.some((line) => line.includes(delivery.id))).toBe(true);
  expect(log.filter((line) => line.includes(word))).toEqual([]);
  const requestLog = readFileSync(process.env.TEST_REQUEST_LOG!, 'utf8');
  expect(requestLog).toContain(app.company_id);
  expect(requestLog).not.toContain(word);
});

test('a header name may equal an inherited property name', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const headers = JSON.parse(`{${names.map((name) => `"${name}": "a"`).join()}}`);
  const { body } = await app.admin.post('/v1/webhooks', { url: there.url, events: ['*'], headers }).expect(201);
  expect(Object.keys(body.headers)).toEqual(names);
  expect(body.warnings).toEqual([]);
  const { body: changed } = await app.admin.put(`/v1/webhooks/${body.id}`, { description: 'Other' }).expect(200);
  expect(Object.keys(changed.headers)).toEqual(names);
});
