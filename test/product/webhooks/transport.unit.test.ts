/** Requests to receivers: what is sent, how each kind of misbehavior ends, and which addresses are never contacted. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { contract } from '../../../src/contract/contract.ts';
import { retryAfter } from '../../../src/product/delivery/receiver-response.ts';
import {
  createTransport,
  type ErrorClass,
  type RequestResult,
  type Transport,
  type TransportOptions,
} from '../../../src/product/delivery/transport.ts';
import { describeFailure } from '../../../src/product/webhooks/deliveries/failure-messages.ts';
import { resolverLookup } from '../../../src/product/webhooks/subscriptions/target.ts';
import { eventually } from '../../helpers/eventually.ts';
import { certificateAuthority } from '../../helpers/network/certificate.ts';
import { nameServer } from '../../helpers/network/dns.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import {
  faultyResponses,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  receiver,
  redirectTo,
} from '../../helpers/network/receiver.ts';
import { withTimeout } from '../../helpers/timing.ts';

const body = Buffer.from('{"event":"webhook.test","name":"Zoë"}');
const authority = certificateAuthority();

const opened: { close(): Promise<void> }[] = [];
const open = <T extends { close(): Promise<void> }>(resource: T): T => {
  opened.push(resource);
  return resource;
};
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});

const transport = (options: Partial<TransportOptions> = {}): Transport =>
  open(createTransport({ allow_private: true, timeout_ms: 30_000, ...options }));
const listen = async (options?: ReceiverOptions): Promise<Receiver> => open(await receiver(options));
const send = (through: Transport, url: string, headers: [string, string][] = []): Promise<RequestResult> =>
  through.send({ url, headers, body, hidden: [] });

async function tcpServer(serve: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open({
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  });
  return { port: (server.address() as { port: number }).port };
}

const noResponse = (errorClass: ErrorClass) => ({
  status_code: null,
  error_class: errorClass,
  response_excerpt: null,
  response_headers: null,
  retry_after_s: null,
});

describe('a request', () => {
  test('is sent as given in bytes, header names, and order, and the response is returned', async () => {
    const { url, requests } = await listen({ reply: (response) => void response.writeHead(201).end('Obrigado, Zoë') });
    const headers: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['webhook-id', '1'],
      ['X-GaTe', 'campinas'],
      ['x-twice', '"a"; b=c'],
    ];
    const sent = await send(transport(), `${url}collaborators?gate=1#part`, headers);
    expect(sent).toEqual({
      duration_ms: expect.any(Number),
      status_code: 201,
      error_class: null,
      response_excerpt: 'Obrigado, Zoë',
      response_headers: expect.arrayContaining([['Transfer-Encoding', 'chunked']]),
      retry_after_s: null,
      error_detail: null,
    });
    expect(requests).toHaveLength(1);
    const [{ method, path, headers: received, body: bytes }] = requests as [Receiver['requests'][0]];
    expect([method, path]).toEqual(['POST', '/collaborators?gate=1']);
    expect(bytes.equals(body)).toBe(true);
    expect(received).toEqual([
      ['Host', new URL(url).host],
      ...headers,
      ['Content-Length', String(body.length)],
      ['Connection', 'keep-alive'],
    ]);
  });

  test('reports its duration in whole milliseconds', async () => {
    const { url } = await listen({ reply: (response) => void setTimeout(() => response.writeHead(200).end(), 300) });
    const started = performance.now();
    const { duration_ms: durationMs } = await send(transport({ timeout_ms: 30_000 }), url);
    expect(durationMs).toBeGreaterThanOrEqual(299);
    expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - started));
    expect(Number.isInteger(durationMs)).toBe(true);
  });

  test.each([204, 299, 410, 599])('reports the status %d', async (status) => {
    const { url } = await listen({ reply: status });
    expect(await send(transport(), url)).toMatchObject({
      status_code: status,
      error_class: null,
      response_excerpt: '',
    });
  });

  test('that can’t be encoded fails as payload', async () => {
    const { url, requests } = await listen();
    const through = transport();
    expect(await send(through, url, [['X-Gate', 'a\r\nX-Other: b']])).toMatchObject(noResponse('payload'));
    expect(await send(through, url, [['X Gate', 'a']])).toMatchObject(noResponse('payload'));
    expect(await send(through, 'no url')).toMatchObject(noResponse('payload'));
    expect(requests).toEqual([]);
  });
});

describe('connections', () => {
  test('are reused', async () => {
    const target = await listen();
    const through = transport();
    for (let i = 0; i < 3; i++) expect(await send(through, target.url)).toMatchObject({ status_code: 204 });
    expect(target.requests).toHaveLength(3);
    expect(target.connections).toBe(1);
  });

  test('are reused over TLS', async () => {
    const target = await listen({ tls: authority.issue() });
    const through = transport({ ca: authority.ca });
    for (let i = 0; i < 3; i++) expect(await send(through, target.url)).toMatchObject({ status_code: 204 });
    expect(target.connections).toBe(1);
  });

  test('are as many as concurrent requests, so that none waits for another', async () => {
    const waiting: ServerResponse[] = [];
    const target = await listen({
      reply(response) {
        waiting.push(response);
        // Respond only when all have arrived; if one waited for another, this would deadlock.
        if (waiting.length === 20) for (const each of waiting) each.writeHead(204).end();
      },
    });
    const through = transport({ timeout_ms: 30_000 });
    const all = await Promise.all(Array.from({ length: 20 }, () => send(through, target.url)));
    expect(all.map(({ status_code: statusCode }) => statusCode)).toEqual(Array(20).fill(204));
    expect(target.connections).toBe(20);
  });

  test('closed by the receiver are replaced', async () => {
    const target = await listen({ reply: (response) => void response.writeHead(204, { Connection: 'close' }).end() });
    const through = transport();
    for (let i = 0; i < 3; i++) expect(await send(through, target.url)).toMatchObject({ status_code: 204 });
    expect(target.connections).toBe(3);
  });

  test('that failed aren’t reused', async () => {
    const target = await listen({ reply: faultyResponses.endless });
    const through = transport({ timeout_ms: 1_500 });
    expect(await send(through, target.url)).toMatchObject({ status_code: 200 });
    target.respond(faultyResponses.hang);
    expect(await send(through, target.url)).toMatchObject(noResponse('timeout'));
    target.respond(204);
    expect(await send(through, target.url)).toMatchObject({ status_code: 204 });
    expect(target.connections).toBe(3);
  });

  test('wait for a slow response longer than they stay idle', async () => {
    const target = await listen({ reply: (response) => void setTimeout(() => response.writeHead(204).end(), 4_500) });
    expect(await send(transport({ timeout_ms: 8_000 }), target.url)).toMatchObject({ status_code: 204 });
  });

  test('close with the transport, after pending requests', async () => {
    const target = await listen({
      reply: (response) => void setTimeout(() => response.writeHead(200).end('done'), 200),
    });
    const through = createTransport({ allow_private: true, timeout_ms: 30_000 });
    const sending = send(through, target.url);
    await target.received(1);
    await through.close();
    expect(await sending).toMatchObject({ status_code: 200, response_excerpt: 'done' });
    expect(await send(through, target.url)).toMatchObject({ status_code: 200 });
    expect(target.connections).toBe(2); // the idle one was closed, else it would be reused
  });
});

describe('a misbehaving receiver', () => {
  /** Only endless ones take the full timeout. */
  const timeoutOf = (errorClass: ErrorClass) =>
    errorClass === 'timeout' || errorClass === 'response_too_slow' ? 1_500 : 30_000;

  test.each<[keyof typeof faultyResponses, ErrorClass]>([
    ['hang', 'timeout'],
    ['reset', 'reset'],
    ['hangUp', 'reset'],
    ['closeHalfWay', 'reset'],
    ['closeInChunk', 'reset'],
    ['closeInHeaders', 'reset'],
    ['drip', 'response_too_slow'],
    ['garbage', 'protocol'],
    ['upgrade', 'protocol'],
  ])('%s: %s', async (name, errorClass) => {
    const target = await listen({ reply: faultyResponses[name] });
    const timeoutMs = timeoutOf(errorClass);
    const through = transport({ timeout_ms: timeoutMs });
    const sent = await withTimeout(timeoutMs + 1_000, send(through, target.url));
    expect(sent).toMatchObject(noResponse(errorClass));
    if (timeoutMs < 30_000) expect(sent.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 1);
    expect(target.requests).toHaveLength(1);

    target.respond(200);
    expect(await send(through, target.url)).toMatchObject({ status_code: 200 });
  });

  test.each<[keyof typeof faultyResponses, ErrorClass]>([
    ['hang', 'timeout'],
    ['reset', 'reset'],
  ])('%s on a reused connection: %s', async (name, errorClass) => {
    const target = await listen();
    const through = transport({ timeout_ms: timeoutOf(errorClass) });
    expect(await send(through, target.url)).toMatchObject({ status_code: 204 });
    target.respond(faultyResponses[name]);
    expect(await send(through, target.url)).toMatchObject(noResponse(errorClass));
    expect([target.connections, target.requests.length]).toEqual([1, 2]);
  });

  test('that sends a gigabyte is read up to 16 KiB, and its status counts', async () => {
    let socket: Socket | undefined;
    const target = await listen({
      reply: (response) => {
        socket = response.socket!;
        faultyResponses.endless(response);
      },
    });
    const sent = await send(transport(), target.url);
    expect(sent).toMatchObject({ status_code: 200, error_class: null, response_excerpt: 'x'.repeat(1_024) });
    await eventually(() => expect(socket!.destroyed).toBe(true));
    const megabytes = socket!.bytesWritten / 1_048_576;
    expect(megabytes).toBeLessThan(32); // the size of the socket buffers
  });

  test('may send interim responses first', async () => {
    const target = await listen({ reply: faultyResponses.interim });
    const through = transport();
    for (let i = 0; i < 3; i++) {
      expect(await send(through, target.url)).toMatchObject({ status_code: 200, response_excerpt: 'done' });
    }
    expect(target.connections).toBe(1);
  });

  test.each([301, 304, 308])('that redirects with %d isn’t followed', async (status) => {
    const elsewhere = await listen();
    const target = await listen({ reply: redirectTo(elsewhere.url, status) });
    expect(await send(transport(), target.url)).toMatchObject({ status_code: status, error_class: 'redirect' });
    expect(target.requests).toHaveLength(1);
    expect([elsewhere.requests.length, elsewhere.connections]).toEqual([0, 0]);
  });

  test('that closes each connection gets a reset error', async () => {
    const { port } = await tcpServer((socket) => socket.destroy());
    expect(await send(transport(), `http://127.0.0.1:${port}/`)).toMatchObject(noResponse('reset'));
  });

  test('that sends endless headers gets a protocol error', async () => {
    const { port } = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write(`X-Padding: ${'x'.repeat(4_000)}\r\n`), 5);
      socket.write('HTTP/1.1 200 OK\r\n');
      socket.on('close', () => clearInterval(timer));
    });
    expect(await send(transport(), `http://127.0.0.1:${port}/`)).toMatchObject(noResponse('protocol'));
  });

  test('that doesn’t listen gets a connect error', async () => {
    expect(await send(transport(), `http://127.0.0.1:${await freePort()}/`)).toMatchObject(
      noResponse('connect_refused'),
    );
  });

  test('that doesn’t finish the handshake times out', async () => {
    const { port } = await tcpServer(() => {});
    const sent = await send(transport({ timeout_ms: 300 }), `https://127.0.0.1:${port}/`);
    expect(sent).toMatchObject(noResponse('connect_timeout'));
  });

  test('that doesn’t accept the connection times out', async () => {
    const { url } = open(await unacceptedPort());
    const sent = await send(transport({ timeout_ms: 300 }), url);
    expect(sent).toMatchObject(noResponse('connect_timeout'));
  });
});

