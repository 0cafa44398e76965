/** CORS: only pages of public clients may call the API and read responses. */
import { acceptedHeaders, exposedHeaders } from '../../../src/api/http/cross-origin.ts';
import { contractOperations, resolve } from '../../../src/contract/contract.ts';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { raw } from '../../helpers/network/raw.ts';

const origin = 'https://app.example';
const path = '/v1/collaborators';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const { db } = app.database;
  await createClient(db, { name: 'Page', redirect_uris: [`${origin}/callback?from=a`], public: true });
  await createClient(db, { name: 'Phone', redirect_uris: ['com.example.phone:/callback'], public: true });
  await createClient(db, { name: 'Partner', redirect_uris: ['https://partner.example/callback'], public: false });
  await eventually(async () =>
    expect((await sendPreflight(origin)).headers['access-control-allow-origin']).toBe(origin),
  );
});
afterAll(() => app.close());

const sendPreflight = (from: string, method = 'PUT', at = path) =>
  app.anon
    .options(at)
    .set({ Origin: from, 'Access-Control-Request-Method': method })
    .set('Access-Control-Request-Headers', 'authorization,content-type,x-company-id');

const shared = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a page of a public client', () => {
  test.each([path, `${path}/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30/photo`, '/auth/user'])(
    'can preflight without a token: %s',
    async (at) => {
      const { headers, text } = await sendPreflight(origin, 'DELETE', at).expect(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, PUT, POST, DELETE, PATCH',
        'access-control-allow-headers': acceptedHeaders.join(', '),
        'access-control-max-age': '7200',
        'x-api-version': expect.any(String),
        'x-request-id': expect.any(String),
        vary: 'Origin',
      });
      expect([text, headers['content-type'], headers['access-control-allow-credentials']]).toEqual([
        '',
        undefined,
        undefined,
      ]);
    },
  );

  test.each([
    ['an answer', () => app.admin.get(path), 200],
    ['the response to a write', () => app.admin.post(path, {}), 400],
    ['a refusal for want of a token', () => app.anon.get(path), 401],
    ['a refusal for want of a company', () => app.anon.get(path).auth(app.admin.token, { type: 'bearer' }), 400],
    ['what is not there', () => app.admin.get('/v1/nothing'), 404],
    ['who it speaks for', () => app.admin.get('/auth/user'), 200],
  ])('can read %s', async (_, send, status) => {
    const { headers } = await send().set('Origin', origin).expect(status);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders.join(', '),
      vary: status < 400 ? 'Origin' : 'Origin, Accept-Language',
    });
    expect(shared(headers)).toHaveLength(2);
  });

  test('can read and send every header of the contract', () => {
    const operations = contractOperations.map(({ operation }) => operation);
    const declaredResponses = operations.flatMap(({ responses }) => Object.values(responses).map(resolve));
    const headers = new Set(
      declaredResponses.flatMap((response) => Object.keys((response as { headers?: object }).headers ?? {})),
    );
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const sent = new Set(parameters.filter((each) => each.in === 'header').map(({ name }) => name));
    for (const name of ['ETag', 'Location', 'RateLimit']) expect(headers).toContain(name);
    for (const name of ['If-Match', 'Idempotency-Key', 'X-Company-Id']) expect(sent).toContain(name);
    expect([...headers].filter((name) => !exposedHeaders.includes(name))).toEqual([]);
    expect([...sent].filter((name) => !acceptedHeaders.includes(name!))).toEqual([]);
  });
});

test('a request without an origin gets only Vary', async () => {
  const { headers } = await app.admin.get(path).expect(200);
  expect([headers.vary, shared(headers)]).toEqual(['Origin', []]);
});

test('OPTIONS without a preflight header is an ordinary request', async () => {
  expect((await app.anon.options(path).set('Origin', origin)).status).toBe(401);
  expect((await app.anon.options(path).set('Access-Control-Request-Method', 'GET')).status).toBe(401);
});

const foreign = [
  'https://evil.example',
  'https://partner.example', // of a client with a secret
  'null', // a sandboxed page, a file, or a custom URI scheme
  'https://APP.example',
  'HTTPS://app.example',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example.',
  'https://app.example/',
  'https://app.example.evil.example',
  'https://evil.example#https://app.example',
  'https://user@app.example',
  'https://app.example, https://evil.example',
  'com.example.phone:',
  'com.example.phone://callback',
  'http://localhost:3000', // only 127.0.0.1 is registered
  'https://127.0.0.1',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.1:99999',
  'http://127.1:3000',
  'http://[::1',
  'file://',
  '*',
  'https://*.example',
  '%00',
  '../',
  '__proto__',
  'x'.repeat(8_000),
];

test.each(foreign)('%s gets no CORS headers', async (from) => {
  const preflight = await sendPreflight(from).expect(204);
  const response = await app.admin.get(path).set('Origin', from).expect(200);
  const refusal = await app.anon.get(path).set('Origin', from).expect(401);
  for (const { headers } of [preflight, response, refusal]) expect(shared(headers)).toEqual([]);
  const varies = [preflight, response, refusal].map(({ headers }) => headers.vary);
  expect(varies).toEqual(['Origin', 'Origin', 'Origin, Accept-Language']);
});

test('two origins, an empty one, and non-text bytes as origin get no CORS headers', async () => {
  const one = `Origin: ${origin}`;
  const corsHeaders = ['access-control-allow-origin', 'access-control-expose-headers'];
  for (const lines of [one, `${one}\r\n${one}`, 'Origin: ', `Origin: ${origin}\xff\t`, 'Origin: \xe2\x80\xae']) {
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\nConnection: close\r\n\r\n`;
    const { status, headers } = await raw(app.base_url, (socket) => socket.write(head, 'latin1'));
    expect([status, shared(headers)]).toEqual([401, lines === one ? corsHeaders : []]);
  }
});

test('adding or removing a client takes effect without a restart', async () => {
  const { db } = app.database;
  const page = 'https://new.example';
  const allowed = async () => (await sendPreflight(page)).headers['access-control-allow-origin'];
  expect(await allowed()).toBeUndefined();
  const { id } = await createClient(db, { name: 'New', redirect_uris: [`${page}/callback`], public: true });
  await eventually(async () => expect(await allowed()).toBe(page));
  await revokeClient(db, id);
  await eventually(async () => expect(await allowed()).toBeUndefined());
});

test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/oauth/jwks'])(
  'public documents allow every origin with a wildcard: %s',
  async (at) => {
    const { headers } = await app.anon.get(at).set('Origin', 'https://evil.example').expect(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  },
);
