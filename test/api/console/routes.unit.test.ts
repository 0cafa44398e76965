/** Serving the console from its built files, or not at all if it isn't built. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import supertest from 'supertest';
import { consoleRoutes } from '../../../src/api/console/routes.ts';
import { toProblem } from '../../../src/contract/problem.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="service-url" content="%SERVICE_URL%"><p>the page');
  await writeFile(join(folder, 'assets/index-abc.js'), 'console.log(1)');
  await writeFile(join(folder, 'assets/index-abc.js.br'), brotliCompressSync('console.log(1)'));
  await writeFile(join(folder, 'assets/notes.txt'), 'of nobody');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const service = (built = folder) => {
  const app = express();
  app.use(consoleRoutes('https://people.example/"&', built));
  app.use(((error, _req, res, _next) => {
    const { status, code, headers } = toProblem(error);
    res.status(status).set(headers).json({ error: code });
  }) satisfies express.ErrorRequestHandler);
  return supertest(app);
};

test.each(['/console', '/console/', '/console/callback?code=1', '/console/7c9e6679/webhooks'])(
  '%s serves the page',
  async (path) => {
    const { text, headers } = await service().get(path).expect(200);
    expect(text).toBe('<meta name="service-url" content="https://people.example/&quot;&amp;"><p>the page');
    expect(headers['cache-control']).toBe('no-cache, no-transform');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    await service().get(path).set('If-None-Match', headers.etag!).expect(304);
  },
);

test('assets are cached forever and sent precompressed', async () => {
  const plain = await service().get('/console/assets/index-abc.js').set('Accept-Encoding', 'identity').expect(200);
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable, no-transform',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  const packed = await service()
    .get('/console/assets/index-abc.js')
    .set('Accept-Encoding', 'gzip, deflate, br')
    .buffer()
    .parse((res, done) => {
      const parts: Buffer[] = [];
      res.on('data', (part) => parts.push(part));
      res.on('end', () => done(null, Buffer.concat(parts)));
    });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(packed.headers.etag).not.toBe(plain.headers.etag);
  expect(packed.body.toString()).toBe('console.log(1)'); // decompressed by the client
});

test.each(['/console/assets/nothing.js', '/console/assets/notes.txt', '/console/assets/..%2findex.html'])(
  '%s returns 404',
  async (path) => {
    const { body } = await service().get(path).expect(404);
    expect(body.error).toBe('not_found');
  },
);

test('rejects other methods', async () => {
  const { headers } = await service().post('/console/callback').expect(405);
  expect(headers.allow).toBe('GET, HEAD');
});

test('returns 404 if the console isn’t built', async () => {
  expect((await service(join(folder, 'nowhere')).get('/console').expect(404)).body.error).toBe('not_found');
});
