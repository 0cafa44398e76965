/** Requests byte for byte as real clients and proxies send them: what RFC 9110 and 9112 allow, and what they don't. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { raw } from '../../helpers/network/raw.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let serial = 0;
const person = () => ({ name: 'Rosa Raw', email: `rosa${++serial}@example.com`, position: 'x', department: 'y' });
const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const own = () => [`Host: x`, `Authorization: Bearer ${app.admin.token}`, `X-Company-Id: ${app.admin.company_id}`];

describe('a client that half-closes after the request gets the response', () => {
  const closing = (text: string | Buffer) => raw(app.base_url, (socket) => socket.end(text));

  test.each(['/healthz', '/v1/collaborators', '/openapi.json', '/.well-known/openid-configuration'])(
    'to GET %s',
    async (path) => {
      const { status, text } = await closing(head([`GET ${path} HTTP/1.1`, ...own()]));
      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(500); // the service closed the connection, which `raw` waits for
    },
  );

  test('to POST with a body', async () => {
    const body = JSON.stringify(person());
    const lines = ['POST /v1/collaborators HTTP/1.1', ...own(), 'Content-Type: application/json'];
    const { status } = await closing(head([...lines, `Content-Length: ${body.length}`]) + body);
    expect(status).toBe(201);
  });

  test('to several requests on one connection', async () => {
    const request = head(['GET /healthz HTTP/1.1', ...own()]);
    expect((await closing(request.repeat(3))).text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  test('but a truncated request is rejected and changes nothing', async () => {
    const body = JSON.stringify(person());
    const lines = ['POST /v1/collaborators HTTP/1.1', ...own(), 'Content-Type: application/json'];
    const cut = head([...lines, `Content-Length: ${body.length + 10}`]) + body;
    expect((await closing(cut)).status).toBe(400);
    expect((await closing('GET /healthz HTTP/1.1\r\nHost: x\r\n')).status).toBe(400);
    const [, email] = /"email":"([^"]+)"/.exec(body)!;
    expect((await app.admin.get(`/v1/collaborators?email=${email}`)).body.data).toEqual([]);
  });
});

describe('repeated headers', () => {
  const twice = (...lines: string[]) =>
    raw(app.base_url, head(['GET /v1/collaborators HTTP/1.1', ...own(), 'Connection: close', ...lines]));

  test.each([
    ['Authorization', 'Authorization: Bearer other'],
    ['Authorization', 'authorization: Basic eDp5'],
    ['Host', 'host: y'],
  ])('a second %s returns 400', async (name, line) => {
    expect(await twice(line)).toMatchObject({
      status: 400,
      body: { error: 'invalid_parameter', message: `The header ${name} is repeated. Send it once.` },
    });
  });

  test('a second Content-Type returns 400', async () => {
    const { status } = await twice('Content-Type: application/json', 'Content-Type: multipart/form-data; boundary=x');
    expect(status).toBe(400);
  });

  test('list headers may be repeated, or merged by a proxy', async () => {
    const { status } = await twice(
      'Accept: application/json',
      'Accept: text/html',
      'X-Forwarded-For: 1.2.3.4, 5.6.7.8',
    );
    expect(status).toBe(200);
  });

  test('a second X-Company-Id is invalid', async () => {
    expect(await twice(`X-Company-Id: ${app.admin.company_id}`)).toMatchObject({
      status: 400,
      body: { error: 'company_id_invalid' },
    });
  });

  test('are rejected by the token endpoint too', async () => {
    const body = 'grant_type=refresh_token&refresh_token=x';
    const lines = ['POST /oauth/token HTTP/1.1', 'Host: x', 'Authorization: Basic YTpi', 'Authorization: Basic Yzpk'];
    const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    const { status } = await raw(app.base_url, head([...lines, ...form, 'Connection: close']) + body);
    expect(status).toBe(400);
  });
});

describe('Transfer-Encoding', () => {
  const chunked = (coding: string, bytes: string) => {
    const lines = ['POST /v1/collaborators HTTP/1.1', ...own(), 'Content-Type: application/json', 'Connection: close'];
    const body = `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
    return raw(app.base_url, head([...lines, `Transfer-Encoding: ${coding}`]) + body);
  };

  test.each(['chunked', 'Chunked'])('accepts %s', async (coding) => {
    expect((await chunked(coding, JSON.stringify(person()))).status).toBe(201);
  });

  test('returns 400 if chunked isn’t last, because the body length is unknown', async () => {
    expect((await chunked('chunked, gzip', JSON.stringify(person()))).status).toBe(400);
  });

  test.each(['gzip, chunked', 'deflate, chunked', 'foo, chunked'])(
    '%s returns 501 and writes nothing',
    async (coding) => {
      const body = person();
      const reply = await chunked(coding, JSON.stringify(body));
      expect(reply).toMatchObject({ status: 501, body: { error: 'invalid_parameter' } });
      expect(reply.headers.connection).toBe('close');
      expect((await app.admin.get(`/v1/collaborators?email=${body.email}`)).body.data).toEqual([]);
    },
  );
});

describe('Content-Encoding', () => {
  const send = (coding: string, bytes: Buffer) =>
    fetch(`${app.base_url}/v1/collaborators`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${app.admin.token}`,
        'X-Company-Id': app.admin.company_id,
        'Content-Type': 'application/json',
        'Content-Encoding': coding,
      },
      body: bytes,
    });
  const json = () => Buffer.from(JSON.stringify(person()));

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('accepts %s', async (coding, compress) => {
    expect((await send(coding, compress(json()))).status).toBe(201);
  });

  const middle = (bytes: Buffer) => {
    const damaged = Buffer.from(bytes);
    damaged.fill(0x55, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 8);
    return damaged;
  };
  const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 6);
  const plain = () => json();

  test.each([
    ['gzip', 'changed', () => middle(gzipSync(json()))],
    ['gzip', 'cut off', () => cut(gzipSync(json()))],
    ['gzip', 'not compressed', plain],
    ['x-gzip', 'not compressed', plain],
    ['deflate', 'cut off', () => cut(deflateSync(json()))],
    ['deflate', 'not compressed', plain],
    ['br', 'cut off', () => cut(brotliCompressSync(json()))],
    ['br', 'not compressed', () => Buffer.from('{"name":"not brotli at all"}'.repeat(4))],
    ['zstd', 'cut off', () => cut(zstdCompressSync(json()))],
    ['zstd', 'not compressed', plain],
  ])('reports %s that is %s', async (coding, _how, bytes) => {
    const response = await send(coding, bytes());
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'malformed_json', message: "The request body can't be decompressed: it is damaged." },
    ]);
  });

  test('reports complete but invalid JSON as such', async () => {
    const { message } = (await (await send('gzip', gzipSync('no json'))).json()) as { message: string };
    expect(message).toBe('The request body is not valid JSON.');
  });

  test('another encoding returns 415 with the supported ones', async () => {
    const response = await send('compress', json());
    expect(response.status).toBe(415);
    expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
    expect((await send('gzip, gzip', gzipSync(gzipSync(json())))).status).toBe(415);
  });

  test('a compressed form returns 415', async () => {
    const boundary = 'x';
    const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n--x--\r\n`;
    const response = await fetch(`${app.base_url}/v1/collaborators/import`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${app.admin.token}`,
        'X-Company-Id': app.admin.company_id,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Encoding': 'gzip',
      },
      body: gzipSync(form),
    });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  });

  test('the token endpoint accepts x-gzip like gzip', async () => {
    const sendCoded = (coding: string) =>
      fetch(`${app.base_url}/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': coding },
        body: gzipSync('grant_type=authorization_code&code=x&client_id=unknown'),
      });
    const [known, other] = [await sendCoded('gzip'), await sendCoded('x-gzip')];
    expect([other.status, await other.json()]).toEqual([known.status, await known.json()]);
    expect(other.status).toBe(401);
  });
});

test('only 415 responses to PATCH include Accept-Patch', async () => {
  const path = `/v1/collaborators/${app.report.collaborator_id}`;
  const patch = await app.admin.patch(path, 'x').set('Content-Type', 'text/plain').expect(415);
  expect(patch.headers['accept-patch']).toMatch(/^application\/[\w+-]+(, application\/[\w+-]+)*$/);
  for (const type of String(patch.headers['accept-patch']).split(', ')) {
    await app.admin
      .patch(path, JSON.stringify({ location: 'Tomar' }))
      .set('Content-Type', type)
      .expect(200);
  }
  const put = await app.admin.put(path, 'x').set('Content-Type', 'text/plain').expect(415);
  expect(put.headers).not.toHaveProperty('accept-patch');
});
