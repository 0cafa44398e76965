/** Postgres can't store NUL in text, so a NUL in a URL is rejected or matches nothing. */
import { contractOperations } from '../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const id = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';

/** A NUL in one parameter and harmless values in the others. */
const addresses = contractOperations.flatMap(({ path, method, operation }) => {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const filled = (wrong?: string) => path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === wrong ? 'a%00b' : id));
  return [
    ...names.map((name) => [operation.operationId, name, method, filled(name)] as const),
    ...query.map(({ name }) => [operation.operationId, name!, method, `${filled()}?${name}=a%00b`] as const),
  ];
});

test('covers such URLs', () => {
  expect(addresses.length).toBeGreaterThan(50);
});

test.each(addresses)('%s: %s', async (_, __, method, address) => {
  const response = await fetch(app.base_url + address, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id },
  });
  expect(response.status).toBeLessThan(500);
  await response.arrayBuffer();
});
