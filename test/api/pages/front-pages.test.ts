/** The root page, the logo, and unknown paths: HTML for browsers, the contract's error format for programs. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

const asBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open = (path: string, language = 'en') =>
  app.anon.get(path).set('Accept', asBrowser).set('Accept-Language', language);

describe('the root', () => {
  test('is a page with working links for a browser', async () => {
    const { text, headers } = await open('/').expect(200);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers.vary).toMatch(/Accept\b/);
    expect(text).toContain('<h1>Collaborator Management API</h1>');
    const links = [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href!);
    expect(links).toEqual(['/console', '/docs/guides', '/openapi.json', '/readyz']);
    for (const link of links.slice(1)) await open(link).expect(200);
  });

  test('is the only page of this kind indexed by search engines', async () => {
    const { text } = await open('/').expect(200);
    expect(text).toMatch(/<meta name="description" content="People, [^"]+">/);
    expect(text).not.toContain('noindex');
    expect((await open('/nothing').expect(404)).text).toContain('<meta name="robots" content="noindex">');
  });

  test.each(['/#/collaborators', '/favicon.svg#x'])('isn’t at %s, which no browser sends', async (path) => {
    const sent = request(app.base_url, { path }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(404);
  });

  test('uses the reader’s language', async () => {
    expect((await open('/', 'pt-BR')).text).toContain('Pessoas, seus papéis');
    expect((await open('/?lang=es', 'pt-BR')).text).toContain('Personas, sus roles');
  });

  test.each([undefined, '*/*', 'application/json'])('is JSON for a program that accepts %s', async (accept) => {
    const request = app.anon.get('/');
    if (accept) request.set('Accept', accept);
    const { body, headers } = await request.expect(200);
    expect(body).toEqual({
      name: 'Collaborator Management API',
      version: '1.0.0',
      api_url: `${app.base_url}/v1`,
      contract_url: `${app.base_url}/openapi.json`,
      documentation_url: `${app.base_url}/docs`,
      console_url: `${app.base_url}/console`,
      authorization_server_url: `${app.base_url}/.well-known/oauth-authorization-server`,
      status_url: `${app.base_url}/readyz`,
    });
    await app.anon.get('/').set('If-None-Match', headers.etag!).expect(304);
  });

  test('rejects other methods', async () => {
    const { body, headers } = await app.anon.post('/').expect(405);
    expect(body.error).toBe('method_not_allowed');
    expect(headers.allow).toBe('GET, HEAD');
  });
});

describe('an unknown path', () => {
  test.each(['/nothing', '/docs/nothing', '/docs/errors/nothing', '/console-of-others'])(
    '%s shows a page in a browser',
    async (path) => {
      const { text } = await open(path).expect(404);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('href="/docs/guides"');
    },
  );

  test.each(['/nothing', '/docs/nothing'])('%s returns the contract’s error to a program', async (path) => {
    expect((await app.anon.get(path).expect(404)).body).toMatchObject({ error: 'not_found' });
    expect((await app.anon.post(path).set('Accept', asBrowser).expect(404)).body).toMatchObject({
      error: 'not_found',
    });
  });

  test('below the API returns the contract’s error to everyone', async () => {
    expect((await open('/v1/nothing').expect(401)).body.error).toBe('unauthorized');
  });
});

test('serves the logo in both formats that browsers request', async () => {
  const svg = await app.anon.get('/favicon.svg').expect(200).expect('Content-Type', 'image/svg+xml');
  expect(svg.body.toString()).toContain('<svg');
  const ico = await app.anon.get('/favicon.ico').expect(200).expect('Content-Type', 'image/x-icon');
  expect([...(ico.body as Buffer).subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
});
