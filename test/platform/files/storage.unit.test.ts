/** Both storages behave the same. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Problem } from '../../../src/contract/problem.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { ConfigError } from '../../../src/platform/config/config-error.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { newKey, partsOfKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { eventually } from '../../helpers/eventually.ts';
import { externalStore, uniqueStoreUrl } from '../../helpers/external-store.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { testSettings } from '../../helpers/settings.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const otherCompany = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a31';
let folder: string;
let peer: S3Peer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  peer = await startS3();
});

afterEach(async () => {
  await peer.close();
  await rm(folder, { recursive: true, force: true });
});

function open(settings: Record<string, string>): Storage {
  return createStorage(readConfig({ ...testSettings, DATA_DIR: folder, ...settings }));
}

const local = () => open({});
const s3 = (prefix = '') => open({ STORAGE_URL: peer.url(prefix) });
const stream = (content: Buffer) => Readable.from([content], { objectMode: false });
const keysOf = async (storage: Storage, after?: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(after)) keys.push(key);
  return keys;
};

function broken(bytes: number): Readable {
  return Readable.from(
    (async function* () {
      yield randomBytes(bytes);
      throw new Error('broke off');
    })(),
    { objectMode: false },
  );
}

const kinds: [string, () => Storage][] = [
  ['a folder', () => local()],
  ['S3', () => s3()],
  ['S3 with a prefix', () => s3('here/and there')],
];
if (externalStore) kinds.push(['the given store', () => open({ STORAGE_URL: uniqueStoreUrl(externalStore!) })]);

describe.each(kinds)('%s', (_, make) => {
  test('returns what was stored, in full and in part', async () => {
    const storage = make();
    const key = newKey(companyId, 'documents');
    const content = randomBytes(300_000);
    await storage.put(key, stream(content));
    expect(await storage.size(key)).toBe(300_000);
    expect(await buffer(await storage.read(key))).toEqual(content);
    expect(await buffer(await storage.read(key, { start: 0, end: 0 }))).toEqual(content.subarray(0, 1));
    expect(await buffer(await storage.read(key, { start: 1_000, end: 299_999 }))).toEqual(content.subarray(1_000));
  });

  test('reports missing objects', async () => {
    const storage = make();
    const key = newKey(companyId, 'documents');
    expect(await storage.size(key)).toBeUndefined();
    await expect(storage.read(key)).rejects.toMatchObject({ status: 404 });
    await storage.remove(key);
    expect(await keysOf(storage)).toEqual([]);
  });

  test('forgets removed objects', async () => {
    const storage = make();
    const key = newKey(companyId, 'photos');
    await storage.put(key, stream(randomBytes(10)));
    expect([await storage.size(key), await keysOf(storage)]).toEqual([10, [key]]);
    await storage.remove(key);
    expect(await storage.size(key)).toBeUndefined();
    expect(await keysOf(storage)).toEqual([]);
  });

  test('stores nothing of an aborted upload', async () => {
    const storage = make();
    for (const bytes of [10, 500_000]) {
      await expect(storage.put(newKey(companyId, 'documents'), broken(bytes))).rejects.toThrow('broke off');
    }
    expect(await keysOf(storage)).toEqual([]);
    expect(peer.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('lists in key order, from any key on', async () => {
    const storage = make();
    const keys = [
      ...Array.from({ length: 5 }, () => newKey(companyId, 'documents')),
      ...Array.from({ length: 2 }, () => newKey(companyId, 'photos')),
      newKey(otherCompany, 'documents'),
    ].sort();
    const startedMs = Date.now();
    for (const key of keys.toReversed()) await storage.put(key, stream(Buffer.from('x')));
    expect(await keysOf(storage)).toEqual(keys);
    for (let i = 0; i < keys.length; i++) expect(await keysOf(storage, keys[i])).toEqual(keys.slice(i + 1));
    expect(await keysOf(storage, `${companyId}/e`)).toEqual(keys.slice(5));
    for await (const { modifiedAt } of storage.list()) {
      // A store may round to seconds.
      expect(modifiedAt.getTime()).toBeGreaterThan(startedMs - 1_000);
      expect(modifiedAt.getTime()).toBeLessThan(Date.now() + 1_000);
    }
  });
});

describe('a folder', () => {
  test('is private, and shows nothing incomplete', async () => {
    const storage = local();
    const key = newKey(companyId, 'documents');
    const content = new Readable({ read() {} });
    const put = storage.put(key, content);
    content.push(randomBytes(200_000));
    const drafts = join(folder, 'files', '.unfinished');
    await eventually(async () => expect(await readdir(drafts)).toHaveLength(1));
    expect(await storage.size(key)).toBeUndefined();
    expect(await keysOf(storage)).toEqual([expect.stringMatching(/^\.unfinished\/[0-9a-f]{32}$/)]);
    content.push(null);
    await put;
    expect(await readdir(drafts)).toEqual([]);
    expect((await stat(join(folder, 'files', key))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'files', companyId))).mode & 0o777).toBe(0o700);
  });

  test('ignores other files in it', async () => {
    const storage = local();
    const key = newKey(companyId, 'documents');
    await storage.put(key, stream(Buffer.from('x')));
    await writeFile(join(folder, 'files', 'README'), 'of somebody else');
    await mkdir(join(folder, 'files', 'lost+found'));
    await writeFile(join(folder, 'files', 'lost+found', '#123'), 'of somebody else');
    expect(await keysOf(storage)).toEqual([key]);
  });

  test('lists and removes leftovers of an interrupted write', async () => {
    const storage = local();
    await storage.put(newKey(companyId, 'documents'), stream(Buffer.from('x')));
    await writeFile(join(folder, 'files', '.unfinished', 'abc123'), 'half');
    const [leftover] = await keysOf(storage);
    expect(leftover).toBe('.unfinished/abc123');
    await storage.remove(leftover!);
    expect(await keysOf(storage)).toHaveLength(1);
  });

  test.each(['../secret', `${companyId}/documents/../../../secret`, '/etc/passwd', '', '.unfinished/../x', 'a'])(
    'can’t be escaped: %j',
    async (key) => {
      const storage = local();
      await expect(storage.put(key, stream(Buffer.from('x')))).rejects.toThrow('not a key');
      await expect(storage.read(key)).rejects.toThrow('not a key');
      await expect(storage.size(key)).rejects.toThrow('not a key');
      await expect(storage.remove(key)).rejects.toThrow('not a key');
    },
  );
});

describe('S3', () => {
  test('spools uploads through an unnamed file, so nothing stays on disk', async () => {
    const storage = s3();
    const content = new Readable({ read() {} });
    const put = storage.put(newKey(companyId, 'documents'), content);
    // The second is taken only once the file is open and has the first.
    for (let n = 0; n < 2; n++) content.push(randomBytes(200_000));
    await eventually(() => expect(content.readableLength).toBe(0));
    expect(await readdir(join(folder, 'spool'))).toEqual([]);
    content.push(null);
    await put;
    expect(await readdir(join(folder, 'spool'))).toEqual([]);
    expect(peer.objects.size).toBe(1);
  });

  test('signs each request with the hash of the content', async () => {
    const content = randomBytes(70_000);
    await s3().put(newKey(companyId, 'documents'), stream(content));
    const [{ headers }] = peer.requests as [S3Peer['requests'][number]];
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
    );
    expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(content).digest('hex'));
    expect(headers['content-length']).toBe('70000');
    expect(headers).not.toHaveProperty('x-amz-acl');
  });

  test('stores an object of any size in one request, so no parts can be left behind', async () => {
    const storage = s3();
    const key = newKey(companyId, 'exports');
    await storage.put(key, stream(randomBytes(12_000_000)));
    expect(peer.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`PUT /files/${key}`]);
  });

  test('errors and outages return 503 with the reason in the log only', async () => {
    const storage = s3();
    const key = newKey(companyId, 'documents');
    await storage.put(key, stream(Buffer.from('x')));
    peer.fail(403);
    const attempts = [
      () => storage.put(key, stream(Buffer.from('x'))),
      () => storage.read(key),
      () => storage.size(key),
      () => storage.remove(key),
      () => keysOf(storage),
    ];
    for (const attempt of attempts) {
      const error = (await attempt().then(
        () => undefined,
        (error) => error,
      )) as Problem;
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({
        status: 503,
        code: 'service_unavailable',
        cause: { message: expect.stringContaining('the store returned 403') },
      });
      expect(JSON.stringify(error.body())).not.toMatch(/403|InternalError|the store/);
    }
    await peer.close();
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 503 });
  });

  test('rejects a wrong secret', async () => {
    const storage = open({ STORAGE_URL: peer.url().replace('cret', 'gret') });
    await expect(storage.put(newKey(companyId, 'documents'), stream(Buffer.from('x')))).rejects.toMatchObject({
      status: 503,
      cause: { message: 'the store returned 403 with SignatureDoesNotMatch: the secret is wrong' },
    });
  });

  test('presigns URLs only if configured', async () => {
    expect(s3().presign).toBeUndefined();
    const storage = open({ STORAGE_URL: peer.url('p'), STORAGE_REDIRECT: 'true' });
    const key = newKey(companyId, 'documents');
    await storage.put(key, stream(Buffer.from('content')));
    const responseHeaders = { media_type: 'application/pdf', contentDisposition: 'attachment; filename="a.pdf"' };
    const url = await storage.presign!(key, { ...responseHeaders, expiresInS: 60 });
    const fetched = await fetch(url);
    expect(fetched.status).toBe(200);
    expect(fetched.headers.get('content-type')).toBe('application/pdf');
    expect(fetched.headers.get('content-disposition')).toBe('attachment; filename="a.pdf"');
    expect(await fetched.text()).toBe('content');
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('60');
    const other = await fetch(url.replace('a.pdf', 'b.pdf'));
    expect(other.status).toBe(403);
  });
});

describe('keys', () => {
  test('are random, and contain company and kind', () => {
    const keys = new Set(Array.from({ length: 1_000 }, () => newKey(companyId, 'exports')));
    expect(keys.size).toBe(1_000);
    for (const key of keys) expect(partsOfKey(key)).toEqual({ company_id: companyId, kind: 'exports' });
  });

  test.each([
    '',
    'x',
    `${companyId}/documents/ab/${'a'.repeat(39)}`,
    `${companyId}/other/ab/${'a'.repeat(40)}`,
    `/${newKey(companyId, 'photos')}`,
  ])('reject %j', (key) => expect(partsOfKey(key)).toBeUndefined());
});

describe('settings', () => {
  const read = (settings: Record<string, string>) => readConfig({ ...testSettings, ...settings });

  test('default to a folder in DATA_DIR', () => {
    expect(read({ DATA_DIR: '/data' }).storage).toEqual({ kind: 'local', folder: '/data/files' });
    expect(read({ STORAGE_URL: 'file:///srv/my%20files' }).storage).toEqual({ kind: 'local', folder: '/srv/my files' });
    expect(read({ STORAGE_URL: 'file:files' }).storage).toEqual({ kind: 'local', folder: 'files' });
  });

  test('support a bucket', () => {
    expect(read({ STORAGE_URL: 's3://bucket' }).storage).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      path_style: false,
      redirect: false,
      silence_ms: 30_000,
    });
    const url = 's3://id:a%2Fb@bucket/a/b/?region=eu-west-1&endpoint=https://minio:9000&path_style=true';
    expect(read({ STORAGE_URL: url, STORAGE_REDIRECT: 'true' }).storage).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: 'a/b',
      region: 'eu-west-1',
      endpoint: 'https://minio:9000',
      path_style: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'a/b' },
      redirect: true,
      silence_ms: 30_000,
    });
  });

  test.each([
    'files',
    'https://bucket',
    's3://',
    's3://key:hush@',
    's3://hush@bucket',
    's3://bucket?reigon=x',
    's3://bucket?endpoint=minio',
    `s3://bucket/${'p'.repeat(901)}`,
    'file:',
    'file://host/x',
  ])('reject %j without repeating it', (STORAGE_URL) => {
    expect(() => read({ STORAGE_URL })).toThrow(ConfigError);
    expect(() => read({ STORAGE_URL })).toThrow(/ STORAGE_URL(:| must) /);
    expect(() => read({ STORAGE_URL })).not.toThrow(/hush/);
  });

  test('take link keys from the setting, or derive them from ENCRYPTION_KEY', () => {
    const derivedKeys = read({}).fileKeys;
    expect(derivedKeys).toHaveLength(1);
    expect(derivedKeys[0]).toHaveLength(32);
    expect(derivedKeys[0]!.equals(read({}).encryption_keys[0])).toBe(false);
    const [a, b] = [randomBytes(32), randomBytes(32)];
    expect(read({ FILE_KEYS: `${a.toString('base64')}, ${b.toString('base64')}` }).fileKeys).toEqual([a, b]);
    expect(() => read({ FILE_KEYS: 'c2hvcnQ=' })).toThrow(/FILE_KEYS/);
  });

  test('configure the scanner', () => {
    expect(read({}).clamd).toBeUndefined();
    expect(read({ CLAMD_URL: 'tcp://clamd' }).clamd).toEqual({ host: 'clamd', port: 3310, timeout_ms: 30_000 });
    expect(read({ CLAMD_URL: 'tcp://[::1]:3311' }).clamd).toMatchObject({ host: '::1', port: 3311 });
    expect(() => read({ CLAMD_URL: 'http://clamd' })).toThrow(/CLAMD_URL/);
  });
});
