/** Each request limit at its boundary: the last accepted and the first rejected value, with the standard error format. */
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonLimits } from '../../../src/api/http/body/json-structure.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { createFileLinks } from '../../../src/platform/files/links.ts';
import { newKey } from '../../../src/platform/files/store/storage.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type RawResponse, raw } from '../../helpers/network/raw.ts';
import { withTimeout } from '../../helpers/timing.ts';

const maxUrlBytes = 1_000;
const maxHeaderBytes = 4_096;
const maxHeaders = 20;
const maxConnections = 60;
const headersTimeoutMs = 400;
const requestTimeoutMs = 800;
const keepAliveTimeoutMs = 1_000;
const stallTimeoutMs = 1_500;

let app: TestApp;
beforeAll(async () => {
  app = await testApp({
    MAX_URL_BYTES: String(maxUrlBytes),
    MAX_HEADER_BYTES: String(maxHeaderBytes),
    MAX_HEADERS: String(maxHeaders),
    MAX_CONNECTIONS: String(maxConnections),
    MAX_BODY_BYTES: '2000',
    HEADERS_TIMEOUT_MS: String(headersTimeoutMs),
    REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
    KEEP_ALIVE_TIMEOUT_MS: String(keepAliveTimeoutMs),
    DOWNLOAD_STALL_TIMEOUT_MS: String(stallTimeoutMs),
  });
});
afterAll(() => app.close());

const refusal = (error: string) => ({ error, message: expect.any(String) });
const ownHeaders = { 'x-request-id': expect.stringMatching(/^[\w-]{36}$/), 'x-api-version': expect.any(String) };

/** Expects the contract’s error format, a request id, and a closed connection. */
function expectRefusal(response: RawResponse, status: number, code: string): void {
  expect(response).toMatchObject({ status, body: refusal(code), headers: ownHeaders });
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
}

describe('the request head', () => {
  const sendHead = (head: string) => raw(app.base_url, `${head}\r\nConnection: close\r\n\r\n`);

  test('a URL one byte too long returns 414', async () => {
    const path = (bytes: number) =>
      `/v1/collaborators?search=${'x'.repeat(bytes - '/v1/collaborators?search='.length)}`;
    expect((await sendHead(`GET ${path(maxUrlBytes)} HTTP/1.1\r\nHost: x`)).status).toBe(401);
    const refused = await sendHead(`GET ${path(maxUrlBytes + 1)} HTTP/1.1\r\nHost: x`);
    expectRefusal(refused, 414, 'invalid_parameter');
    expect(refused.headers['ratelimit-policy']).toMatch(/^"default";q=/);
  });

  test('one header too many returns 431', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-Some-${i}: 1`).join('\r\n');
    // Host and Connection count too.
    expect((await sendHead(`GET /healthz HTTP/1.1\r\nHost: x\r\n${lines(maxHeaders - 2)}`)).status).toBe(200);
    const refused = await sendHead(`GET /healthz HTTP/1.1\r\nHost: x\r\n${lines(maxHeaders - 1)}`);
    expectRefusal(refused, 431, 'invalid_parameter');
  });

  test('a head that is too large returns 431 for any request', async () => {
    const head = (bytes: number) => `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Filler: ${'x'.repeat(bytes)}`;
    expect((await sendHead(head(maxHeaderBytes - 100))).status).toBe(200);
    expectRefusal(await sendHead(head(maxHeaderBytes)), 431, 'invalid_parameter');
    const endless = await raw(app.base_url, `GET /${'x'.repeat(maxHeaderBytes)}`);
    expectRefusal(endless, 431, 'invalid_parameter');
  });

  test.each([
    ['no HTTP at all', 'HELLO\r\n\r\n'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: x\r\n: 1\r\n\r\n'],
    ['two lengths', 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['an unknown transfer encoding', 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13\r\n\r\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: b\r\nhOST: b\r\nConnection: close\r\n\r\n'],
    ['the same host twice', 'GET /v1/collaborators HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['two hosts in the old version', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a host that is none', 'GET /healthz HTTP/1.1\r\nHost: a/b@c\r\nConnection: close\r\n\r\n'],
  ])('%s returns 400', async (_, request) => {
    expectRefusal(await raw(app.base_url, request), 400, 'invalid_parameter');
  });

  test('an unknown Expect header is ignored', async () => {
    expect((await sendHead('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected')).status).toBe(200);
  });

  test('rejects CONNECT, because it isn’t a proxy', async () => {
    const response = await raw(app.base_url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    expectRefusal(response, 405, 'method_not_allowed');
  });
});

describe('parameters and bodies', () => {
  test('rejects more than a hundred parameters as a whole', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=1`).join('&');
    const atEdge = await app.admin.get(`/v1/collaborators?${query(100)}`).expect(400);
    expect(Object.keys(atEdge.body.details)).toHaveLength(100);
    const beyond = await app.admin.get(`/v1/collaborators?${query(101)}`).expect(400);
    expect(beyond.body).toEqual(refusal('invalid_parameter'));
  });

  test('parameters can have any name without side effects', async () => {
    const { body } = await app.admin.get('/v1/collaborators?__proto__=1&constructor=2').expect(400);
    expect(Object.keys(body.details)).toEqual(['__proto__', 'constructor']);
  });

  const send = (text: string) =>
    app.admin
      .post('/v1/collaborators')
      .set('Content-Type', 'application/json')
      .set('Idempotency-Key', 'deep')
      .send(text);
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('JSON nested one level too deep returns 400', async () => {
    expect((await send(nested(jsonLimits.depth)).expect(400)).body.error).toBe('validation_error');
    expect((await send(nested(jsonLimits.depth + 1)).expect(400)).body).toEqual(refusal('malformed_json'));
    expect((await send(`{"name":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`).expect(400)).body.error).toBe(
      'malformed_json',
    );
  });

  test('a body one byte too long returns 413', async () => {
    const body = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    await send(body(2_000)).expect(400);
    expect((await send(body(2_001)).expect(413)).body).toEqual(refusal('payload_too_large'));
  });
});

