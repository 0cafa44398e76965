/** Bodies with a `Content-Encoding`, which can decompress to gigabytes. */
import { brotliCompressSync, constants, deflateSync, gzipSync, type InputType, zstdCompressSync } from 'node:zlib';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { processorTime } from '../../helpers/timing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const send = async (path: string, encoding: string, body: Buffer, type = 'application/json') => {
  const headers = { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id };
  const response = await fetch(`${app.base_url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, 'content-encoding': encoding },
    body: body as Buffer<ArrayBuffer>,
  });
  return { status: response.status, body: (await response.json()) as { error: string } };
};
const encodings = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', (text: InputType) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['zstd', zstdCompressSync],
] as const;

test.each(encodings)('accepts %s', async (encoding, pack) => {
  const person = { name: 'Ana Reis', email: `${encoding}@example.com`, position: 'Planner', department: 'Operations' };
  const { status } = await send('/v1/collaborators', encoding, pack(JSON.stringify(person)));
  expect(status).toBe(201);
});

test.each(encodings)('rejects %s that decompresses to 300 MB, and stops at the limit', async (encoding, pack) => {
  const [small, large] = [bodyOf(30), bodyOf(300)].map((text) => pack(text)) as [Buffer, Buffer];
  const before = process.memoryUsage().rss;
  for (const path of ['/v1/collaborators', '/v1/collaborators/import']) {
    const rejection = async (body: Buffer) => {
      const sent = await send(path, encoding, body);
      expect(sent).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    };
    const times: [smallMs: number, largeMs: number][] = [];
    for (let round = 0; round < 3; round++) {
      times.push([await processorTime(() => rejection(small)), await processorTime(() => rejection(large))]);
    }
    const leastOf = (which: 0 | 1) => Math.min(...times.map((each) => each[which]));
    expect(leastOf(1)).toBeLessThan(4 * leastOf(0)); // ten times as much to decompress
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

function bodyOf(megabytes: number): Buffer {
  const text = Buffer.alloc(megabytes * 1_000_000, 'a');
  text.write('{"name":"');
  return text;
}

test('rejects compressed forms and unknown encodings', async () => {
  const form = gzipSync(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n--b--\r\n',
  );
  expect(await send('/v1/collaborators/import', 'gzip', form, 'multipart/form-data; boundary=b')).toMatchObject({
    status: 415,
  });
  expect(await send('/v1/collaborators', 'compress', Buffer.from('{}'))).toMatchObject({ status: 415 });
});
