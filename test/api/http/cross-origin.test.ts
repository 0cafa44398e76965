/** Pages of other origins: those of public clients may call and read, and everybody else hears nothing of it. */
import { acceptedHeaders, exposedHeaders } from '../../../src/api/http/cross-origin.ts';
import { contractOperations, resolve } from '../../../src/contract/contract.ts';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { raw } from '../../helpers/raw.ts';

const origin = 'https://app.example';
const path = '/v1/collaborators';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const { db } = app.database;
  await createClient(db, { name: 'Page', redirect_uris: [`${origin}/callback?from=a`], public: true });
  await createClient(db, { name: 'Phone', redirect_uris: ['com.example.phone:/callback'], public: true });
  await createClient(db, { name: 'Partner', redirect_uris: ['https://partner.example/callback'], public: false });
  await eventually(async () => expect((await ask(origin)).headers['access-control-allow-origin']).toBe(origin));
});
afterAll(() => app.close());

const ask = (from: string, method = 'PUT', at = path) =>
  app.anon
    .options(at)
    .set({ Origin: from, 'Access-Control-Request-Method': method })
    .set('Access-Control-Request-Headers', 'authorization,content-type,x-company-id');

/** Whatever an answer says about sharing. */
const shared = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a page of a public client', () => {
  test.each([path, `${path}/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30/photo`, '/auth/user'])(
    'is told before it has a token what it may send: %s',
    async (at) => {
      const { headers, text } = await ask(origin, 'DELETE', at).expect(204);
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
    ['the answer to a write', () => app.admin.post(path, {}), 400],
    ['a refusal for want of a token', () => app.anon.get(path), 401],
    ['a refusal for want of a company', () => app.anon.get(path).auth(app.admin.token, { type: 'bearer' }), 400],
    ['what is not there', () => app.admin.get('/v1/nothing'), 404],
    ['who it speaks for', () => app.admin.get('/auth/user'), 200],
  ])('may read %s', async (_, send, status) => {
    const { headers } = await send().set('Origin', origin).expect(status);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders.join(', '),
      vary: status < 400 ? 'Origin' : 'Origin, Accept-Language',
    });
    expect(shared(headers)).toHaveLength(2);
  });

  test('may read and send every header that the contract has', () => {
    const operations = contractOperations.map(({ operation }) => operation);
    const answers = operations.flatMap(({ responses }) => Object.values(responses).map(resolve));
    const headers = new Set(answers.flatMap((answer) => Object.keys((answer as { headers?: object }).headers ?? {})));
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const sent = new Set(parameters.filter((each) => each.in === 'header').map(({ name }) => name));
    expect([...headers].filter((name) => !exposedHeaders.includes(name))).toEqual([]);
    expect([...sent].filter((name) => !acceptedHeaders.includes(name!))).toEqual([]);
  });
});

test('a request of no page is told only that others may hear something else', async () => {
  const { headers } = await app.admin.get(path).expect(200);
  expect([headers.vary, shared(headers)]).toEqual(['Origin', []]);
});

test('OPTIONS that asks for nothing is a request like any other', async () => {
  expect((await app.anon.options(path).set('Origin', origin)).status).toBe(401);
  expect((await app.anon.options(path).set('Access-Control-Request-Method', 'GET')).status).toBe(401);
});

const foreign = [
  'https://evil.example',
  'https://partner.example', // of a client with a secret
  'null', // a page in a sandbox, or a file; what the URI of an app's own scheme has for an origin
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
  'http://localhost:3000', // only 127.0.0.1 is registered here
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

test.each(foreign)('%s is told nothing', async (from) => {
  const preflight = await ask(from).expect(204);
  const answer = await app.admin.get(path).set('Origin', from).expect(200);
  const refusal = await app.anon.get(path).set('Origin', from).expect(401);
  for (const { headers } of [preflight, answer, refusal]) expect(shared(headers)).toEqual([]);
  const varies = [preflight, answer, refusal].map(({ headers }) => headers.vary);
  expect(varies).toEqual(['Origin', 'Origin', 'Origin, Accept-Language']);
});

test('two origins, an empty one, and bytes that are no text are no origin either', async () => {
  for (const lines of [
    `Origin: ${origin}\r\nOrigin: ${origin}`,
    'Origin: ',
    `Origin: ${origin}\xff\t`,
    'Origin: \xe2\x80\xae',
  ]) {
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\nConnection: close\r\n\r\n`;
    const { status, headers } = await raw(app.base_url, (socket) => socket.write(head, 'latin1'));
    expect([status, shared(headers)]).toEqual([401, []]);
  }
});

test('a client that is added may call within a second, and one that ended may not', async () => {
  const { db } = app.database;
  const page = 'https://new.example';
  const allowed = async () => (await ask(page)).headers['access-control-allow-origin'];
  expect(await allowed()).toBeUndefined();
  const { id } = await createClient(db, { name: 'New', redirect_uris: [`${page}/callback`], public: true });
  await eventually(async () => expect(await allowed()).toBe(page));
  await revokeClient(db, id);
  await eventually(async () => expect(await allowed()).toBeUndefined());
});

test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/oauth/jwks'])(
  'what everybody may read is for every page, and names none: %s',
  async (at) => {
    const { headers } = await app.anon.get(at).set('Origin', 'https://evil.example').expect(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  },
);
