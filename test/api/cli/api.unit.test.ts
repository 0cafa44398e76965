import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openApi } from '../../../src/api/cli/api.ts';
import { storeTokens } from '../../../src/api/cli/credentials.ts';
import { temporaryFolder } from '../../helpers/command.ts';

/** What a service in trouble answers, one after the other; the last for good. */
let answers: [status: number, headers: Record<string, string>, body: string][];
let seen: string[];
let server: Server;
let base_url: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

const answer: RequestListener = (req, res) => {
  seen.push(`${req.method} ${req.url} ${req.headers.authorization} ${req.headers['x-company-id']}`);
  const [status, headers, body] = answers.length > 1 ? answers.shift()! : answers[0]!;
  res.writeHead(status, headers).end(body);
};

beforeAll(async () => {
  folder = await temporaryFolder();
  server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  await storeTokens(env, base_url, 'client', { access_token: 'abc', token_type: 'bearer', expires_in: 3_600 });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await folder.remove();
});
beforeEach(() => {
  seen = [];
});

const open = () => openApi(env, { baseUrl: base_url, company: 'c1' });
const later = { 'Retry-After': '1' };

test('waits as long as the service says, and asks again', async () => {
  answers = [
    [429, later, '{}'],
    [503, later, '{}'],
    [200, {}, '{"fine":true}'],
  ];
  const { body } = await (await open()).request('GET', '/v1/imports');
  expect(body).toEqual({ fine: true });
  expect(seen).toEqual(Array(3).fill('GET /v1/imports Bearer abc c1'));
});

test('does not send again what may have been carried out', async () => {
  answers = [[503, later, '{"error":"service_unavailable","message":"Not now."}']];
  const sent = (await open()).request('POST', '/v1/imports/1/commit');
  await expect(sent).rejects.toThrow('Not now. (service_unavailable)');
  expect(seen).toHaveLength(1);
});

test('a wait ends with the signal', async () => {
  answers = [[429, { 'Retry-After': '50' }, '{}']];
  const stop = new AbortController();
  const sent = (await open()).request('GET', '/v1/imports', { signal: stop.signal });
  const refused = expect(sent).rejects.toThrow('enough');
  while (seen.length === 0) await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await refused;
});

test.each([
  ['a page of a proxy', [502, {}, '<h1>Bad gateway</h1>'], /answered 502: is this the address of the service\?$/],
  ['another place', [302, { Location: 'https://evil.example/' }, ''], /gave no answer \(.*redirect/],
  [
    'fields',
    [400, {}, '{"error":"x","message":"No.","details":{"a":[{"message":"One."},{"message":"Two."}]}}'],
    /^No\. \(x; a: One\. Two\.\)$/,
  ],
] as const)('%s as an answer is told in one line', async (_what, given, message) => {
  answers = [given as never];
  await expect((await open()).request('GET', '/v1/imports')).rejects.toThrow(message);
});

test('a company is asked for where there are several', async () => {
  answers = [[200, {}, '{"companies":[{"id":"c1","name":"One"},{"id":"c2","name":"Two"}]}']];
  const opened = openApi(env, { baseUrl: base_url });
  await expect(opened).rejects.toThrow('which company? Give --company with one of c1 (One), c2 (Two)');
});
