/**
 * The service behind real proxies with the shipped configuration, for `make proof NAME=proxies`. Clients get the same
 * as from the service itself, whatever the proxy compresses, buffers, and rewrites.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { json as jsonOf } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../helpers/app.ts';
import { launchBrowser } from '../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../helpers/browser/console.ts';
import { freePort } from '../helpers/network/free-port.ts';
import { formOf, json, proxiedClient, type SendRequest } from '../helpers/network/proxied-client.ts';
import {
  lookupProxy,
  type ProxyName,
  proxiedHost,
  type RealProxy,
  startRealProxy,
} from '../helpers/network/real-proxies.ts';
import { receiver } from '../helpers/network/receiver.ts';
import { picture } from '../helpers/resources/documents.ts';
import { testWorker } from '../helpers/worker.ts';

const names = (process.env.PROXIES ?? '').split(' ').filter(Boolean) as ProxyName[];
if (names.length === 0) throw new Error('which proxies there are is known to make proof NAME=proxies');

describe.each(names)('behind %s', (name) => {
  let app: TestApp;
  let proxy: RealProxy;
  let request: SendRequest;
  let anon: SendRequest;
  let closeClient: () => void;

  beforeAll(async () => {
    const port = await freePort();
    app = await testApp({
      BASE_URL: `https://${proxiedHost}:${port}`,
      TRUST_PROXY: '127.0.0.1',
      REQUIRE_HTTPS: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    proxy = await startRealProxy(name, { port, servicePort: app.port });
    ({ request, anon, close: closeClient } = proxiedClient(app.base_url, proxy.ca, app.admin));
  });

  afterAll(async () => {
    closeClient?.();
    await proxy?.close();
    await app?.close();
  });

  /** Large enough for every proxy to compress it. */
  const person = () => ({
    name: 'Petra Proxy',
    email: `petra.${randomUUID()}@example.com`,
    position: 'Planner '.repeat(20).trim(),
    department: 'Operations '.repeat(15).trim(),
    work_schedule: 'from eight to five '.repeat(10).trim(),
  });
  const added = async () =>
    (await request('/v1/collaborators', { method: 'POST', ...json(person()) })).json<{ id: string }>().id;
  const codings = ['identity', 'gzip', 'br', 'zstd', 'deflate', 'gzip, deflate, br, zstd', '*', ''];

  test('the proxy compresses responses without an ETag, if it can', async () => {
    const { headers, status } = await request('/v1/collaborators', { headers: { 'Accept-Encoding': 'gzip' } });
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  test.each(codings)('handles conditional requests with Accept-Encoding: %s', async (coding) => {
    const accepting = { 'Accept-Encoding': coding };
    const send = (method: string, path: string, tag: string, body?: object) => {
      const { headers, body: text } = body ? json(body) : { headers: {}, body: undefined };
      return request(path, { method, headers: { ...headers, ...accepting, 'If-Match': tag }, body: text as string });
    };
    const path = `/v1/collaborators/${await added()}`;
    const read = async (query = '') => {
      const { status, headers, body } = await request(path + query, { headers: accepting });
      expect([status, body.length > 700]).toEqual([200, true]);
      const revalidated = await request(path + query, { headers: { ...accepting, 'If-None-Match': headers.etag! } });
      expect([revalidated.status, revalidated.body.length]).toEqual([304, 0]);
      return headers.etag!;
    };
    const first = await read();
    const patched = await send('PATCH', path, first, { location: 'Faro' });
    expect([coding, first, patched.status]).toEqual([coding, first, 200]);
    expect((await send('PUT', path, first, { location: 'Lagos' })).status).toBe(412);
    expect((await send('PUT', path, patched.headers.etag!, { location: 'Lagos' })).status).toBe(200);
    expect((await send('PUT', path, await read('?expand=manager'), { location: 'Sagres' })).status).toBe(200);
    expect((await send('DELETE', path, first)).status).toBe(412);
    expect((await send('DELETE', path, await read())).status).toBe(200);

    const company = await request('/v1/company', { headers: accepting });
    const renamed = { name: `Verde ${codings.indexOf(coding)}` };
    expect((await send('PUT', '/v1/company', company.headers.etag!, renamed)).status).toBe(200);
    expect((await send('PUT', '/v1/company', company.headers.etag!, renamed)).status).toBe(412);

    const fields = {
      name: 'Behind a proxy',
      kind: 'public',
      redirect_uris: ['https://proxy.example/cb'],
      description: 'x'.repeat(400),
    };
    const { client_id: clientId } = (await request('/v1/apps', { method: 'POST', ...json(fields) })).json<{
      client_id: string;
    }>();
    const appPath = `/v1/apps/${clientId}`;
    const { etag } = (await request(appPath, { headers: accepting })).headers;
    expect((await send('PUT', appPath, etag!, { description: null })).status).toBe(200);
    expect((await send('PUT', appPath, etag!, { description: 'y' })).status).toBe(412);
    expect((await request(appPath, { method: 'DELETE' })).status).toBe(200);
  });

  test.each(['/console', '/openapi.json', '/docs', '/llms.txt', '/'])(
    '%s is sent again only after a change',
    async (path) => {
      for (const coding of codings) {
        const headers = { 'Accept-Encoding': coding };
        const first = await anon(path, { headers });
        expect([coding, first.status]).toEqual([coding, 200]);
        const revalidated = await anon(path, { headers: { ...headers, 'If-None-Match': first.headers.etag! } });
        expect([coding, revalidated.status]).toEqual([coding, 304]);
      }
    },
  );

  describe('files', () => {
    const large = randomBytes(9_000_000);
    const documentOf = (bytes: Buffer) => {
      const form = new FormData();
      form.set('type', 'other');
      form.set('file', new Blob([Buffer.from('%PDF-1.7\n'), bytes]), 'large.pdf');
      return formOf(form);
    };
    const whole = Buffer.concat([Buffer.from('%PDF-1.7\n'), large]);
    const documents = () => `/v1/collaborators/${app.report.collaborator_id}/documents`;
    const pathOf = (url: string) => url.slice(app.base_url.length);

    test('a large form is stored byte for byte, with a length and chunked', async () => {
      const { headers, body } = await documentOf(large);
      const pieces = function* () {
        for (let at = 0; at < body.length; at += 50_000) yield body.subarray(at, at + 50_000);
      };
      for (const sent of [body, pieces()]) {
        const reply = await request(documents(), { method: 'POST', headers, body: sent });
        expect([reply.status, reply.json()]).toEqual([201, expect.objectContaining({ size: whole.length })]);
        const { url } = reply.json<{ url: string }>();
        expect((await anon(pathOf(url))).body.equals(whole)).toBe(true);
      }
    });

    test('ranges of a file work', async () => {
      const { headers, body } = await documentOf(large);
      const path = pathOf((await request(documents(), { method: 'POST', headers, body })).json<{ url: string }>().url);
      for (const coding of codings) {
        const part = async (Range: string, more = {}) => {
          const reply = await anon(path, { headers: { Range, 'Accept-Encoding': coding, ...more } });
          return [reply.status, reply.headers['content-range'], reply.body] as const;
        };
        const size = whole.length;
        expect(await part('bytes=0-99')).toEqual([206, `bytes 0-99/${size}`, whole.subarray(0, 100)]);
        expect(await part('bytes=-10')).toEqual([206, `bytes ${size - 10}-${size - 1}/${size}`, whole.subarray(-10)]);
        expect((await part(`bytes=${size}-`))[0]).toBe(416);
        const { etag } = (await anon(path, { method: 'HEAD', headers: { 'Accept-Encoding': coding } })).headers;
        expect((await part('bytes=5-9', { 'If-Range': etag! }))[0]).toBe(206);
        expect((await part('bytes=5-9', { 'If-Range': '"another"' }))[0]).toBe(200);
        const known = await anon(path, { headers: { 'If-None-Match': etag!, 'Accept-Encoding': coding } });
        expect(known.status).toBe(304);
      }
    });

    test('a photo works as JSON and as a form, and shows in the list of people', async () => {
      const photo = `/v1/collaborators/${app.report.collaborator_id}/photo`;
      const bytes = await picture();
      const sent = await request(photo, { method: 'PUT', ...json({ content_base64: bytes.toString('base64') }) });
      const { avatar_url: avatarUrl } = sent.json<{ avatar_url: string }>();
      expect((await anon(pathOf(avatarUrl))).headers['content-type']).toBe('image/webp');
      const form = new FormData();
      form.set('file', new Blob([bytes]), 'me.png');
      expect((await request(photo, { method: 'PUT', ...(await formOf(form)) })).status).toBe(200);
      const list = new FormData();
      list.set('file', new Blob(['name,email,position,department\nIris Import,iris@example.com,x,y\n']), 'people.csv');
      expect((await request('/v1/collaborators/import', { method: 'POST', ...(await formOf(list)) })).status).toBe(202);
    });

    test('a file over the limit gets the API’s error format', async () => {
      const { headers, body } = await documentOf(randomBytes(12_000_000));
      const reply = await request(documents(), { method: 'POST', headers, body });
      expect([reply.status, reply.json().error]).toEqual([413, 'payload_too_large']);
    });
  });

  test('supports Expect: 100-continue', async () => {
    const { headers, body } = json(person());
    const expecting = { ...headers, Expect: '100-continue', 'Content-Length': String(body.length) };
    const reply = await request('/v1/collaborators', { method: 'POST', headers: expecting, body });
    expect(reply.status).toBe(201);
  });

  test('waits for a webhook test', async () => {
    const worker = await testWorker(app);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hook = await receiver({
      reply: async (response) => {
        await released;
        response.writeHead(204).end();
      },
    });
    const { id } = (
      await request('/v1/webhooks', { method: 'POST', ...json({ url: hook.url, events: ['webhook.test'] }) })
    ).json<{ id: string }>();
    const reply = request(`/v1/webhooks/${id}/test?wait=true`, { method: 'POST' });
    await hook.received(1);
    release();
    const { status, json: body } = await reply;
    expect([status, body().status, body().last_status_code]).toEqual([200, 'succeeded', 204]);
    await worker.stop();
    await hook.close();
  });

  describe('the client', () => {
    const spoofed = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'evil.example',
      'X-Real-Ip': '203.0.113.7',
      Forwarded: 'for=203.0.113.7;proto=http;host=evil.example',
    };

    test('is identified by the address the proxy saw, whatever the client claims', async () => {
      const { status, json: body } = await request('/v1/collaborators', {
        method: 'POST',
        ...json(person()),
        headers: { 'Content-Type': 'application/json', ...spoofed },
      });
      expect(status).toBe(201);
      await app.audit.flush();
      const rows = await app.database.query('select ip, details from audit_log where target_id = $1', [
        String(body().id),
      ]);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('203.0.113.7');
      expect(JSON.stringify(rows)).toContain('127.0.0.1');
    });

    test('can’t change the host in URLs', async () => {
      const { json: body } = await anon('/.well-known/oauth-authorization-server', { headers: spoofed });
      expect(body().issuer).toBe(app.base_url);
      const page = await anon('/oauth/authorize', { headers: spoofed });
      expect(page.body.toString()).not.toContain('evil.example');
    });

    test('is rejected with two Authorization headers', async () => {
      const Authorization = [`Bearer ${app.admin.token}`, 'Bearer another'];
      const { status } = await request('/v1/collaborators', { headers: { Authorization } });
      expect([400, 401]).toContain(status);
    });
  });

  test('HTTP/2 serves many requests on one connection', async () => {
    const session = connectHttp2(app.base_url, { ca: proxy.ca, lookup: lookupProxy });
    const own = { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id };
    const get = async (path: string) => {
      const stream = session.request({ ':path': path, 'accept-encoding': 'identity', ...own });
      const headers = new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve));
      const body = (await jsonOf(stream)) as Record<string, unknown>;
      return [(await headers)[':status'], body] as const;
    };
    const responses = await Promise.all(Array.from({ length: 30 }, () => get('/v1/permissions')));
    expect(new Set(responses.map(([status]) => status))).toEqual(new Set([200]));
    expect((await get('/v1/nothing'))[1]).toMatchObject({ error: 'not_found' });
    await new Promise<void>((closed) => session.close(closed));
  });

  describe('the console', () => {
    let browser: Browser;
    beforeAll(async () => {
      await requireBuiltConsole();
      browser = await launchBrowser([`--host-resolver-rules=MAP ${proxiedHost} 127.0.0.1`]);
    });
    afterAll(() => browser?.close());

    test('lets a person sign in and save a change', async () => {
      const options = { ignoreHTTPSErrors: true };
      const id = await added();
      const { page, context, problems } = await openConsole(
        app,
        browser,
        'admin',
        `/${app.company_id}/people/${id}`,
        options,
      );
      for (const location of ['Tavira', 'Olhão']) {
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByLabel('Location').fill(location);
        const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
        await page.getByRole('button', { name: 'Save' }).click();
        expect([location, (await saved).status()]).toEqual([location, 200]);
        await page.getByText(location).first().waitFor();
      }
      expect((await request(`/v1/collaborators/${id}`)).json().location).toBe('Olhão');
      expect(problems).toEqual([]);
      await context.close();
    });
  });
});
