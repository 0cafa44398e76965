/** Postgres can't store NUL in text, so a NUL in a URL is rejected or matches nothing. */
import { contractOperations } from '../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { schemaErrors } from '../../helpers/contract/contract-schemas.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';
import { startImport } from '../../helpers/resources/imports.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const unknownId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
/** Ids of what exists, so that a NUL in a query parameter isn't preceded by 404. */
let ids: Record<string, string>;
beforeAll(async () => {
  await app.admin.put('/v1/company', { policy: { directory_visibility: 'basic' } }).expect(200);
  await eventually(() => app.admin.get('/v1/colleagues').expect(200));
  ids = {
    collaborator: app.report.collaborator_id,
    directory: (await addDirectory(app)).id,
    import: await startImport(app.admin, {}),
    webhook: await addWebhook(app),
  };
});

/**
 * A NUL in one parameter and harmless values in the others, for parameters that the contract lets pass, and paths of GET: the
 * other methods find records in the same way.
 */
const addresses = contractOperations.flatMap(({ path, method, operation }) => {
  const query = operation.parameters.filter(
    ({ in: place, schema }) => place === 'query' && schemaErrors(schema!, 'a\0b').length === 0,
  );
  const names = method === 'get' ? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!) : [];
  const resource = method === 'get' ? operation['x-resource'] : undefined;
  const filled = (wrong?: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      if (name === wrong) return 'a%00b';
      return name === 'field_name' ? 'department' : (resource && ids[resource]) || unknownId;
    });
  return [
    ...names.map((name) => [operation.operationId, name, method, () => filled(name)] as const),
    ...query.map(({ name }) => [operation.operationId, name!, method, () => `${filled()}?${name}=a%00b`] as const),
  ];
});

test('covers such URLs', () => {
  expect(addresses.length).toBeGreaterThan(30);
});

test.each(addresses)('%s: %s', async (_, __, method, address) => {
  const response = await fetch(app.base_url + address(), {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id },
  });
  // Not 401, 403, or 429, which would come before the parameter is used.
  expect([200, 400, 404]).toContain(response.status);
  await response.arrayBuffer();
});
