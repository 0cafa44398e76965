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
  const text = Buffer.alloc(300_000_000, 'a');
  text.write('{"name":"');
  let bomb!: Buffer;
  const controlMs = await processorTime(() => (bomb = pack(text)));
  expect(bomb.length).toBeLessThan(400_000);
  const before = process.memoryUsage().rss;
  for (const path of ['/v1/collaborators', '/v1/collaborators/import']) {
    let sent: Awaited<ReturnType<typeof send>> | undefined;
    const spentMs = await processorTime(async () => {
      sent = await send(path, encoding, bomb);
    });
    expect(sent).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    expect(spentMs).toBeLessThan(controlMs + 500);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test('rejects compressed forms and unknown encodings', async () => {
  const form = gzipSync(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n--b--\r\n',
  );
  expect(await send('/v1/collaborators/import', 'gzip', form, 'multipart/form-data; boundary=b')).toMatchObject({
    status: 415,
  });
  expect(await send('/v1/collaborators', 'compress', Buffer.from('{}'))).toMatchObject({ status: 415 });
});