describe('a response', () => {
  const responseTo = async (reply: Reply) => send(transport(), (await listen({ reply })).url);
  const excerpt = async (content: string | Buffer) =>
    (await responseTo((response) => void response.writeHead(200).end(content))).response_excerpt;

  test('is kept up to 1,024 bytes without partial characters', async () => {
    expect(await excerpt('x'.repeat(1_024))).toBe('x'.repeat(1_024));
    expect(await excerpt('x'.repeat(1_025))).toBe('x'.repeat(1_024));
    expect(await excerpt(`${'x'.repeat(1_023)}é`)).toBe('x'.repeat(1_023));
    expect(await excerpt(`${'x'.repeat(1_022)}é`)).toBe(`${'x'.repeat(1_022)}é`);
  });

  test('is converted to text that the database can store', async () => {
    expect(await excerpt('a\0b\0')).toBe('ab');
    expect(await excerpt(Buffer.from([0x61, 0xff, 0xfe, 0x62]))).toBe('a\ufffd\ufffdb');
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256));
    const text = (await excerpt(noise))!;
    expect(text.length).toBeLessThanOrEqual(1_024);
    expect(text).not.toContain('\0');
    expect(text.isWellFormed()).toBe(true);
  });

  test('is never compressed, because the request doesn’t offer it', async () => {
    const target = await listen();
    await send(transport(), target.url);
    expect(target.requests[0]!.headers.map(([name]) => name.toLowerCase())).not.toContain('accept-encoding');
  });

  test('can have 16 KiB without closing the connection', async () => {
    const target = await listen({ reply: (response) => void response.writeHead(200).end('x'.repeat(16_384)) });
    const through = transport();
    for (let i = 0; i < 3; i++) await send(through, target.url);
    expect(target.connections).toBe(1);
  });

  test('can ask for a pause', async () => {
    const withRetryAfter =
      (value: string): Reply =>
      (response) =>
        void response.writeHead(503, { 'Retry-After': value }).end();
    expect(await responseTo(withRetryAfter('120'))).toMatchObject({
      status_code: 503,
      error_class: null,
      retry_after_s: 120,
    });
    const sentMs = Date.now();
    const { retry_after_s: retryAfterS } = await responseTo(withRetryAfter(new Date(sentMs + 90_000).toUTCString()));
    const passedS = (Date.now() - sentMs) / 1_000;
    expect(retryAfterS).toBeGreaterThanOrEqual(Math.floor(88 - passedS)); // HTTP dates have whole seconds
    expect(retryAfterS).toBeLessThanOrEqual(90);
  });

  test.each([
    ['0', 0],
    ['007', 7],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(30), 86_400],
    ['Mon, 02 Mar 2026 09:17:00 GMT', 120],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['soon', null],
    ['', null],
    ['Monkey 5', null],
    ['Mon, 99 Mar 2026 09:17:00 GMT', null],
    ['Mon, 02 Foo 2026 09:17:00 GMT', null],
    ['2026-03-02T09:17:00Z', null],
    [undefined, null],
  ])('parses Retry-After: %s as %s', (value, waitS) => {
    expect(retryAfter(value, Date.parse('2026-03-02T09:15:00Z'))).toBe(waitS);
  });
});

