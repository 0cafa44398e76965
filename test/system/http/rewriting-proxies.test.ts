/** Clients behind the effects of Cloudflare, Envoy, and AWS load balancers: docs/operations/proxies.md. */
import { randomUUID } from 'node:crypto';
import { request as requestHttp1 } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { certificateAuthority } from '../../helpers/network/certificate.ts';
import { formOf, json } from '../../helpers/network/proxied-client.ts';
import {
  type HeaderLines,
  headerOf,
  linesOf,
  proxyAddress,
  type RewritingProxy,
  startRewritingProxy,
} from '../../helpers/network/rewriting-proxy.ts';
import { effects, merged, proxied } from './proxy-effects.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ BASE_URL: 'https://people.example.com', TRUST_PROXY: proxyAddress, REQUIRE_HTTPS: 'true' });
});
afterAll(() => app.close());

interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

type Send = (
  method: string,
  path: string,
  headers?: Record<string, string | string[]>,
  body?: Buffer | string,
) => Promise<HttpResponse>;

const own = () => ({ Authorization: `Bearer ${app.admin.token}`, 'X-Company-Id': app.company_id });

const overHttp1 =
  (url: string): Send =>
  (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const { port } = new URL(url);
      const outgoing = requestHttp1(
        { port, host: '127.0.0.1', method, path, headers, agent: false },
        async (response) => {
          const responseHeaders = Object.fromEntries(
            linesOf(response.rawHeaders).map(([name, value]) => [name.toLowerCase(), value]),
          );
          resolve({
            status: response.statusCode!,
            headers: responseHeaders,
            body: plain(await buffer(response), responseHeaders),
          });
        },
      );
      outgoing.once('error', reject).end(body);
    });

const plain = (bytes: Buffer, headers: Record<string, string>) =>
  headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
const parsed = <T = Record<string, unknown>>({ body }: HttpResponse) => JSON.parse(body.toString()) as T;

