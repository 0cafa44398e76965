/** Messages to `/mcp` that no client library sends. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.base_url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.admin.token}`,
      'x-company-id': app.company_id,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  return { status: response.status, body: await response.json() };
}

test.each([
  ['JSON that ends early', '{"jsonrpc":', 400, 'malformed_json'],
  ['no UTF-8', Buffer.from('{"jsonrpc":"2.0","id":"\xe9"}', 'latin1'), 400, 'malformed_json'],
  ['several messages', `[${list}]`, 400, 'malformed_json'],
  ['a message over 64 KB', list.replace('1', `"${'x'.repeat(65_536)}"`), 413, 'payload_too_large'],
] as const)('refuses %s', async (_name, body, status, error) => {
  expect(await post(body)).toMatchObject({ status, body: { error } });
});

test.each([
  ['charset=utf-16', { 'content-type': 'application/json; charset=utf-16' }],
  ['an unknown encoding', { 'content-encoding': 'unknown' }],
])('refuses %s', async (_name, headers: Record<string, string>) => {
  expect(await post(list, headers)).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
});

test.each(['null', '"text"', '{}'])('answers %s with an error of JSON-RPC', async (body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { code: -32_700 } } });
});

test.each(['https://evil.example', 'null', 'http://127.0.0.1'])('refuses the page of %s', async (origin) => {
  expect(await post(list, { origin })).toMatchObject({ status: 403, body: { error: 'forbidden' } });
});

test('refuses an unknown caller before it reads the message', async () => {
  const response = await post('{"jsonrpc":', { authorization: '' });
  expect(response).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
});