describe('TLS', () => {
  const to = async (certificate: ReceiverOptions['tls'], options: Partial<TransportOptions> = {}, host?: string) => {
    const target = await listen({ tls: certificate, host });
    return { target, sent: await send(transport(options), target.url) };
  };

  test('accepts a trusted certificate for an address and for a name', async () => {
    const { ca } = authority;
    expect((await to(authority.issue(), { ca })).sent).toMatchObject({ status_code: 204 });
    expect((await to(authority.issue(), { ca }, 'localhost')).sent).toMatchObject({ status_code: 204 });
  });

  test.each([
    ['of an unknown authority', () => authority.issue(), undefined, /authority|self-signed/],
    ['that has expired', () => authority.issue({ expired: true }), authority.ca, /has expired/],
    ['for another host', () => authority.issue({ hosts: ['hooks.verdelog.example'] }), authority.ca, /for other names/],
    ['of another authority', () => certificateAuthority().issue(), authority.ca, /authority|self-signed/],
  ])('rejects a certificate %s with the reason, and sends nothing', async (_, issue, ca, reason) => {
    const { target, sent } = await to(issue(), { ca }, 'localhost');
    expect(sent).toMatchObject(noResponse('tls'));
    expect(String(describeFailure(sent))).toMatch(reason);
    expect(target.requests).toEqual([]);
  });

  test('can’t be weakened by an environment variable', async () => {
    const target = await listen({ tls: authority.issue() });
    const code = `import { createTransport } from ${JSON.stringify(new URL('../../../src/product/delivery/transport.ts', import.meta.url))};
      const { send } = createTransport({ allow_private: true, timeout_ms: 5_000 });
      console.log((await send({ url: '${target.url}', headers: [], body: Buffer.alloc(0) })).error_class);`;
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
    expect(stdout).toBe('tls\n');
    expect(target.requests).toEqual([]);
  });

  test('fails if the receiver requires a client certificate after the handshake', async () => {
    const { sent } = await to({ ...authority.issue(), requestCert: true }, { ca: authority.ca });
    expect(sent).toMatchObject(noResponse('tls'));
  });

  test('fails for a receiver without TLS', async () => {
    const target = await listen();
    expect(await send(transport(), target.url.replace('http:', 'https:'))).toMatchObject(noResponse('tls'));
    expect(target.requests).toEqual([]);
  });

  test('fails if the receiver aborts the handshake', async () => {
    const { port } = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await send(transport(), `https://127.0.0.1:${port}/`)).toMatchObject(noResponse('tls'));
  });
});

