/** Outage of the file store: every path responds 503 with Retry-After and nothing partial, and succeeds after it recovers. */
import type supertest from 'supertest';
import { writeBackup } from '../../../src/platform/backup/take.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/command.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { FaultName } from '../../helpers/network/s3-faults.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { addDocument, fetchFile, pdf, picture, upload } from '../../helpers/resources/documents.ts';
import { exportPaths } from '../../helpers/resources/exports.ts';
import { importsPath, people, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let peer: S3Peer;
let app: TestApp;
let person: string;
beforeAll(async () => {
  peer = await startS3();
  app = await testApp({ STORAGE_URL: peer.url(), STORAGE_TIMEOUT_MS: '2000' });
  person = app.employee.collaborator_id;
});
afterEach(() => peer.misbehave(undefined));
afterAll(async () => {
  await app.close();
  await peer.close();
});

const link = async (id: string) =>
  (await app.admin.get(`/v1/collaborators/${person}/documents/${id}`).expect(200)).body.url as string;
const large = Buffer.concat([pdf, Buffer.alloc(300_000, 'x')]);

const writers: Record<string, () => PromiseLike<supertest.Response>> = {
  'an upload': () => upload(app.admin, person),
  'a photo': async () => {
    const contentBase64 = (await picture()).toString('base64');
    return app.admin.put(`/v1/collaborators/${person}/photo`, { content_base64: contentBase64 });
  },
  'an import': () =>
    app.admin.post(importsPath).attach('file', people([1, 2]), { filename: 'people.csv', contentType: 'text/csv' }),
  'a template': () => app.admin.get('/v1/collaborators/import-template'),
};

test.each(Object.keys(writers))(
  '%s returns 503, and leaves no row, if the store doesn’t store what it is sent',
  async (name) => {
    const rows = async () =>
      app.database.query(`select (select count(*) from documents) as documents, (select count(*) from imports) as imports,
          (select count(*) from collaborator_history) as history, (select avatar_key from collaborators where id = '${person}') as photo`);
    const before = await rows();
    peer.misbehave('keeps_half', ['PUT']);
    const refused = await writers[name]!();
    expect([refused.status, refused.headers['retry-after'], refused.body.error]).toEqual([
      503,
      '5',
      'service_unavailable',
    ]);
    expect(await rows()).toEqual(before);
  },
);

test.each(Object.keys(writers))('%s succeeds soon after the store recovers', async (name) => {
  await eventually(async () => expect((await writers[name]!()).status).toBeLessThan(300));
});

test('rejects an upload immediately while the store is known to be silent, and accepts it soon after recovery', async () => {
  peer.misbehave('silent');
  await eventually(async () => expect((await app.anon.get('/readyz')).body).toMatchObject({ storage: false }));
  const requestCount = peer.requests.length;
  const refusals = await Promise.all([1, 2, 3].map(() => upload(app.admin, person)));
  expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(peer.requests.slice(requestCount).filter(({ method }) => method === 'PUT')).toEqual([]);
  peer.misbehave(undefined);
  await eventually(async () => expect((await upload(app.admin, person)).status).toBe(201)); // without anyone querying its state
});

describe('a link to a document', () => {
  test.each(['denies', 'ignores_ranges', 'cuts'] as FaultName[])(
    'stays valid, and its ranges are correct: %s',
    async (fault) => {
      const id = await addDocument(app, person, { file: large });
      const url = await link(id);
      peer.misbehave(fault);
      const whole = await fetch(url)
        .then(
          async (response) => [response.status, Buffer.from(await response.arrayBuffer())] as const,
          () => ['broken off', Buffer.alloc(0)] as const,
        )
        .catch(() => ['broken off', Buffer.alloc(0)] as const);
      if (whole[0] === 200)
        expect(whole[1]).toEqual(large); // the fault ignores ranges, and this request has none
      else expect([503, 'broken off']).toContain(whole[0]);
      const part = await fetch(url, { headers: { Range: 'bytes=10-200009' } })
        .then(async (response) => [response.status, Buffer.from(await response.arrayBuffer())] as const)
        .catch(() => ['broken off', Buffer.alloc(0)] as const);
      expect([503, 'broken off']).toContain(part[0]);
      peer.misbehave(undefined);
      expect(await fetchFile(url)).toMatchObject({ status: 200, bytes: large });
    },
  );

  test.each(['breaks_off', 'changes'] as FaultName[])('doesn’t end as if complete: %s', async (fault) => {
    const url = await link(await addDocument(app, person, { file: large }));
    peer.misbehave(fault, ['GET']);
    const response = await fetch(url);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('with a wrong Content-Length is aborted, and not taken as complete', async () => {
    const url = await link(await addDocument(app, person, { file: large }));
    for (const bytes of [large.length - 7, large.length + 7]) {
      peer.misbehave(
        ({ res, headers }) => void res.writeHead(200, { ...headers, 'Content-Length': bytes }).end(),
        ['HEAD'],
      );
      const response = await fetch(url);
      expect(response.headers.get('content-length')).toBe(String(bytes));
      await response.arrayBuffer().then(
        (got) => expect(got.byteLength).toBe(bytes), // the connection ends at the announced size
        (error) => expect(String(error)).toMatch(/terminated/),
      );
    }
  });

  test('returns 503 without the bucket, not 404, because files aren’t deleted', async () => {
    const url = await link(await addDocument(app, person));
    peer.misbehave(({ res }) => {
      res.writeHead(404, { 'Content-Type': 'application/xml' });
      res.end('<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>no</Message></Error>');
    });
    expect((await fetch(url)).status).toBe(503);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(503);
  });
});

test('an export isn’t ready before its file is stored', async () => {
  peer.misbehave('keeps_half', ['PUT']);
  const response = await app.admin.get(exportPaths.list).query({ format: 'csv' });
  expect([503, 202]).toContain(response.status); // a worker continues it
  expect(await app.database.query("select from exports where status = 'completed'")).toEqual([]);
});

test('an import waits for the store for any time, and then runs', async () => {
  const id = await startImport(app.admin, { file: people([101, 102]) });
  peer.misbehave('denies', ['GET']); // rejected immediately
  const worker = await testWorker(app);
  try {
    for (let outage = 1; outage <= 3; outage++) {
      // It failed once and waits for the retry, which the test skips.
      await eventually(async () => {
        // Earlier imports wait too, and this one waits for them.
        const requeue = 'update imports set due_at = now() where due_at > now() and not is_held returning attempts';
        const waiting = await app.database.query(requeue);
        expect(waiting).toContainEqual({ attempts: 0 });
        expect(waiting).not.toContainEqual({ attempts: 1 });
      });
    }
    peer.misbehave(undefined);
    expect(await waitForImport(app.admin, id)).toMatchObject({ status: 'completed' });
  } finally {
    await worker.stop();
  }
});

describe('deletion', () => {
  test('of a document succeeds, and the sweep removes its file after recovery', async () => {
    const id = await addDocument(app, person);
    const [row] = await app.database.query<{ key: string }>('select key from documents where id = $1', [id]);
    peer.misbehave('keeps_removed', ['DELETE']);
    await app.admin.delete(`/v1/collaborators/${person}/documents/${id}`).expect(200);
    expect(peer.objects.has(row!.key)).toBe(true);
    const storage = createStorage(app.config);
    await expect(sweepFiles(app.database.db, storage, { olderThanS: -10 })).rejects.toMatchObject({ status: 503 });
    peer.misbehave(undefined);
    await sweepFiles(app.database.db, storage, { olderThanS: -10 });
    expect(peer.objects.has(row!.key)).toBe(false);
  });
});

describe('a backup', () => {
  test.each(['no_page', 'cuts'] as FaultName[])('fails instead of omitting files: %s', async (fault) => {
    await addDocument(app, person, { file: large });
    const { path, remove } = await temporaryFolder();
    peer.misbehave(fault, fault === 'no_page' ? ['GET', 'HEAD'] : ['GET']);
    const backup = writeBackup({
      url: app.database.url,
      storage: createStorage(app.config),
      encryption_keys: app.config.encryption_keys,
      target: `${path}/backup.zip`,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    await expect(backup).rejects.toMatchObject({ status: 503 });
    await remove();
  });
});
