import { resources } from '../../../../src/api/http/resources.ts';
import { contractOperations } from '../../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addConnection } from '../../../helpers/database/connections.ts';
import { addApp } from '../../../helpers/resources/apps.ts';
import { defineField } from '../../../helpers/resources/custom-fields.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';
import { startImport } from '../../../helpers/resources/imports.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';
import { addWebhook } from '../../../helpers/resources/webhooks.ts';

const unknownId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
let app: TestApp;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await testApp();
  ids = {
    collaborator: app.report.collaborator_id,
    app: await addApp(app),
    connection: await addConnection(app),
    custom_field: (await defineField(app.admin, { key: 'shirt_size', type: 'text' })).key,
    directory: (await addDirectory(app)).id,
    sign_in_connection: await addSignInConnection(app),
    saved_view: (await app.admin.post('/v1/saved-views', { name: 'Fleet', filters: {} }).expect(201)).body.id,
    webhook: await addWebhook(app),
    import: await startImport(app.admin, {}),
    export: (await app.admin.get('/v1/collaborators/export/list').expect(200)).body.id,
  };
});
afterAll(() => app.close());

const of = (resource: string) =>
  contractOperations.find(({ method, operation }) => method === 'get' && operation['x-resource'] === resource)!.path;

test('there is exactly one loader for each resource of the contract', () => {
  const words = contractOperations.flatMap(({ operation }) => operation['x-resource'] ?? []);
  expect(new Set(Object.keys(resources))).toEqual(new Set(words));
});

test.each(Object.keys(resources))(
  'finds %s in the company, and returns the same 404 for foreign and unknown ids',
  async (word) => {
    const at = (id: string) => of(word).replace(/\{(id|key)\}/, id);
    const { body } = await app.admin.get(at(ids[word]!)).expect(200);
    expect(body.id ?? body.key).toBe(ids[word]);
    const foreign = await app.outsider.get(at(ids[word]!)).expect(404);
    for (const id of [unknownId, 'nonsense']) {
      expect((await app.admin.get(at(id)).expect(404)).text).toBe(foreign.text);
    }
  },
);

test('returns 404 out of reach, but finds visible read-only records, which return 403 later', async () => {
  const ofAdmin = `/v1/collaborators/${app.admin.collaborator_id}`;
  await app.employee.get(ofAdmin).expect(404);
  await app.employee.delete(ofAdmin).expect(404);
  await app.employee.delete(`/v1/collaborators/${app.employee.collaborator_id}`).expect(403);
});

test('deleted people are found only by the operation that declares it', async () => {
  const id = app.employee.collaborator_id;
  await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
  const others = contractOperations.filter(
    ({ operation }) => operation['x-resource'] === 'collaborator' && !operation['x-deleted-records'],
  );
  expect(others.length).toBeGreaterThan(10);
  for (const { method, path, operation } of others) {
    const address = path.replace('{id}', id).replace(/\{\w+\}/, unknownId);
    const response = await fetch(`${app.base_url}${address}`, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id },
    });
    expect([operation.operationId, response.status]).toEqual([operation.operationId, 404]);
  }
  await app.admin.post(`/v1/collaborators/${id}/restore`).expect(200);
});