/** Typical client requests, as sent without a proxy. */
async function useAll(send: Send, { last }: Pick<RewritingProxy, 'last'>): Promise<void> {
  const accepting = { ...own(), 'Accept-Encoding': 'gzip, deflate, br' };
  const writing = { ...accepting, 'Content-Type': 'application/json' };
  const person = {
    name: 'Rita Rewritten',
    email: `${randomUUID()}@example.com`,
    position: 'x'.repeat(200),
    department: 'y'.repeat(200),
  };

  const key = { 'Idempotency-Key': randomUUID() };
  const created = await send('POST', '/v1/collaborators', { ...writing, ...key }, JSON.stringify(person));
  expect(created.status).toBe(201);
  const replayed = await send('POST', '/v1/collaborators', { ...writing, ...key }, JSON.stringify(person));
  expect([replayed.headers['idempotency-replayed'], parsed(replayed)]).toEqual(['true', parsed(created)]);
  const path = new URL(created.headers.location!, app.base_url).pathname;

  const read = await send('GET', path, accepting);
  expect([read.status, parsed(read).name]).toEqual([200, person.name]);
  const { etag } = read.headers;
  if (etag !== undefined) {
    expect((await send('GET', path, { ...accepting, 'If-None-Match': etag })).status).toBe(304);
    const change = (location: string) =>
      send('PATCH', path, { ...writing, 'If-Match': etag }, JSON.stringify({ location }));
    expect((await change('Faro')).status).toBe(200);
    expect((await change('Lagos')).status).toBe(412);
  } else {
    expect((await send('PATCH', path, writing, JSON.stringify({ location: 'Faro' }))).status).toBe(200);
  }

  const form = new FormData();
  form.set('type', 'other');
  form.set('file', new Blob(['%PDF-1.7\n', 'z'.repeat(200_000)]), 'file.pdf');
  const { headers, body } = await formOf(form);
  const uploaded = await send('POST', `${path}/documents`, { ...accepting, ...headers, Expect: '100-continue' }, body);
  expect([uploaded.status, parsed(uploaded).size]).toEqual([201, 200_009]);
  const file = new URL(parsed<{ url: string }>(uploaded).url).pathname;
  const part = await send('GET', file, { Range: 'bytes=0-7' });
  expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([
    206,
    'bytes 0-7/200009',
    '%PDF-1.7',
  ]);

  const list = await send('GET', '/v1/collaborators?search=rita%20%20rewritten', accepting);
  expect([list.status, parsed<{ data: object[] }>(list).data.length > 0]).toEqual([200, true]);
  const missing = await send('GET', '/v1/nothing', { ...accepting, 'Accept-Language': 'pt' });
  expect([missing.status, parsed(missing).error, missing.headers['content-language']]).toEqual([
    404,
    'not_found',
    'pt-BR',
  ]);
  expect((await send('GET', path, { 'Accept-Encoding': 'gzip' })).status).toBe(401);
  const token = await send(
    'POST',
    '/oauth/token',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    'grant_type=refresh_token&client_id=nobody&refresh_token=x',
  );
  expect([token.status, parsed(token).error]).toEqual([401, 'invalid_client']);
  const page = await send('GET', '/oauth/authorize?client_id=nobody', {
    'Accept-Encoding': 'gzip',
    'X-Forwarded-Host': 'evil.example',
  });
  expect([page.status, page.body.toString().includes('evil.example')]).toEqual([400, false]);

  const spoofed = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'http', Forwarded: 'for=203.0.113.7' };
  expect((await send('DELETE', path, { ...accepting, ...spoofed })).status).toBe(200);
  expect(headerOf(last(), 'x-forwarded-for')).toMatch(/127\.0\.0\.1$/);
  await app.audit.flush();
  const rows = await app.database.query<{ ip: string }>('select ip from audit_log where target_id = $1', [
    path.split('/').at(-1)!,
  ]);
  expect(new Set(rows.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']));
}

test.each(Object.entries(effects))('%s', async (_name, how) => {
  const proxy = await startRewritingProxy(app.port, how);
  await useAll(overHttp1(proxy.url), proxy);
  await proxy.close();
});

test('supports HTTP/2 in front of HTTP/1.1', async () => {
  const { ca, issue } = certificateAuthority();
  const proxy = await startRewritingProxy(app.port, { ...effects['an Application Load Balancer']!, http2: issue() });
  const session = connectHttp2(proxy.url, { ca });
  const send: Send = async (method, path, headers = {}, body) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const stream = session.request({ ':method': method, ':path': path, ...lower });
    const headersPromise = new Promise<Record<string, string>>((resolve) => {
      stream.once('response', (responseHeaders) => resolve(responseHeaders as unknown as Record<string, string>));
    });
    stream.end(body);
    const bytes = await buffer(stream);
    const responseHeaders = await headersPromise;
    return {
      status: Number(responseHeaders[':status']),
      headers: responseHeaders,
      body: plain(bytes, responseHeaders),
    };
  };
  await useAll(send, proxy);
  await new Promise<void>((closed) => session.close(closed));
  await proxy.close();
});

describe('repeated headers through a proxy', () => {
  test.each([
    ['sent on as they are', { request: proxied }, 400],
    ['merged into one', { request: (lines: HeaderLines, address: string) => merged(proxied(lines, address)) }, 401],
  ])('%s, two Authorization headers are rejected', async (_name, how, status) => {
    const proxy = await startRewritingProxy(app.port, how);
    const headers = {
      ...own(),
      Authorization: [`Bearer ${app.admin.token}`, 'Bearer two'],
    };
    const response = await overHttp1(proxy.url)('GET', '/v1/collaborators', headers);
    expect(response.status).toBe(status);
    await proxy.close();
  });

  test('addresses appended to X-Forwarded-For as separate headers count from the last one', async () => {
    const proxy = await startRewritingProxy(app.port, {
      request: (lines, address) => [...lines, ['X-Forwarded-For', address], ['X-Forwarded-Proto', 'https']],
    });
    const send = overHttp1(proxy.url);
    const { headers, body } = json({
      name: 'Xenia',
      email: `${randomUUID()}@example.com`,
      position: 'x',
      department: 'y',
    });
    const created = await send(
      'POST',
      '/v1/collaborators',
      { ...own(), ...headers, 'X-Forwarded-For': '203.0.113.7' },
      body,
    );
    expect(created.status).toBe(201);
    await app.audit.flush();
    const id = parsed<{ id: string }>(created).id;
    expect(await app.database.query('select ip from audit_log where target_id = $1', [id])).toEqual([
      { ip: '127.0.0.1' },
    ]);
    await proxy.close();
  });
});
