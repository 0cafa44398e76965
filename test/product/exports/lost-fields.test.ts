/** Queued exports that are filtered or sorted by a custom field that the requester can't read anymore. */
import { createFiles } from '../../../src/platform/files/context.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import type { ExportRequest } from '../../../src/product/exports/content/export-request.ts';
import { createExport } from '../../../src/product/exports/create-export.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { clearFields, defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

/** Creates an export for the manager as the operation does, but always for a worker. */
async function queue(request: ExportRequest): Promise<string> {
  const { user_id: userId, collaborator_id: collaboratorId, company_id: companyId } = app.manager;
  const requester = {
    caller: { user_id: userId, scopes: ['exports:read'] },
    member: { collaborator_id: collaboratorId, role: 'manager' as const },
    tenant: app.database.db.tenant(companyId),
    files: createFiles(app.config, app.base_url),
    quotas: createQuotas(app.config.quotas),
    exportLeaseS: app.config.exports.leaseS,
  };
  return (await createExport(requester, request, 'file.csv', 0)).id;
}

async function ended(ids: readonly string[]): Promise<[status: string, failure: string | null][]> {
  const worker = await testWorker(app);
  try {
    return await eventually(async () => {
      const bodies = ids.map(async (id) => (await app.manager.get(`/v1/exports/${id}`).expect(200)).body);
      const states = (await Promise.all(bodies)).map(({ status, failure }) => [status, failure] as [string, string]);
      for (const [status] of states) expect(['completed', 'failed']).toContain(status);
      return states;
    });
  } finally {
    await worker.stop();
  }
}

const filters = { custom_fields: [{ key: 'size', type: 'text', operator: 'eq', value: 'm' }] } as const;
const requests: ExportRequest[] = [
  { kind: 'list', format: 'csv', query: { filters } },
  { kind: 'list', format: 'csv', query: { filters: {}, sort: 'name,-custom_fields.size' as 'name' } },
  { kind: 'group', format: 'xlsx', query: { filters, group_by: 'department' } },
];
const queueAll = async () => {
  const path = `/v1/collaborators/${app.report.collaborator_id}`;
  await app.admin.patch(path, { custom_fields: { size: 'm' } }).expect(200); // an export of nobody isn't queued
  const ids: string[] = [];
  for (const request of requests) ids.push(await queue(request));
  return ids;
};
const failed = [
  'failed',
  'A field that this export is filtered or sorted by was removed, or you may no longer read it. Export again without it.',
];

test.each([
  ['hidden', { read: 'admin' }],
  ['archived', { archived: true }],
])('fail clearly if the field is %s meanwhile', async (_name, change) => {
  await defineField(app.admin, { key: 'size', type: 'text', read: 'manager' });
  const ids = await queueAll();
  await app.admin.patch(`${fieldsPath}/size`, change).expect(200);
  expect(await ended(ids)).toEqual([failed, failed, failed]);
});

test('are made while the field is readable', async () => {
  await defineField(app.admin, { key: 'size', type: 'text', read: 'manager' });
  expect(await ended(await queueAll())).toEqual(requests.map(() => ['completed', null]));
});
