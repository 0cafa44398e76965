/**
 * What callers get while the store of files is out of order: 503 with Retry-After and nothing half, on whatever way they came
 * to it; and the same request succeeds when the store is mended.
 */
import type supertest from 'supertest';
import { takeBackup } from '../../../src/platform/backup/take.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/command.ts';
import { addDocument, fetched, pdf, picture, upload } from '../../helpers/documents.ts';
import { eventually } from '../../helpers/eventually.ts';
import { exportPaths } from '../../helpers/exports.ts';
import { endOf, importsPath, people, startImport } from '../../helpers/imports.ts';
import type { FaultName } from '../../helpers/s3-faults.ts';
import { type S3Peer, startS3 } from '../../helpers/s3-peer.ts';
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

describe.each(['full', 'silent', 'keeps_half'] as FaultName[])(
  'a store that does not keep what it is sent: %s',
  (fault) => {
    test.each(Object.keys(writers))('%s is 503, leaves no row, and succeeds when it is mended', async (name) => {
      const rows = async () =>
        app.database.query(`select (select count(*) from documents) as documents, (select count(*) from imports) as imports,
          (select count(*) from collaborator_history) as history, (select avatar_key from collaborators where id = '${person}') as photo`);
      const before = await rows();
      peer.misbehave(fault, ['PUT']);
      const refused = await writers[name]!();
      expect([refused.status, refused.headers['retry-after'], refused.body.error]).toEqual([
        503,
        '5',
        'service_unavailable',
      ]);
      expect(await rows()).toEqual(before);
    });
  },
);

test.each(Object.keys(writers))('%s succeeds when the store is mended', async (name) => {
  const answer = await writers[name]!();
  expect(answer.status).toBeLessThan(300);
});

test('an upload to a store that is known to be silent is refused at once, and taken soon after it is back', async () => {
  peer.misbehave('silent');
  await eventually(async () => expect((await app.anon.get('/readyz')).body).toMatchObject({ storage: false }));
  const asked = peer.requests.length;
  const refusals = await Promise.all([1, 2, 3].map(() => upload(app.admin, person)));
  expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(peer.requests.slice(asked).filter(({ method }) => method === 'PUT')).toEqual([]);
  peer.misbehave(undefined);
  await eventually(async () => expect((await upload(app.admin, person)).status).toBe(201)); // nobody asks for its state
});

describe('a link to a document', () => {
  test.each(['denies', 'silent', 'no_page', 'ignores_ranges', 'cuts'] as FaultName[])(
    'is not dead, nor are its parts whole: %s',
    async (fault) => {
      const id = await addDocument(app, person, { file: large });
      const url = await link(id);
      peer.misbehave(fault);
      const whole = await fetch(url)
        .then(
          async (answer) => [answer.status, Buffer.from(await answer.arrayBuffer())] as const,
          () => ['broken off', Buffer.alloc(0)] as const,
        )
        .catch(() => ['broken off', Buffer.alloc(0)] as const);
      if (whole[0] === 200)
        expect(whole[1]).toEqual(large); // a range was ignored that nobody asked for
      else expect([503, 'broken off']).toContain(whole[0]);
      const part = await fetch(url, { headers: { Range: 'bytes=10-200009' } })
        .then(async (answer) => [answer.status, Buffer.from(await answer.arrayBuffer())] as const)
        .catch(() => ['broken off', Buffer.alloc(0)] as const);
      expect([503, 'broken off']).toContain(part[0]);
      peer.misbehave(undefined);
      expect(await fetched(url)).toMatchObject({ status: 200, bytes: large });
    },
  );

  test.each(['breaks_off', 'cuts', 'changes', 'stalls'] as FaultName[])(
    'does not end as if it were whole: %s',
    async (fault) => {
      const url = await link(await addDocument(app, person, { file: large }));
      peer.misbehave(fault, ['GET']);
      const answer = await fetch(url);
      await expect(answer.arrayBuffer()).rejects.toThrow();
    },
  );

  test('with sizes that do not agree ends, and is not taken for whole', async () => {
    const url = await link(await addDocument(app, person, { file: large }));
    for (const bytes of [large.length - 7, large.length + 7]) {
      peer.misbehave(
        ({ res, headers }) => void res.writeHead(200, { ...headers, 'Content-Length': bytes }).end(),
        ['HEAD'],
      );
      const answer = await fetch(url);
      expect(answer.headers.get('content-length')).toBe(String(bytes));
      await answer.arrayBuffer().then(
        (got) => expect(got.byteLength).toBe(bytes), // no more than was said; the connection has ended
        (error) => expect(String(error)).toMatch(/terminated/),
      );
    }
  });

  test('without the bucket is 503, not 404: files are not gone', async () => {
    const url = await link(await addDocument(app, person));
    peer.misbehave(({ res }) => {
      res.writeHead(404, { 'Content-Type': 'application/xml' });
      res.end('<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>no</Message></Error>');
    });
    expect((await fetch(url)).status).toBe(503);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(503);
  });
});

describe('an export', () => {
  test.each(['full', 'keeps_half'] as FaultName[])('is not ready before its file is kept: %s', async (fault) => {
    peer.misbehave(fault, ['PUT']);
    const answer = await app.admin.get(exportPaths.list).query({ format: 'csv' });
    expect([503, 202]).toContain(answer.status); // a worker goes on with what was begun
    expect(await app.database.query("select from exports where status = 'completed'")).toEqual([]);
  });
});

test('an import waits for the store as long as it takes, and is carried out then', async () => {
  const id = await startImport(app.admin, { file: people([101, 102]) });
  peer.misbehave('denies', ['GET']); // refused at once
  const worker = await testWorker(app);
  try {
    for (let outage = 1; outage <= 9; outage++) {
      // It was tried, and waits for the next time, which the test does not wait for.
      await eventually(async () => {
        // Those before it wait as well, and it for them.
        const again = 'update imports set due_at = now() where due_at > now() and not is_held returning attempts';
        const waiting = await app.database.query(again);
        expect(waiting).toContainEqual({ attempts: 0 });
        expect(waiting).not.toContainEqual({ attempts: 1 });
      });
    }
    peer.misbehave(undefined);
    expect(await endOf(app.admin, id)).toMatchObject({ status: 'completed' });
  } finally {
    await worker.stop();
  }
});

describe('removing', () => {
  test('a document succeeds, and the sweep removes its file when the store does that again', async () => {
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
  test.each(['no_page', 'cuts', 'denies'] as FaultName[])(
    'is none rather than one without files: %s',
    async (fault) => {
      await addDocument(app, person, { file: large });
      const { path, remove } = await temporaryFolder();
      peer.misbehave(fault, fault === 'no_page' ? ['GET', 'HEAD'] : ['GET']);
      const taken = takeBackup({
        url: app.database.url,
        storage: createStorage(app.config),
        encryption_keys: app.config.encryption_keys,
        target: `${path}/backup.zip`,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      await expect(taken).rejects.toMatchObject({ status: 503 });
      await remove();
    },
  );
});
