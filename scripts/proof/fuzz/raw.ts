// Malformed HTTP at byte level, which no client library would send. Every case must be rejected without side effects.
import { connect } from 'node:net';
import type { Tally } from './run.ts';

interface RawCase {
  name: string;
  /** Written one after another. */
  bytes: readonly (string | Buffer)[];
  /** Maximum number of responses: more means that garbage was parsed as a request. */
  most: number;
  /** The client closes its side at once. */
  leaves?: boolean;
}

interface RawResult {
  name: string;
  statuses: number[];
  violations: string[];
}

const host = 'Host: localhost\r\n';
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;
const get = (path = '/healthz', headers = '') => `GET ${path} HTTP/1.1\r\n${host}${headers}\r\n`;
const post = (headers: string, body = '') => `POST /oauth/token HTTP/1.1\r\n${host}${headers}\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

export const rawCases: readonly RawCase[] = [
  // Conflicting body lengths (RFC 9112, section 6.3).
  {
    name: 'Content-Length and Transfer-Encoding',
    bytes: [post(`Content-Length: 4\r\n${chunked}`, `0\r\n\r\n${smuggled}`)],
    most: 1,
  },
  {
    name: 'Transfer-Encoding and Content-Length',
    bytes: [post(`${chunked}Content-Length: 6\r\n`, `0\r\n\r\nG${smuggled}`)],
    most: 1,
  },
  {
    name: 'two Content-Lengths that differ',
    bytes: [post('Content-Length: 0\r\nContent-Length: 40\r\n', smuggled)],
    most: 1,
  },
  {
    name: 'two Content-Lengths that agree',
    bytes: [post('Content-Length: 0\r\nContent-Length: 0\r\n', smuggled)],
    most: 1,
  },
  ...['+5', '-1', '0x5', '5 5', '5, 5', '', '٥', '1e1', '99999999999999999999', '5\0'].map((length) => ({
    name: `Content-Length: ${JSON.stringify(length)}`,
    bytes: [post(`Content-Length: ${length}\r\n`, `a=b&c${smuggled}`)],
    most: 1,
  })),
  ...[
    'xchunked',
    'chunked, identity',
    'identity, chunked',
    'chunked\x0b',
    '\x0bchunked',
    'chunked;q=1',
    '"chunked"',
    'chunked, chunked',
    'gzip, chunked',
    'cow',
  ].map((coding) => ({
    name: `Transfer-Encoding: ${JSON.stringify(coding)}`,
    bytes: [post(`Transfer-Encoding: ${coding}\r\n`, `0\r\n\r\n${smuggled}`)],
    most: 2, // the second request is valid if the coding is supported
  })),
  {
    name: 'Transfer-Encoding twice',
    bytes: [post(`${chunked}Transfer-Encoding: identity\r\n`, `0\r\n\r\n${smuggled}`)],
    most: 1,
  },
  {
    name: 'Transfer-Encoding with a space before the colon',
    bytes: [post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`)],
    most: 1,
  },
  {
    name: 'Transfer-Encoding in HTTP/1.0',
    bytes: [`POST /oauth/token HTTP/1.0\r\n${chunked}\r\n0\r\n\r\n${smuggled}`],
    most: 1,
  },
  // Chunks.
  {
    name: 'a chunk size that overflows',
    bytes: [post(form + chunked, `FFFFFFFFFFFFFFFFF\r\na=b\r\n0\r\n\r\n${smuggled}`)],
    most: 1,
  },
  { name: 'a negative chunk size', bytes: [post(form + chunked, `-1\r\na\r\n0\r\n\r\n${smuggled}`)], most: 1 },
  { name: 'a chunk size with 0x', bytes: [post(form + chunked, `0x1\r\na\r\n0\r\n\r\n${smuggled}`)], most: 1 },
  { name: 'a chunk longer than it says', bytes: [post(form + chunked, `1\r\nabc\r\n0\r\n\r\n${smuggled}`)], most: 1 },
  { name: 'chunks with bare line feeds', bytes: [post(form + chunked, `1\na\n0\n\n${smuggled}`)], most: 1 },
  {
    name: 'a chunk extension with a bare line feed',
    bytes: [post(form + chunked, `1;x\na\r\n0\r\n\r\n${smuggled}`)],
    most: 1,
  },
  { name: 'chunk extensions', bytes: [post(form + chunked, '1;x=y;z="q"\r\na\r\n0\r\n\r\n')], most: 1 },
  {
    name: 'very long chunk extensions',
    bytes: [post(form + chunked, `1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`)],
    most: 1,
  },
  {
    name: 'trailers that are headers',
    bytes: [post(form + chunked, '1\r\na\r\n0\r\nContent-Length: 50\r\nHost: evil.example\r\n\r\n')],
    most: 1,
  },
  { name: 'very many trailers', bytes: [post(form + chunked, `0\r\n${'x: y\r\n'.repeat(20_000)}\r\n`)], most: 1 },
  // Incomplete bodies.
  { name: 'a body that is cut off', bytes: [post(`${form}Content-Length: 100\r\n`, 'a=b')], most: 1, leaves: true },
  { name: 'chunks that are cut off', bytes: [post(form + chunked, '5\r\na=')], most: 1, leaves: true },
  { name: 'headers that are cut off', bytes: [`GET /healthz HTTP/1.1\r\n${host}X: y`], most: 1, leaves: true },
  { name: 'nothing at all', bytes: [''], most: 0, leaves: true },
  // Request lines.
  ...[
    'GET /healthz',
    'GET  /healthz HTTP/1.1',
    'GET /healthz  HTTP/1.1',
    'GET\t/healthz\tHTTP/1.1',
    ' GET /healthz HTTP/1.1',
    'get /healthz HTTP/1.1',
    'GET /healthz HTTP/1.2',
    'GET /healthz HTTP/9.9',
    'GET /healthz HTTP/01.1',
    'GET /healthz http/1.1',
    'GET /healthz HTTP/1.1 x',
    'GET /health\0z HTTP/1.1',
    'GET /healthz\x7f HTTP/1.1',
    'GET /\xff\xfe HTTP/1.1',
    'GET healthz HTTP/1.1',
    'GET ? HTTP/1.1',
    'GET * HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT evil.example:443 HTTP/1.1',
    'GET http://evil.example/healthz HTTP/1.1',
    'GET http://evil.example:99999/v1/collaborators HTTP/1.1',
    'GET http:///// HTTP/1.1',
    'GET //evil.example/%2e%2e HTTP/1.1',
    'GET /\\evil.example HTTP/1.1',
    'GET /v1/../../../etc/passwd HTTP/1.1',
    'GET /docs/../../package.json HTTP/1.1',
    'GET /docs/%2e%2e/%2e%2e/package.json HTTP/1.1',
    'GET /docs/..%5c..%5cpackage.json HTTP/1.1',
    'GET /files/../../etc/passwd HTTP/1.1',
    'GET /#fragment HTTP/1.1',
    'NONSENSE /healthz HTTP/1.1',
    'TRACE /healthz HTTP/1.1',
    'PRI * HTTP/2.0',
    `${'X'.repeat(20_000)} / HTTP/1.1`,
    `GET /${'a'.repeat(200_000)} HTTP/1.1`,
  ].map((line) => ({
    name: JSON.stringify(line.length > 60 ? `${line.slice(0, 30)}… (${line.length})` : line),
    bytes: [Buffer.from(`${line}\r\n${host}Connection: close\r\n\r\n`, 'latin1')],
    most: 1,
  })),
  // Headers.
  { name: 'no Host', bytes: ['GET /healthz HTTP/1.1\r\n\r\n'], most: 1 },
  { name: 'two Hosts', bytes: [get('/healthz', 'Host: evil.example\r\n')], most: 1 },
  { name: 'a Host that is none', bytes: ['GET /oauth/authorize HTTP/1.1\r\nHost: a b<>"\r\n\r\n'], most: 1 },
  { name: 'a header that continues in the next line', bytes: [get('/healthz', 'X-A: b\r\n c\r\n')], most: 1 },
  { name: 'a header without a colon', bytes: [get('/healthz', 'nonsense\r\n')], most: 1 },
  { name: 'a header without a name', bytes: [get('/healthz', ': x\r\n')], most: 1 },
  { name: 'NUL in a header', bytes: [get('/healthz', 'X-A: b\0c\r\n')], most: 1 },
  { name: 'a bare carriage return in a header', bytes: [get('/healthz', 'X-A: b\rX-B: c\r\n')], most: 1 },
  { name: 'bare line feeds', bytes: [`GET /healthz HTTP/1.1\n${host.trim()}\n\n`], most: 1 },
  { name: 'a header of 100 kB', bytes: [get('/healthz', `X-A: ${'b'.repeat(100_000)}\r\n`)], most: 1 },
  {
    name: '5,000 headers',
    bytes: [get('/healthz', Array.from({ length: 5_000 }, (_, n) => `X-${n}: y\r\n`).join(''))],
    most: 1,
  },
  { name: 'a name of __proto__', bytes: [get('/v1/collaborators', '__proto__: x\r\nconstructor: y\r\n')], most: 1 },
  {
    name: 'two Authorizations',
    bytes: [get('/v1/collaborators', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n')],
    most: 1,
  },
  {
    name: 'an upgrade to HTTP/2',
    bytes: [
      get(
        '/healthz',
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n',
      ),
    ],
    most: 1,
  },
  {
    name: 'an upgrade to a web socket',
    bytes: [get('/healthz', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n')],
    most: 1,
  },
  { name: 'an expectation nobody knows', bytes: [get('/healthz', 'Expect: the-unexpected\r\n')], most: 1 },
  // Not HTTP.
  { name: 'a TLS handshake', bytes: [Buffer.from('16030100a5010000a10303', 'hex'), Buffer.alloc(160, 7)], most: 1 },
  { name: 'a PROXY line', bytes: [`PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${get()}`], most: 1 },
  { name: 'random bytes', bytes: [Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 7919) % 256))], most: 1 },
  { name: '100,000 empty lines', bytes: ['\r\n'.repeat(100_000), get()], most: 1 },
  // Several requests on one connection.
  { name: 'three at once', bytes: [get() + get() + get('/healthz', 'Connection: close\r\n')], most: 3 },
  { name: 'a good one and a broken one', bytes: [get(), `GET /healthz HTTP/1.1\r\nX: \0\r\n\r\n${smuggled}`], most: 2 },
  {
    name: 'GET with a body, and another',
    bytes: [get('/healthz', 'Content-Length: 5\r\n'), 'hello', get('/healthz', 'Connection: close\r\n')],
    most: 2,
  },
  {
    name: 'HEAD with a body, and another',
    bytes: [`HEAD /healthz HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, get()],
    most: 2,
  },
  {
    name: 'a request after “Connection: close”',
    bytes: [get('/healthz', 'Connection: close\r\n') + smuggled],
    most: 1,
  },
];

const quietMs = 400;
const maxMs = 10_000;

/** Sends the case, and reads all responses until no more arrive. */
export async function tryRaw(baseUrl: string, { name, bytes, most, leaves }: RawCase): Promise<RawResult> {
  const text = await exchange(baseUrl, bytes, leaves ?? false);
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const violations: string[] = [];
  if (statuses.some((status) => status >= 500 && status !== 501)) violations.push(`returned ${statuses.join(', ')}`);
  if (statuses.length > most) violations.push(`${statuses.length} responses: ${statuses.join(', ')}`);
  if (text !== '' && !text.startsWith('HTTP/1.1 ')) violations.push(`responded without HTTP: ${text.slice(0, 100)}`);
  if (/root:x:0|collaborator-management-api"/.test(text)) violations.push('shows a file of the machine');
  if (/^x-injected:/im.test(text)) violations.push('has a header that was injected');
  return { name, statuses, violations };
}

function exchange(baseUrl: string, bytes: RawCase['bytes'], leaves: boolean): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    const late = setTimeout(() => socket.destroy(new Error(`no end within ${maxMs} ms`)), maxMs);
    const end = () => socket.destroy();
    let quiet = setTimeout(end, quietMs * 3);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    });
    socket.once('connect', () => {
      for (const part of bytes) socket.write(part);
      if (leaves) socket.end();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      // The server may close the connection while the client is still writing.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(text);
      else reject(error);
    });
    socket.once('close', () => {
      clearTimeout(late);
      clearTimeout(quiet);
      resolve(text);
    });
  });
}

/** All cases, as one row of the table. */
export async function tryBrokenHttp(baseUrl: string): Promise<Tally> {
  const tally: Tally = { operationId: '(http)', requests: 0, responses: new Map(), slowestMs: 0, violations: [] };
  for (const each of rawCases) {
    const { name, statuses, violations } = await tryRaw(baseUrl, each);
    tally.requests += 1;
    for (const status of statuses) tally.responses.set(status, (tally.responses.get(status) ?? 0) + 1);
    if (violations.length > 0) tally.violations.push({ sentences: violations, seed: 0, curl: `raw bytes: ${name}` });
  }
  return tally;
}
