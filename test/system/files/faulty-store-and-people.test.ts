/** Restores, erasures, and exports with a faulty file store: nothing partial or lost, and success after it recovers. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { restoreBackup } from '../../../src/platform/backup/restore.ts';
import { writeBackup } from '../../../src/platform/backup/take.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { eraseCollaborator } from '../../../src/product/erasure/erase-person.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { unzip } from '../../helpers/archive.ts';
import { temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Fault, type FaultName, slowly } from '../../helpers/network/s3-faults.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { addDocument, pdf } from '../../helpers/resources/documents.ts';
import { download } from '../../helpers/resources/exports.ts';
import { testSettings } from '../../helpers/settings.ts';
import { testWorker } from '../../helpers/worker.ts';

const STORAGE_TIMEOUT_MS = '2000';
const large = Buffer.concat([pdf, Buffer.alloc(300_000, 'x')]);

let peer: S3Peer;
let app: TestApp;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [peer, folder] = await Promise.all([startS3(), temporaryFolder()]);
  app = await testApp({ STORAGE_URL: peer.url(), STORAGE_TIMEOUT_MS });
});
afterEach(() => peer.misbehave(undefined));
afterAll(async () => {
  await app.close();
  await Promise.all([peer.close(), folder.remove()]);
});

const keyOf = async (id: string) =>
  (await app.database.query<{ key: string }>('select key from documents where id = $1', [id]))[0]!.key;

/** Acknowledges a large object and drops it. */
const forgetsLarge: Fault = ({ req, res, body, proceed }) => {
  if (req.method !== 'PUT' || body.length < large.length) return proceed();
  res.writeHead(200, { ETag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
};

describe('a backup', () => {
  let target: TestDatabase;
  let other: S3Peer;
  let backup: string;
  let key: string;
  beforeAll(async () => {
    [target, other] = await Promise.all([testDatabase(2, { template: 'template0' }), startS3()]);
    key = await keyOf(await addDocument(app, app.employee.collaborator_id, { file: large }));
    backup = `${folder.path}/backup.zip`;
    const { encryption_keys: encryptionKeys } = app.config;
    await writeBackup({
      url: app.database.url,
      storage: createStorage(app.config),
      encryption_keys: encryptionKeys,
      target: backup,
      ...watched,
    });
  });
  afterEach(() => other.misbehave(undefined));
  afterAll(async () => {
    await other.close();
    await target.drop();
  });
  const watched = { signal: new AbortController().signal, onProgress: () => {} };
  const open = () =>
    createStorage(readConfig({ ...testSettings, DATA_DIR: folder.path, STORAGE_URL: other.url(), STORAGE_TIMEOUT_MS }));
  const restore = () => {
    const { encryption_keys: encryptionKeys } = app.config;
    return restoreBackup({
      url: target.url,
      storage: open(),
      encryption_keys: encryptionKeys,
      source: backup,
      force: false,
      ...watched,
    });
  };
  const companies = async () => (await target.query(`select to_regclass('public.companies') as there`))[0];

  test.each<[FaultName, string[]]>([
    ['keeps_half', ['PUT']],
    ['no_page', ['HEAD', 'GET']],
  ])('isn’t restored if the store does %s to %j', async (fault, methods) => {
    other.misbehave(fault, methods);
    await expect(restore()).rejects.toMatchObject({ status: 503 });
    expect(await companies()).toEqual({ there: null });
  });

  test('isn’t restored if the store drops acknowledged files', async () => {
    other.objects.clear(); // from earlier tests
    other.misbehave(forgetsLarge);
    await expect(restore()).rejects.toThrow(/^the file \S+ is referenced but missing: nothing was changed$/);
    expect(await companies()).toEqual({ there: null });
  });

  test('is restored after the store recovers, however slow it is', async () => {
    const slow = slowly(20, 100_000);
    other.misbehave((exchange) =>
      exchange.req.method === 'GET' && !exchange.stored ? exchange.proceed() : slow(exchange),
    );
    await restore();
    expect((await target.query('select from companies')).length).toBe(2);
    expect((await buffer(await open().read(key))).equals(large)).toBe(true);
  });
});

describe('erasing a person', () => {
  test.each(['denies', 'keeps_removed'] as FaultName[])(
    'succeeds, and the sweep removes the files after the store recovers: %s',
    async (fault) => {
      const person = {
        name: 'Ivo Luz',
        email: `ivo-${fault}@example.com`.replaceAll('_', '-'),
        position: 'Cook',
        department: 'Kitchen',
      };
      const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
      const key = await keyOf(await addDocument(app, body.id));
      peer.misbehave(fault, ['DELETE']);
      const { encryption_keys: encryptionKeys } = app.config;
      const erasing = {
        db: app.database.db,
        storage: createStorage(app.config),
        encryption_keys: encryptionKeys,
        dry_run: false,
        companyFiles: false,
      };
      const erased = await eraseCollaborator(erasing, { id: app.company_id, name: 'x' }, body.id);
      expect(erased).toMatchObject({ collaborator_id: body.id, documents: 1 });
      expect(await app.database.query('select from documents where key = $1', [key])).toEqual([]);
      expect(peer.objects.has(key)).toBe(true);
      peer.misbehave(undefined);
      await sweepFiles(app.database.db, createStorage(app.config), { olderThanS: -10 });
      expect(peer.objects.has(key)).toBe(false);
    },
  );
});

describe('personal data exports', () => {
  test.each<[FaultName, string]>([
    ['breaks_off', 'GET'],
    ['keeps_half', 'PUT'],
  ])('wait for the store and are complete then: %s to %s', async (fault, method) => {
    const person = {
      name: 'Rui Paz',
      email: `rui-${fault}-${method}@example.com`.replaceAll('_', '-'),
      position: 'Cook',
      department: 'Kitchen',
    };
    const { body: created } = await app.admin.post('/v1/collaborators', person).expect(201);
    await addDocument(app, created.id, { file: large, filename: 'large.pdf' });
    const requests = () => peer.requests.filter(({ method: of }) => of === method).length;
    const before = requests();
    peer.misbehave(fault, [method]);
    const worker = await testWorker(app);
    try {
      const { body } = await app.admin.post(`/v1/collaborators/${created.id}/personal-data`).expect(202);
      await eventually(async () => {
        expect(requests()).toBeGreaterThan(before);
        const rows = await app.database.query('select status, attempts from exports where id = $1', [body.id]);
        expect(rows).toEqual([{ status: 'queued', attempts: 0 }]); // released, because an outage doesn't count as an attempt
      });
      peer.misbehave(undefined);
      await app.database.query('update exports set due_at = now() where id = $1 and due_at > now()', [body.id]);
      const done = await eventually(async () => {
        const { body: exportJob } = await app.admin.get(`/v1/exports/${body.id}`).expect(200);
        expect(exportJob.status).toBe('completed');
        return exportJob;
      });
      const files = await unzip(await download(done.url));
      const [document] = JSON.parse(files.get('documents.json')!.toString());
      expect(files.get(document.file)!.equals(large)).toBe(true);
    } finally {
      await worker.stop();
    }
  });
});
