import type { RequestListener } from 'node:http';
import { storeTokens } from '../src/account/credentials.ts';
import { openApi } from '../src/service/api.ts';
import type { CliContext } from '../src/terminal/context.ts';
import { startServer, temporaryFolder, testContext } from './helpers.ts';

/** Responses of a failing service, in order; the last one repeats. */
let responses: [status: number, headers: Record<string, string>, body: string][];
let requests: string[];
let server: Awaited<ReturnType<typeof startServer>>;
let baseUrl: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let context: CliContext;

const respond: RequestListener = (req, res) => {
  requests.push(`${req.method} ${req.url} ${req.headers.authorization} ${req.headers['x-company-id']}`);
  const [status, headers, body] = responses.length > 1 ? responses.shift()! : responses[0]!;
  res.writeHead(status, headers).end(body);
};

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer(respond);
  ({ base_url: baseUrl } = server);
  context = testContext(folder.path);
  const tokens = { access_token: 'abc', token_type: 'bearer', expires_in: 3_600 } as const;
  await storeTokens(context.environment, baseUrl, 'client', tokens);
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});
beforeEach(() => {
  requests = [];
});

const company = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const open = () => openApi(context, { baseUrl, company });
const later = { 'Retry-After': '1' };

test('waits as long as Retry-After says, and retries', async () => {
  responses = [
    [429, later, '{}'],
    [503, later, '{}'],
    [200, {}, '{"fine":true}'],
  ];
  const { body } = await (await open()).request('GET', '/v1/imports');
  expect(body).toEqual({ fine: true });
  expect(requests).toEqual(Array(3).fill(`GET /v1/imports Bearer abc ${company}`));
});

test('does not retry a write that may have been executed', async () => {
  responses = [[503, later, '{"error":"service_unavailable","message":"Not now."}']];
  const sent = (await open()).request('POST', '/v1/imports/1/commit');
  await expect(sent).rejects.toThrow('Not now. (service_unavailable)');
  expect(requests).toHaveLength(1);
});

test('a wait ends with the signal', async () => {
  responses = [[429, { 'Retry-After': '50' }, '{}']];
  const stop = new AbortController();
  const sent = (await open()).request('GET', '/v1/imports', { signal: stop.signal });
  const refused = expect(sent).rejects.toThrow('enough');
  while (requests.length === 0) await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await refused;
});

test.each([
  ['a page of a proxy', [502, {}, '<h1>Bad gateway</h1>'], /returned 502: check the URL of the service$/],
  ['a redirect', [302, { Location: 'https://evil.example/' }, ''], /returned an invalid response \(.*redirect/],
  [
    'fields',
    [400, {}, '{"error":"x","message":"No.","details":{"a":[{"message":"One."},{"message":"Two."}]}}'],
    /^No\. \(x; a: One\. Two\.\)$/,
  ],
] as const)('%s as the response becomes a one-line error', async (_name, response, message) => {
  responses = [response as never];
  await expect((await open()).request('GET', '/v1/imports')).rejects.toThrow(message);
});

test('several companies require a choice, by id or name', async () => {
  responses = [[200, {}, '{"companies":[{"id":"c1","name":"One"},{"id":"c2","name":"Two"}]}']];
  const requestWith = async (options: object) =>
    (await openApi(context, { baseUrl, ...options })).request('GET', '/v1/imports');
  await expect(requestWith({})).rejects.toThrow('which company? Pass --company with one of c1 (One), c2 (Two)');
  await expect(requestWith({ company: 'Three' })).rejects.toThrow(
    'Three matches none of your companies: c1 (One), c2 (Two)',
  );
  await requestWith({ company: 'two' });
  expect(requests.at(-1)).toBe('GET /v1/imports Bearer abc c2');
});

test('requests outside a company carry none', async () => {
  responses = [[200, {}, '{}']];
  await (await openApi(context, { baseUrl })).send({ method: 'GET', path: '/healthz' });
  expect(requests).toEqual(['GET /healthz Bearer abc undefined']);
});

test('a token of the environment is for the service of the environment only', async () => {
  responses = [[200, {}, '{}']];
  const environment = { ...context.environment, API_TOKEN: 'given', COMPANY_ID: company };
  const requestFrom = async (API_URL: string, baseUrl?: string) =>
    (await openApi({ ...context, environment: { ...environment, API_URL } }, baseUrl ? { baseUrl } : {})).request(
      'GET',
      '/v1/imports',
    );
  await requestFrom(`${baseUrl}/`);
  await requestFrom('https://other.example', baseUrl);
  expect(requests).toEqual([`GET /v1/imports Bearer given ${company}`, `GET /v1/imports Bearer abc ${company}`]);
});
