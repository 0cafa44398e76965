/** Responses sent before operation or caller are known must match the contract, which declares them for every operation. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractViolations, responseViolations } from '../../../scripts/proof/fuzz/check.ts';
import { contractOperations } from '../../../src/contract/contract.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { startService } from '../../../src/service.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { type RawResponse, raw } from '../../helpers/network/raw.ts';
import { testSettings } from '../../helpers/settings.ts';

const maxUrlBytes = 1_000;
const maxHeaderBytes = 4_096;
const maxHeaders = 20;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({
    MAX_URL_BYTES: String(maxUrlBytes),
    MAX_HEADER_BYTES: String(maxHeaderBytes),
    MAX_HEADERS: String(maxHeaders),
    HEADERS_TIMEOUT_MS: '400',
    REQUEST_TIMEOUT_MS: '800',
  });
});
afterAll(() => app.close());

/** Where a response to `method path` deviates from the contract. */
function breaches(method: string, path: string, { status, headers, body }: RawResponse): string[] {
  const response = { status, headers, text: JSON.stringify(body), duration_ms: 0 };
  const everywhere = [...responseViolations(response)].filter((sentence) => !sentence.startsWith('returned 503'));
  return [...everywhere, ...contractViolations(method, path, response)];
}

const operations = contractOperations.map(({ path, method, operation }) => {
  const concrete = path.replaceAll(/\{\w+\}/g, '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30');
  return [operation.operationId, method.toUpperCase(), concrete] as const;
});

describe('every operation declares', () => {
  const path = '/v1/collaborators';
  const sendRaw = (target: string, headers = '') =>
    raw(app.base_url, `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

  test.each([
    ['an address that is too long', 414, () => sendRaw(`${path}?search=${'x'.repeat(maxUrlBytes)}`)],
    ['too many headers', 431, () => sendRaw(path, 'X-Some: 1\r\n'.repeat(maxHeaders))],
    ['headers that are too large', 431, () => sendRaw(path, `X-Filler: ${'x'.repeat(maxHeaderBytes)}\r\n`)],
    ['broken HTTP', 400, () => sendRaw(path, ': 1\r\n')],
    [
      'a body whose chunks say too much',
      400,
      () => raw(app.base_url, `POST ${path} HTTP/1.1\r\nHost: x\r\n${chunked}1;${'x'.repeat(20_000)}\r\na\r\n`),
    ],
  ] as const)('%s: %i', async (_, status, request) => {
    const response = await request();
    expect(response.status).toBe(status);
    // It is sent before the operation is known, so it is the same for all.
    const wrong = operations.map(([id, method, target]) => [id, breaches(method, target, response)]);
    expect(wrong.filter(([, found]) => found!.length > 0)).toEqual([]);
  });
});

describe('a request that doesn’t arrive in time', () => {
  const path = '/v1/collaborators';
  /** Sends a piece at intervals until the server closes the connection. */
  const slowly = (first: string, piece: string) => async (socket: Socket) => {
    socket.write(first);
    while (!socket.destroyed && socket.writable) {
      await sleep(50);
      if (socket.writable) socket.write(piece);
    }
  };

  test('returns the declared 408 for its head', async () => {
    const response = await raw(app.base_url, slowly(`GET ${path} HTTP/1.1\r\nHost: x\r\n`, 'X-A: b\r\n'));
    expect(response.status).toBe(408);
    expect(breaches('GET', path, response)).toEqual([]);
  });

  test('returns the declared 408 for its body, with the incoming request id', async () => {
    const { token, company_id: companyId } = app.admin;
    const own = `Authorization: Bearer ${token}\r\nX-Company-Id: ${companyId}\r\nX-Request-Id: trace-42\r\n`;
    const body = 'Content-Type: application/json\r\nContent-Length: 1000\r\n';
    const response = await raw(app.base_url, slowly(`POST ${path} HTTP/1.1\r\nHost: x\r\n${own}${body}\r\n`, ' '));
    expect(response.status).toBe(408);
    expect(response.headers['x-request-id']).toBe('trace-42');
    expect(breaches('POST', path, response)).toEqual([]);
  });
});

// A client would take a second response for that of its next request.
test.each([
  ['late', 'Content-Length: 10\r\n\r\n', ''],
  ['broken', chunked, 'no chunk'],
])('after the response, the rest of a body that is %s only closes the connection', async (_, head, rest) => {
  const { hostname, port } = new URL(app.base_url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (bytes) => {
    if (received === '') socket.write(rest);
    received += bytes;
  });
  socket.write(`POST /v1/collaborators HTTP/1.1\r\nHost: x\r\n${head}`);
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

test('a starting service returns the declared 503 with the incoming request id', async () => {
  const connections: Socket[] = [];
  const silentDatabase = createServer((socket) => connections.push(socket.on('error', () => {})));
  await new Promise<void>((listening) => silentDatabase.listen(0, '127.0.0.1', listening));
  const { port } = silentDatabase.address() as AddressInfo;
  const ownPort = await freePort();
  const settings = { DATABASE_URL: `postgres://x:y@127.0.0.1:${port}/z`, PORT: String(ownPort) };
  const starting = startService(readConfig({ ...testSettings, ...settings }), { roles: ['api'] });
  const failed = expect(starting).rejects.toThrow();
  try {
    await eventually(() => expect(connections).not.toEqual([]));
    const sendRaw = 'GET /v1/permissions HTTP/1.1\r\nHost: x\r\nX-Request-Id: trace-42\r\nConnection: close\r\n\r\n';
    const response = await raw(`http://127.0.0.1:${ownPort}`, sendRaw);
    expect(response).toMatchObject({ status: 503, headers: { 'x-request-id': 'trace-42', 'retry-after': '1' } });
    expect(breaches('GET', '/v1/permissions', response)).toEqual([]);
  } finally {
    silentDatabase.close();
    for (const socket of connections) socket.destroy();
    await failed;
  }
});
