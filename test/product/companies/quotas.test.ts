/** Quotas of a company: reported when used up, and configurable per company. */
import { setQuota } from '../../../src/product/companies/companies.ts';
import { createQuotas, type QuotaName } from '../../../src/product/companies/quotas.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';
import { objects, picture, upload } from '../../helpers/resources/documents.ts';
import { exportPaths } from '../../helpers/resources/exports.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  people,
  requiredHeaders,
  runImport,
  sendImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;

const person = (number: number) => ({
  name: `P ${number}`,
  email: `p${number}@example.com`,
  position: 'x',
  department: 'y',
});
const full = (quota: QuotaName, limit: number, used = limit) => ({
  error: 'conflict',
  details: { quota, quota_limit: limit, quota_used: used },
});
const allow = (quota: QuotaName, limit: number | null) => setQuota(app.database.db, app.company_id, quota, limit);

describe('collaborators', () => {
  /** The company starts with four. */
  beforeEach(async () => {
    app = await testApp({ QUOTA_PEOPLE: '6' });
  });
  afterEach(() => app.close());

  test('limits people whom a directory adds or restores, but not those who are here already', async () => {
    const directory = await addDirectory(app);
    const { email } = (await app.admin.post('/v1/collaborators', person(1)).expect(201)).body;
    const { id } = (await directory.post('/Users', { userName: 'p2@example.com' }).expect(201)).body;
    await directory.post('/Users', { userName: email }).expect(201);
    const { body } = await directory.post('/Users', { userName: 'p3@example.com' }).expect(409);
    expect(body.detail).toBe('The company can have 6 collaborators, and has 6. Its operator can allow more.');
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    await directory.post('/Users', { userName: 'p3@example.com' }).expect(201);
    await directory.post('/Users', { userName: 'p2@example.com' }).expect(409);
    await expectConsistent(app);
  });

  test('limits single, bulk, and restored people alike', async () => {
    const { body: added } = await app.admin.post('/v1/collaborators', person(1)).expect(201);
    await app.admin.post('/v1/collaborators', person(2)).expect(201);
    const { body } = await app.admin.post('/v1/collaborators', person(3)).expect(409);
    expect(body).toMatchObject(full('people', 6));
    expect(body.message).toBe('The company can have 6 collaborators, and has 6. Its operator can allow more.');
    const items = [person(1), person(4)];
    const bulk = await app.admin.post('/v1/collaborators/bulk', { mode: 'upsert', items }).expect(409);
    expect(bulk.body).toMatchObject(full('people', 6));
    await app.admin.post('/v1/collaborators/bulk', { mode: 'upsert', items: [person(1)] }).expect(200);
    await app.outsider.post('/v1/collaborators', person(3)).expect(201);

    await app.admin.delete(`/v1/collaborators/${added.id}`).expect(200);
    await app.admin.post('/v1/collaborators', person(3)).expect(201);
    const restored = await app.admin.post(`/v1/collaborators/${added.id}/restore`).expect(409);
    expect(restored.body).toMatchObject(full('people', 6));
    expect(await allow('people', 7)).toBe(true);
    await app.admin.post(`/v1/collaborators/${added.id}/restore`).expect(200);
    await app.admin.post('/v1/collaborators', person(5)).expect(409);
    await allow('people', null);
    await app.admin.post('/v1/collaborators', person(5)).expect(409);
    await expectConsistent(app);
  });

  test('fails an import with too many rows, and the commit of one checked earlier', async () => {
    const worker = await testWorker(app);
    try {
      const checked = await runImport(app.admin, { file: people([1, 2]), dry_run: true });
      expect(checked.status).toBe('completed');
      const job = await runImport(app.admin, { file: people([3, 4, 5]) });
      expect(job).toMatchObject({ status: 'failed', failure: { reason: 'quota_exceeded' }, counts: { created: 0 } });
      expect(await worker.registry.metrics()).toContain('quota_refusals_total{quota="people"} 1');
      await app.admin.post('/v1/collaborators', person(1)).expect(201);
      const { body } = await app.admin.post(`/v1/imports/${checked.id}/commit`).expect(409);
      expect(body).toMatchObject(full('people', 6, 5));
      await allow('people', 100);
      expect(await runImport(app.admin, { file: people([3, 4, 5]) })).toMatchObject({ status: 'completed' });
      await expectConsistent(app);
    } finally {
      await worker.stop();
    }
  });
});

