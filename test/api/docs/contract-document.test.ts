/** The published contract, as generators, browsers, and caches need it. */
import { compareContracts, jsonReport } from '@collaborator-api/openapi-contract-diff';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { contract } from '../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

afterAll(() => app?.close());

const { version } = contract.info;
const names = ['/openapi.json', '/openapi.yaml', `/openapi-${version}.json`, `/openapi-${version}.yaml`];
const plain = { 'Accept-Encoding': 'identity' };

test('/openapi-3.0.json describes the same API for older tools', async () => {
  const { status, body, headers } = await app.anon.get('/openapi-3.0.json');
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(body.openapi).toMatch(/^3\.0\./);
  expect(body.info.version).toBe(version);
  expect(body.servers).toEqual([{ url: app.base_url, description: expect.any(String) }]);
  expect(Object.keys(body.paths)).toEqual(Object.keys(contract.paths));
});

test("the schema of the contract differ's reports is served at its `$id`, and validates a report", async () => {
  const path = '/schemas/contract-diff-report-1.json';
  const { status, headers, text } = await app.anon.get(path).buffer(true);
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(headers['content-type']).toBe('application/schema+json; charset=utf-8');
  const schema = JSON.parse(text) as { $id: string };
  expect(schema.$id).toBe(app.base_url + path);
  const validate = addFormats.default(new Ajv2020({ strict: false }) as never).compile(schema);
  const document = { openapi: '3.1.0', info: { title: 'Names', version: '1.0.0' }, paths: {} };
  const report = JSON.parse(jsonReport(await compareContracts(document, { ...document, tags: [{ name: 'new' }] })));
  expect(validate(report)).toBe(true);
  expect(validate({ ...report, form: 2 })).toBe(false);
});

// The versioned ones have the same text, as “the latest and the versioned document are identical” checks.
test.each(['/openapi.json', '/openapi.yaml'])('%s is the contract with absolute URLs', async (path) => {
  const json = path.endsWith('.json');
  const { status, text, headers } = await app.anon.get(path).buffer(true);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe(`application/${json ? 'json' : 'yaml'}; charset=utf-8`);
  expect(headers['x-api-version']).toBe(version);
  const document = (json ? JSON.parse(text) : load(text)) as typeof contract;
  const { servers, externalDocs, components, ...rest } = document as typeof contract & Record<string, unknown>;
  expect(servers).toEqual([{ url: app.base_url, description: expect.any(String) }]);
  expect(externalDocs).toEqual({ url: `${app.base_url}/docs/guides`, description: expect.any(String) });
  const { securitySchemes, ...others } = components;
  expect(securitySchemes).toMatchObject({
    oauth2: {
      flows: {
        authorizationCode: {
          authorizationUrl: `${app.base_url}/oauth/authorize`,
          tokenUrl: `${app.base_url}/oauth/token`,
          refreshUrl: `${app.base_url}/oauth/token`,
        },
      },
    },
  });
  const { servers: _, components: expected, ...untouched } = contract as typeof contract & Record<string, unknown>;
  const { securitySchemes: __, ...untouchedComponents } = expected;
  expect(rest).toEqual(untouched);
  expect(others).toEqual(untouchedComponents);
});

describe.each(names)('%s', (path) => {
  test('returns 304 until it changes, compressed or not', async () => {
    const [identity, gzip] = await Promise.all([
      app.anon.get(path).set(plain),
      app.anon.get(path).set('Accept-Encoding', 'gzip'),
    ]);
    expect(identity.headers.etag).toMatch(/^"[\w-]+"$/); // a strong ETag, without W/
    expect(gzip.headers.etag).toMatch(/^"[\w-]+"$/);
    expect(gzip.headers.etag).not.toBe(identity.headers.etag);
    expect(identity.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(Number(gzip.headers['content-length'])).toBeLessThan(Number(identity.headers['content-length']) / 4);
    for (const { headers } of [identity, gzip]) {
      expect(headers.vary).toContain('Accept-Encoding');
      const caching = path.includes(version) ? 'public, max-age=86400' : 'public, no-cache';
      expect(headers['cache-control']).toBe(`${caching}, no-transform`);
      const revalidated = await app.anon.get(path).set('If-None-Match', `"other", ${headers.etag}`);
      expect(revalidated.status).toBe(304);
      expect(revalidated.text).toBe('');
      expect(revalidated.headers.etag).toBeDefined();
    }
    const changed = await app.anon.get(path).set(plain).set('If-None-Match', '"other"');
    expect(changed.status).toBe(200);
  });

  test('is readable from any origin, and read-only', async () => {
    const response = await app.anon.get(path).set('Origin', 'https://editor.example');
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-expose-headers']).toContain('ETag');
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    expect(response.headers['cross-origin-resource-policy']).toBe('cross-origin');
    const preflight = await app.anon
      .options(path)
      .set('Origin', 'https://editor.example')
      .set('Access-Control-Request-Method', 'GET')
      .set('Access-Control-Request-Headers', 'if-none-match');
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD');
    expect(preflight.headers['access-control-allow-headers']).toBe('If-None-Match');
    const head = await app.anon.head(path).set(plain);
    expect(head.status).toBe(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100_000);
    const post = await app.anon.post(path).send({});
    expect(post.status).toBe(405);
    expect(post.body.error).toBe('method_not_allowed');
    expect(post.headers.allow).toBe('GET, HEAD, OPTIONS');
  });
});

test('the latest and the versioned document are identical', async () => {
  for (const format of ['json', 'yaml']) {
    const [newest, versioned] = await Promise.all([
      app.anon.get(`/openapi.${format}`).set(plain).buffer(true),
      app.anon.get(`/openapi-${version}.${format}`).set(plain).buffer(true),
    ]);
    expect(newest.headers.etag).toBe(versioned.headers.etag);
    expect(newest.text).toBe(versioned.text);
  }
});

test.each(['/openapi-0.0.1.json', '/openapi.xml', '/openapi', '/OPENAPI.json'])('%s returns 404', async (path) => {
  const response = await app.anon.get(path);
  expect(response.status).toBe(404);
  expect(response.body.error).toBe('not_found');
});
