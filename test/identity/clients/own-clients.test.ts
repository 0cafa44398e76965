/** The service's built-in clients are created at startup, and follow its address. */
import { listClients } from '../../../src/identity/clients/clients.ts';
import { ensureBuiltInClients } from '../../../src/identity/clients/ensure-own-clients.ts';
import { referenceClientId } from '../../../src/identity/clients/reference-client.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database?.drop());

const addresses = async () =>
  Object.fromEntries((await listClients(database.db)).map(({ id, redirect_uris: redirectUris }) => [id, redirectUris]));

test('creates all of them, and updates their redirect URIs with the service’s address', async () => {
  await ensureBuiltInClients(database.db, 'http://127.0.0.1:8080');
  const before = await addresses();
  expect(before).toEqual({
    'account-page': ['http://127.0.0.1:8080/account'],
    'api-reference': ['http://127.0.0.1:8080/docs/signed-in'],
    'command-line': ['http://127.0.0.1/callback'],
    console: ['http://127.0.0.1:8080/console/callback'],
  });
  await ensureBuiltInClients(database.db, 'https://api.example');
  expect(await addresses()).toEqual({
    ...before,
    'account-page': ['https://api.example/account'],
    'api-reference': ['https://api.example/docs/signed-in'],
    console: ['https://api.example/console/callback'],
  });
});

test('writes nothing if they are up to date', async () => {
  await ensureBuiltInClients(database.db, 'https://api.example');
  const versions = () => database.query('select id, xmin::text as version from oauth_clients order by id');
  const before = await versions();
  await ensureBuiltInClients(database.db, 'https://api.example');
  expect(await versions()).toEqual(before);
});

test('recreates a missing one, but not a revoked one', async () => {
  await ensureBuiltInClients(database.db, 'https://api.example');
  expect(await revokeClient(database.db, referenceClientId)).toBe(true);
  await database.query("delete from oauth_clients where id = 'console'");
  await ensureBuiltInClients(database.db, 'https://api.example');
  const clients = new Map((await listClients(database.db)).map((client) => [client.id, client]));
  expect(clients.get(referenceClientId)!.revoked_at).not.toBeNull();
  expect(clients.get('console')!.revoked_at).toBeNull();
});
