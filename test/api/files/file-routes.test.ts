import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { Agent, type IncomingMessage, get as startGet } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { parse } from 'content-disposition';
import { createStorage } from '../../../src/platform/files/context.ts';
import { createFileLinks, type LinkedFile } from '../../../src/platform/files/links.ts';
import { markKey, newKey } from '../../../src/platform/files/store/storage.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { externalStore } from '../../helpers/external-store.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { pdf } from '../../platform/files/samples.ts';

const content = Buffer.concat([pdf(), randomBytes(200_000)]);
let app: TestApp;
let file: LinkedFile;

beforeAll(async () => {
  app = await testApp();
  file = await stored(app);
});
afterAll(() => app.close());

async function stored(where: TestApp, more: Partial<LinkedFile> = {}, bytes = content): Promise<LinkedFile> {
  const { company_id: companyId } = where;
  const key = newKey(companyId, 'documents');
  await createStorage(where.config).put(key, Readable.from([bytes], { objectMode: false }));
  return {
    company_id: companyId,
    key,
    filename: 'contract.pdf',
    media_type: 'application/pdf',
    disposition: 'inline',
    ...more,
  };
}

function link(more: Partial<LinkedFile> = {}, now?: () => number): string {
  return createFileLinks(app.config, app.base_url, now).link({ ...file, ...more, expiresInS: 900 });
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const notFound = { error: 'not_found', message: expect.any(String) };

describe('sends the file', () => {
  test('to anyone with the link, unmodified, with the right headers', async () => {
    const response = await get(link());
    expect(response.status).toBe(200);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'content-disposition': 'inline; filename=contract.pdf',
      'cache-control': 'no-store, no-transform',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-api-version': expect.any(String),
      'x-request-id': expect.any(String),
    });
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(await bytesOf(response)).toEqual(content);
  });

  test('without the body for HEAD', async () => {
    const response = await get(link(), { Range: 'bytes=0-9' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(content.length));
    expect(response.headers.get('content-disposition')).toBe('inline; filename=contract.pdf');
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test('and lets photos be cached until the link expires', async () => {
    const key = newKey(app.company_id, 'photos');
    await createStorage(app.config).put(key, Readable.from([Buffer.from('photo')], { objectMode: false }));
    const photo = { ...file, key, filename: 'photo.webp', media_type: 'image/webp' };
    const response = await get(createFileLinks(app.config, app.base_url).link({ ...photo, expiresInS: 86_400 }));
    const [, seconds] = /^private, max-age=(\d+), immutable, no-transform$/.exec(
      response.headers.get('cache-control')!,
    )!;
    expect(Number(seconds)).toBeGreaterThan(86_000);
    expect(Number(seconds)).toBeLessThanOrEqual(90_000);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('disposition', () => {
  test.each([
    ['application/pdf', 'inline'],
    ['image/webp', 'inline'],
    ['image/heic', 'attachment'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
  ])('%s requested inline is sent as %s', async (mediaType, disposition) => {
    const response = await get(link({ media_type: mediaType }), {}, 'HEAD');
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(parse(response.headers.get('content-disposition')!).type).toBe(disposition);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    if (mediaType !== 'application/pdf') expect(policy).toContain('; sandbox');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is attachment if the link says so', async () => {
    const response = await get(link({ disposition: 'attachment' }), {}, 'HEAD');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=contract.pdf');
    expect(response.headers.get('content-security-policy')).toContain('; sandbox');
  });

  test('keeps file names in any language and with any characters', async () => {
    for (const filename of [
      'Vertrag für João.pdf',
      '履歴書 – 2026.pdf',
      '👩‍🚀.pdf',
      'a "quoted" \\ name.pdf',
      '100%.pdf',
      "it's; x=y.pdf",
    ]) {
      const header = (await get(link({ filename }), {}, 'HEAD')).headers.get('content-disposition')!;
      expect(parse(header).parameters.filename).toBe(filename);
      expect(header).toMatch(/^[\x20-\x7e]*$|^[\x20-\xff]*$/);
    }
    const header = (await get(link({ filename: '履歴書.pdf' }), {}, 'HEAD')).headers.get('content-disposition')!;
    expect(header).toBe(`inline; filename="???.pdf"; filename*=UTF-8''%E5%B1%A5%E6%AD%B4%E6%9B%B8.pdf`);
  });
});

describe('ranges', () => {
  const size = content.length;

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-999', 0, 999],
    ['bytes=1000-', 1_000, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=${size - 1}-${size + 1_000}`, size - 1, size - 1],
    ['bytes=0-99,50-149', 0, 149],
  ])('returns the part for %s', async (range, start, end) => {
    const response = await get(link(), { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect(await bytesOf(response)).toEqual(content.subarray(start, end + 1));
  });

  test.each(['bytes=0-9,100-109', 'lines=0-9', 'bytes=9-0,x', 'nonsense', 'bytes='])(
    'returns the whole file for %s',
    async (range) => {
      const response = await get(link(), { Range: range });
      expect(response.status).toBe(200);
      expect(await bytesOf(response)).toEqual(content);
    },
  );

  test('returns 416 beyond the end', async () => {
    const response = await get(link(), { Range: `bytes=${size}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${size}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.has('etag')).toBe(false);
    expect(await response.json()).toEqual({ error: 'invalid_parameter', message: expect.any(String) });
  });

  test('returns a part only of the version that the client has', async () => {
    const etag = (await get(link(), {}, 'HEAD')).headers.get('etag')!;
    const part = await get(link(), { Range: 'bytes=0-9', 'If-Range': etag });
    expect(part.status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, new Date().toUTCString()]) {
      expect((await get(link(), { Range: 'bytes=0-9', 'If-Range': other })).status).toBe(200);
    }
  });
});

test('returns 304 if the client has the file', async () => {
  const etag = (await get(link(), {}, 'HEAD')).headers.get('etag')!;
  for (const method of ['GET', 'HEAD']) {
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get(link(), { 'If-None-Match': known }, method);
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await bytesOf(response)).toHaveLength(0);
    }
  }
  expect((await get(link(), { 'If-None-Match': '"other"' })).status).toBe(200);
  const other = await stored(app);
  expect((await get(link(other), {}, 'HEAD')).headers.get('etag')).not.toBe(etag);
});

describe('refuses', () => {
  test('an expired link with 410', async () => {
    const url = link({}, () => Date.now() - 3_600_000);
    for (const method of ['GET', 'HEAD']) expect((await get(url, {}, method)).status).toBe(410);
    const response = await get(url, { 'If-None-Match': '*' });
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({ error: 'file_expired', message: expect.any(String) });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each(['', '/', '/x', '/%2e%2e%2fetc%2fpasswd', '/%zz', '/%00', `/${'A'.repeat(100)}`, '/a/b'])(
    'a forged link with 404: /files%s',
    async (path) => {
      const response = await get(`${app.base_url}/files${path}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(notFound);
    },
  );

  test('a modified token, and one signed with another key', async () => {
    const url = link();
    expect((await get(url)).status).toBe(200);
    const at = app.base_url.length + 60;
    const changed = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1);
    expect((await get(changed)).status).toBe(404);
    const forged = createFileLinks({ fileKeys: [randomBytes(32)] }, app.base_url).link({ ...file, expiresInS: 900 });
    expect((await get(forged)).status).toBe(404);
    expect((await get(`${url}/`)).status).toBe(404);
  });

  test('a deleted object with 404', async () => {
    const removed = await stored(app);
    const url = link(removed);
    expect((await get(url)).status).toBe(200);
    await createStorage(app.config).remove(removed.key);
    const response = await get(url);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  test.each(['POST', 'OPTIONS'])('%s with 405', async (method) => {
    const response = await get(link(), {}, method);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ error: 'method_not_allowed' });
  });
});

test('an error leaves the connection open for the next request', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = async (path: string) => {
    const sent = startGet(`${app.base_url}${path}`, { agent });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await response.resume().toArray();
    return { status: response.statusCode, isReused: sent.reusedSocket };
  };
  expect(await request('/files/made-up')).toEqual({ status: 404, isReused: false });
  expect(await request('/healthz')).toEqual({ status: 200, isReused: true });
  agent.destroy();
});

test('a client that disconnects midway leaves no open file', async () => {
  const size = 32 * 1024 * 1024; // more than the buffers of both ends
  const large = await stored(app, {}, Buffer.alloc(size, 'a'));
  const { hostname, port, pathname } = new URL(link(large));
  const open = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((target) => target.includes(large.key));
  };
  for (let i = 0; i < 2; i++) {
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once('data', () => resolve(void socket.pause())));
    if (!externalStore) expect(await open()).not.toEqual([]);
    socket.destroy();
  }
  await eventually(async () => expect(await open()).toEqual([]));
  expect((await bytesOf(await get(link(large)))).length).toBe(size);
});

test('links of the previous key work', async () => {
  const keys = [randomBytes(32), randomBytes(32)];
  const rotated = await testApp({ FILE_KEYS: keys.map((key) => key.toString('base64')).join(',') });
  const otherFile = await stored(rotated);
  for (const key of keys) {
    const url = createFileLinks({ fileKeys: [key] }, rotated.base_url).link({ ...otherFile, expiresInS: 900 });
    expect((await get(url)).status).toBe(200);
  }
  await rotated.close();
});

describe('from S3', () => {
  let peer: S3Peer;
  let appWithS3: TestApp;
  beforeEach(async () => {
    peer = await startS3();
  });
  afterEach(async () => {
    await appWithS3.close();
    await peer.close();
  });

  async function start(settings: Record<string, string> = {}) {
    appWithS3 = await testApp({ STORAGE_URL: peer.url('files'), ...settings });
    const otherFile = await stored(appWithS3, { filename: 'Zoë.pdf' });
    return createFileLinks(appWithS3.config, appWithS3.base_url).link({ ...otherFile, expiresInS: 900 });
  }

  test('proxies the whole file and ranges, and returns 503 on an outage, and 404 for a missing object', async () => {
    const url = await start();
    expect(await bytesOf(await get(url))).toEqual(content);
    const part = await get(url, { Range: 'bytes=5-14' });
    expect(part.status).toBe(206);
    expect(await bytesOf(part)).toEqual(content.subarray(5, 15));
    peer.fail(500);
    const response = await get(url);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    peer.fail(undefined);
    for (const key of peer.objects.keys()) if (!key.endsWith(markKey)) peer.objects.delete(key);
    expect((await get(url)).status).toBe(404);
  });

  test('redirects to the store if configured', async () => {
    const url = await start({ STORAGE_REDIRECT: 'true' });
    const response = await get(url);
    expect(response.status).toBe(302);
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const followed = await get(response.headers.get('location')!);
    expect(followed.status).toBe(200);
    expect(parse(followed.headers.get('content-disposition')!)).toMatchObject({
      type: 'inline',
      parameters: { filename: 'Zoë.pdf' },
    });
    expect(followed.headers.get('content-type')).toBe('application/pdf');
    expect(await bytesOf(followed)).toEqual(content);
    expect((await get(url, {}, 'HEAD')).status).toBe(200);
  });
});