describe('slow clients', () => {
  /** Sends a piece at intervals until the server closes the connection. */
  const slowly = (first: string, piece: string) => async (socket: import('node:net').Socket) => {
    socket.write(first);
    while (!socket.destroyed && socket.writable) {
      await sleep(50);
      if (socket.writable) socket.write(piece);
    }
  };

  test('many slow heads (slowloris) return 408 at the timeout, while others are served', async () => {
    const attack = Array.from({ length: 10 }, () =>
      raw(app.base_url, slowly('GET /healthz HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n')),
    );
    expect((await fetch(`${app.base_url}/healthz`)).status).toBe(200);
    for (const response of await withTimeout(headersTimeoutMs * 5, Promise.all(attack))) {
      expectRefusal(response, 408, 'service_unavailable');
      expect(response.duration_ms).toBeGreaterThan(headersTimeoutMs * 0.9);
    }
  });

  test('a connection that never sends anything is closed', async () => {
    const { text } = await withTimeout(
      headersTimeoutMs * 5,
      raw(app.base_url, () => {}),
    );
    expect(text).not.toContain(' 200 ');
  });

  test('a slow body returns 408', async () => {
    const head =
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
    const response = await withTimeout(requestTimeoutMs * 4, raw(app.base_url, slowly(head, ' ')));
    expectRefusal(response, 408, 'service_unavailable');
    expect(response.duration_ms).toBeGreaterThan(requestTimeoutMs * 0.9);
  });

  test('an idle keep-alive connection is closed', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const response = await withTimeout(keepAliveTimeoutMs * 4, raw(app.base_url, request));
    expect(response.status).toBe(200);
    expect(response.duration_ms).toBeGreaterThan(keepAliveTimeoutMs * 0.9);
  });

  test('a client that stops reading a large file is disconnected, a slow one isn’t', async () => {
    const { company_id: companyId, config, base_url: baseUrl } = app;
    const key = newKey(companyId, 'documents');
    const size = 24 * 1024 * 1024; // more than the buffers of both ends
    await createStorage(config).put(key, Readable.from(chunks(size)));
    const file = {
      company_id: companyId,
      key,
      filename: 'a.txt',
      media_type: 'text/plain',
      disposition: 'inline',
    } as const;
    const { pathname } = new URL(createFileLinks(config, baseUrl).link({ ...file, expiresInS: 900 }));
    const download = async (pauses: number, pauseMs: number) => {
      const socket = connect({ port: Number(new URL(baseUrl).port), host: '127.0.0.1' });
      socket.on('error', () => {});
      const ended = new Promise((resolve) => socket.once('close', resolve));
      let bytes = 0;
      let paused = 0;
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (paused++ >= pauses) return;
        socket.pause();
        setTimeout(() => socket.resume(), pauseMs);
      });
      await ended;
      return bytes;
    };
    const [patient, stalled] = await Promise.all([download(100, 10), download(1, 2.5 * stallTimeoutMs)]);
    expect(patient).toBeGreaterThan(size);
    expect(stalled).toBeLessThan(size);
  });
});

function* chunks(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}

test('closes connections beyond the limit, keeps open ones, and accepts new ones when some close', async () => {
  const { port } = new URL(app.base_url);
  const open = Array.from({ length: maxConnections + 20 }, () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    const state = { socket, answered: false, closed: false };
    socket.on('error', () => {});
    socket.on('data', () => (state.answered = true));
    socket.on('close', () => (state.closed = true));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    return state;
  });
  const count = (outcome: 'answered' | 'closed') => open.filter((each) => each[outcome]).length;
  await eventually(() =>
    expect(count('answered') + open.filter((s) => s.closed && !s.answered).length).toBe(open.length),
  );
  expect(count('answered')).toBeLessThanOrEqual(maxConnections);
  expect(count('answered')).toBeGreaterThan(maxConnections - 20); // other connections of this file may still be open
  for (const { socket } of open) socket.destroy();
  await eventually(async () => expect((await fetch(`${app.base_url}/healthz`)).status).toBe(200));
});
