/** `make fuzz` with few requests against a service in this process; the same requests in each run unless SEED is set. */

import { randomUUID } from 'node:crypto';
import { tryPages } from '../../../scripts/proof/fuzz/pages.ts';
import { rawCases, tryRaw } from '../../../scripts/proof/fuzz/raw.ts';
import { tryOperation } from '../../../scripts/proof/fuzz/run.ts';
import { hangUp } from '../../../scripts/proof/fuzz/send.ts';
import { createWorld, type World } from '../../../scripts/proof/fuzz/world.ts';
import { contractOperations } from '../../../src/contract/contract.ts';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

const seed = Number(process.env.SEED ?? 1);
const runs = Number(process.env.RUNS ?? 1);

let app: TestApp;
let world: World;
let clientId: string;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '500', WEBHOOK_TEST_WAIT_MS: '100' });
  const redirectUris = ['http://127.0.0.1/callback'];
  clientId = (await createClient(app.database.db, { name: 'Fuzz', redirect_uris: redirectUris, public: true })).id;
  const { base_url: baseUrl, admin, manager, employee } = app;
  const connect = async () => {
    const grantId = randomUUID();
    await app.as('report', { client_id: clientId, grant_id: grantId });
    return grantId;
  };
  world = await createWorld({ base_url: baseUrl, callers: { admin, manager, employee }, connect });
});
afterAll(async () => {
  hangUp();
  await app.close();
});

test.each(contractOperations.map((each) => [each.operation.operationId, each] as const))(
  `%s accepts valid input, reports each error at its field, and survives the rest (SEED=${seed})`,
  async (_, each) => {
    const { violations, requests } = await tryOperation(world, each, { seed, runs });
    expect(violations).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(runs);
  },
);

test(`survives pages, files, and documents (SEED=${seed})`, async () => {
  const { violations } = await tryPages({ base_url: app.base_url, client_id: clientId }, { seed, runs: runs * 6 });
  expect(violations).toEqual([]);
});

test('rejects malformed HTTP, and sends no extra responses', async () => {
  const results = await Promise.all(rawCases.map((each) => tryRaw(app.base_url, each)));
  expect(results.filter(({ violations }) => violations.length > 0)).toEqual([]);
  expect((await app.admin.get('/v1/permissions').expect(200)).body.data.length).toBeGreaterThan(0);
});
