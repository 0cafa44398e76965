/** Security headers of every response: API, pages, files, documentation, and malformed HTTP. */
import { readFile } from 'node:fs/promises';
import { contract } from '../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { raw } from '../../helpers/network/raw.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ REQUIRE_HTTPS: 'true', TRUST_PROXY: 'loopback' });
});
afterAll(() => app.close());

const cases = [
  ['an operation', '/v1/collaborators', 401],
  ['an unknown path', '/nowhere', 404],
  ['a file', '/files/made-up', 404],
  ['health', '/healthz', 200],
  ['a page', '/oauth/sign-out', 200],
  ['an error of the authorization server', '/oauth/authorize', 400],
  ['a style sheet', '/oauth/style.css', 200],
  ['metadata', '/.well-known/oauth-authorization-server', 200],
  ['documentation', '/docs', 200],
  ['the contract', '/openapi.json', 200],
] as const;

describe.each(cases)('%s', (_name, path, status) => {
  test('sets HSTS for a year, a strict Content-Security-Policy, and forbids framing', async () => {
    const { headers } = await app.anon.get(path).set('X-Forwarded-Proto', 'https').redirects(1).expect(status);
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = headers['content-security-policy']!.split('; ');
    // `object-src` falls back to `default-src`.
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]));
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
  });

  test('includes API version and request id', async () => {
    const { headers } = await app.anon.get(path).set('X-Forwarded-Proto', 'https').redirects(1).expect(status);
    expect(headers['x-api-version']).toBe(contract.info.version);
    expect(headers['x-request-id']).toMatch(/./);
  });
});

test('malformed HTTP gets the same headers', async () => {
  const { text } = await raw(app.base_url, 'GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  expect(text.toLowerCase()).toContain('strict-transport-security: max-age=31536000; includesubdomains');
  expect(text).toContain(`X-Api-Version: ${contract.info.version}\r\n`);
});

test.each([
  ['post', '/oauth/token'],
  ['put', '/oauth/token'],
  ['post', '/oauth/revoke'],
  ['options', '/oauth/token'],
  ['get', '/oauth/jwks'],
  ['get', '/oauth/invitation/made-up'],
  ['get', '/auth/user'],
  ['post', '/docs'],
] as const)('%s %s includes the API version', async (method, path) => {
  const { headers } = await app.anon[method](path).set('X-Forwarded-Proto', 'https');
  expect(headers['x-api-version']).toBe(contract.info.version);
});

test('package and contract have the same version', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(version).toBe(contract.info.version);
});

test('responses with personal data aren’t cached', async () => {
  for (const path of ['/v1/collaborators', '/auth/user']) {
    const { headers } = await app.admin.get(path).set('X-Forwarded-Proto', 'https').expect(200);
    expect(headers['cache-control']).toBe('no-store');
  }
});

test.each(cases.map(([, path]) => path))('TRACE %s echoes nothing of the request', async (path) => {
  const { text } = await raw(
    app.base_url,
    `TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Mine: mirrored\r\nConnection: close\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 (401|404|405) /);
  expect(text).not.toContain('mirrored');
});
