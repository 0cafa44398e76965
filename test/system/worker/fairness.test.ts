/** Work of one company, however much, doesn't block another company. */
import type { Readable } from 'node:stream';
import { createFiles, createStorage } from '../../../src/platform/files/context.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { createExport } from '../../../src/product/exports/create-export.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

async function requestExport(identity: 'admin' | 'outsider'): Promise<string> {
  const { user_id: userId, collaborator_id: collaboratorId, company_id: companyId } = app[identity];
  const requester = {
    caller: { user_id: userId, scopes: ['exports:read', 'salary:read'] },
    member: { collaborator_id: collaboratorId, role: 'admin' as const },
    tenant: app.database.db.tenant(companyId),
    files: createFiles(app.config, app.base_url),
    quotas: createQuotas({ ...app.config.quotas, open_exports: 100 }),
    exportLeaseS: app.config.exports.leaseS,
  };
  const list = { kind: 'list', format: 'csv', query: { filters: {}, sort: 'name' } } as const;
  return (await createExport(requester, list, 'file.csv', 0)).id;
}

const statusesOf = async (companyId: string) =>
  (
    await app.database.query<{ status: string }>('select status from exports where company_id = $1 order by id', [
      companyId,
    ])
  ).map(({ status }) => status);

test('twenty endless exports of one company leave a slot for another company', async () => {
  const storage = createStorage(app.config);
  const heldKeys = new Set<string>();
  let go: () => void = () => {};
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  let letsAll = false;
  const blockingStorage: Storage = {
    ...storage,
    async put(key, content: Readable) {
      // Holds the first company's exports, which were requested first.
      if (!letsAll && heldKeys.size < 2) {
        heldKeys.add(key);
        await Promise.race([mayGo, new Promise((_, reject) => content.once('error', reject))]);
      }
      await storage.put(key, content);
    },
  };
  for (let n = 0; n < 20; n++) await requestExport('admin');
  const worker = await testWorker(app, { storage: blockingStorage });
  try {
    await eventually(() => expect(heldKeys.size).toBe(2));
    await requestExport('outsider');
    await eventually(async () => expect(await statusesOf(app.outsider.company_id)).toEqual(['completed']));
    expect(await statusesOf(app.company_id)).not.toContain('completed');
    letsAll = true;
    go();
    await eventually(async () => expect(new Set(await statusesOf(app.company_id))).toEqual(new Set(['completed'])));
  } finally {
    letsAll = true;
    go();
    await worker.stop();
  }
});

test('an import of one company ends before the last of ten that another company started earlier', async () => {
  const largeImports: string[] = [];
  for (let n = 0; n < 10; n++) largeImports.push(await startImport(app.admin, { file: people(range(100, n * 100)) }));
  const smallImport = await startImport(app.outsider, { file: people(range(5)) });
  const worker = await testWorker(app, { concurrency: 2 });
  try {
    expect((await waitForImport(app.outsider, smallImport)).status).toBe('completed');
    const last = (await app.admin.get(`/v1/imports/${largeImports.at(-1)}`).expect(200)).body;
    expect(last.status).not.toBe('completed');
    expect((await waitForImport(app.admin, largeImports.at(-1)!)).status).toBe('completed');
  } finally {
    await worker.stop();
  }
});
