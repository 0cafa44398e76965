/** Bodies with a `Content-Encoding`, which can decompress to gigabytes. */
import { randomBytes } from 'node:crypto';
import zlib, {
  brotliCompressSync,
  constants,
  deflateSync,
  gzipSync,
  type InputType,
  zstdCompressSync,
} from 'node:zlib';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ MAX_BODY_BYTES: '100000' });
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
  ['gzip', gzipSync, zlib.Gunzip],
  ['deflate', deflateSync, zlib.Inflate],
  [
    'br',
    (text: InputType) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    zlib.BrotliDecompress,
  ],
  ['zstd', zstdCompressSync, zlib.ZstdDecompress],
] as const;

test.each(encodings)('accepts %s', async (encoding, pack) => {
  const person = { name: 'Ana Reis', email: `${encoding}@example.com`, position: 'Planner', department: 'Operations' };
  const { status } = await send('/v1/collaborators', encoding, pack(JSON.stringify(person)));
  expect(status).toBe(201);
});

test.each(encodings)(
  'rejects %s that decompresses to 50 times the limit, and stops at the limit',
  async (encoding, pack, Decoder) => {
    // A tenth is random, so that the position in the compressed body shows how much was decompressed.
    const piece = () => Buffer.concat([randomBytes(10_000), Buffer.alloc(90_000, 'a')]);
    const body = pack(Buffer.concat(Array.from({ length: 50 }, piece)));
    const destroyed = jest.spyOn(Decoder.prototype, 'destroy');
    const refused = await send('/v1/collaborators', encoding, body);
    expect(refused).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    const { bytesWritten } = destroyed.mock.contexts[0] as zlib.Gunzip;
    expect(bytesWritten).toBeLessThan(0.4 * body.length);
    destroyed.mockRestore();
  },
);

test('rejects compressed forms and unknown encodings', async () => {
  const form = gzipSync(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n--b--\r\n',
  );
  expect(await send('/v1/collaborators/import', 'gzip', form, 'multipart/form-data; boundary=b')).toMatchObject({
    status: 415,
  });
  expect(await send('/v1/collaborators', 'compress', Buffer.from('{}'))).toMatchObject({ status: 415 });
});