describe('addresses', () => {
  test.each(['http', 'https'])('that are internal are never contacted in any notation (%s)', async (scheme) => {
    const target = await listen(scheme === 'https' ? { tls: authority.issue() } : {});
    const { port } = new URL(target.url);
    const through = transport({ allow_private: false, ca: authority.ca });
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'localhost.',
    ]) {
      expect(await send(through, `${scheme}://${host}:${port}/`)).toMatchObject(noResponse('address_refused'));
    }
    expect(target.connections).toBe(0);
  });

  test('behind a name are never contacted if any is internal', async () => {
    const target = await listen({ tls: authority.issue({ hosts: ['hooks.verdelog.example'] }) });
    const url = `https://hooks.verdelog.example:${new URL(target.url).port}/`;
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['127.0.0.1', '8.8.8.8'], ['8.8.8.8', '::1']]) {
      const names = open(await nameServer(addresses));
      const lookup = resolverLookup(names.resolver);
      const through = transport({ allow_private: false, ca: authority.ca, lookup });
      expect(await send(through, url)).toMatchObject(noResponse('address_refused'));
      expect(names.questions).toBe(1);
    }
    expect(target.connections).toBe(0);
  });

  test('are looked up once per connection, which uses the result', async () => {
    const target = await listen({ tls: authority.issue({ hosts: ['hooks.verdelog.example'] }) });
    const names = open(await nameServer(['127.0.0.1'], ['127.0.0.2']));
    const through = transport({ ca: authority.ca, lookup: resolverLookup(names.resolver) });
    const url = `https://hooks.verdelog.example:${new URL(target.url).port}/`;
    expect(await send(through, url)).toMatchObject({ status_code: 204 });
    expect(await send(through, url)).toMatchObject({ status_code: 204 });
    expect(names.questions).toBe(1);
    target.respond((response) => void response.writeHead(204, { Connection: 'close' }).end());
    await send(through, url);
    expect(await send(through, url)).toMatchObject(noResponse('connect_refused')); // nobody listens on 127.0.0.2
    expect(names.questions).toBe(2);
  });

  test('that don’t resolve, or not in time, fail as dns', async () => {
    for (const reply of [undefined, [], 'silence' as const]) {
      const names = open(await nameServer(reply));
      const through = transport({ lookup: resolverLookup(names.resolver) });
      expect(await send(through, 'https://hooks.verdelog.example/')).toMatchObject(noResponse('dns'));
    }
    const never = transport({ timeout_ms: 200, lookup: () => new Promise(() => {}) });
    expect(await send(never, 'https://hooks.verdelog.example/')).toMatchObject(noResponse('dns'));
  });

  test('with plain HTTP, passwords, or other ports are rejected even if saved', async () => {
    const target = await listen();
    const { port } = new URL(target.url);
    const lookup = async () => ['8.8.8.8'];
    const through = transport({ allow_private: false, lookup });
    for (const url of [
      `http://hooks.verdelog.example:${port}/`,
      'https://user:secret@hooks.verdelog.example/',
      'https://hooks.verdelog.example:22/',
      'ftp://hooks.verdelog.example/',
    ]) {
      expect(await send(through, url)).toMatchObject(noResponse('address_refused'));
    }
    expect(target.connections).toBe(0);
  });

  test('that are internal aren’t reached by redirects', async () => {
    const inside = await listen();
    const outside = await listen({ reply: redirectTo(inside.url, 307) });
    expect(await send(transport(), outside.url)).toMatchObject({ status_code: 307, error_class: 'redirect' });
    expect(inside.connections).toBe(0);
  });
});

test('error classes match the contract', () => {
  const classes: Record<ErrorClass, true> = {
    dns: true,
    connect_refused: true,
    connect_timeout: true,
    tls: true,
    reset: true,
    protocol: true,
    timeout: true,
    response_too_slow: true,
    redirect: true,
    address_refused: true,
    payload: true,
    interrupted: true,
  };
  expect(Object.keys(classes)).toEqual(contract.components.schemas.DeliveryErrorClass?.['x-extensible-enum']);
});

/** A port whose accept queue is full, so new connections hang. */
async function unacceptedPort(): Promise<{ url: string; close(): Promise<void> }> {
  const code = `const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  const waiting = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  await once(waiting[0]!, 'connect');
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