describe('other resources', () => {
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());
  afterEach(async () => {
    for (const quota of ['storage_bytes', 'open_exports', 'open_imports', 'import_errors'] as const) {
      await allow(quota, null);
    }
  });

  test('files over the quota are rejected and removed', async () => {
    await allow('storage_bytes', 0);
    const { collaborator_id: collaboratorId } = app.employee;
    const document = await upload(app.admin, collaboratorId).expect(409);
    expect(document.body).toMatchObject(full('storage_bytes', 0));
    const photo = { content_base64: (await picture()).toString('base64') };
    const refused = await app.admin.put(`/v1/collaborators/${collaboratorId}/photo`, photo).expect(409);
    expect(refused.body).toMatchObject(full('storage_bytes', 0));
    expect((await sendImport(app.admin, {}).expect(409)).body).toMatchObject(full('storage_bytes', 0));
    expect(await objects(app)).toEqual([]);

    await allow('storage_bytes', 70_000);
    await upload(app.admin, collaboratorId).expect(201);
    await app.admin.put(`/v1/collaborators/${collaboratorId}/photo`, photo).expect(200);
    const last = await upload(app.admin, collaboratorId, { file: Buffer.alloc(9_000, 'a'), filename: 'a.txt' }).expect(
      409,
    );
    const { quota_used: used } = last.body.details;
    expect(used).toBeGreaterThan(65_536);
    const known = createQuotas(app.config.quotas);
    const tenant = app.database.db.tenant(app.company_id);
    expect(await known.use(tenant, 'storage_bytes')).toEqual({ limit: 70_000, used });
  });

  test('limits unfinished exports and imports', async () => {
    await allow('open_exports', 0);
    await allow('open_imports', 1);
    const individual = `${exportPaths.individual}?collaborator_id=${app.employee.collaborator_id}`;
    const alias = '/v1/collaborators/export/group';
    for (const path of [individual, exportPaths.list, exportPaths.group, alias]) {
      expect((await app.admin.get(path).expect(409)).body).toMatchObject(full('open_exports', 0));
    }
    await allow('open_exports', 1);
    for (let time = 0; time < 2; time++) await app.admin.get(individual).expect(200); // each ends before the next

    await sendImport(app.admin, {}).expect(202);
    expect((await sendImport(app.admin, {}).expect(409)).body).toMatchObject(full('open_imports', 1));
  });

  test('errors of old imports make room for new ones, and a file with too many keeps the first of each row', async () => {
    await allow('import_errors', 5);
    const worker = await testWorker(app);
    const faulty = (rows: number) =>
      csv([requiredHeaders, ...Array.from({ length: rows }, () => ['', 'no address', 'x', 'y'] as const)]);
    try {
      const first = await runImport(app.admin, { file: faulty(2) });
      expect(first.error_count).toBe(4);
      expect(await errorsOf(app.admin, first.id)).toHaveLength(4);
      const second = await runImport(app.admin, { file: faulty(2) });
      const next = await sendImport(app.admin, { file: people([1]) }).expect(202); // runs after the cleanup
      await waitForImport(app.admin, next.body.id);
      expect(await errorsOf(app.admin, first.id)).toEqual([]);
      expect(await errorsOf(app.admin, second.id)).toHaveLength(4);
      const large = await runImport(app.admin, { file: faulty(5) });
      expect(large).toMatchObject({ error_count: 7, counts: { created: 0, failed: 5 } });
      await allow('import_errors', 100);
      const rows = summarizeErrors(await errorsOf(app.admin, large.id)).map((location) =>
        location.split(' ')[0]!.slice(1),
      );
      expect([...new Set(rows)]).toEqual(['2', '3', '4', '5', '6']);
    } finally {
      await worker.stop();
    }
  });

  test('rejects an unknown company', async () => {
    expect(await setQuota(app.database.db, 'nobody', 'people', 1)).toBe(false);
    expect(await setQuota(app.database.db, '01994f7e-0b2c-7a65-9e18-c4d7205b8f13', 'people', 1)).toBe(false);
  });
});
