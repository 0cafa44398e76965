/** The built-in client of the reference page: created at startup for the service's address, and never recreated once revoked. */
import { createClient, listClients } from '../../../src/identity/clients/clients.ts';
import { ensureReferenceClient, referenceClientId } from '../../../src/identity/clients/reference-client.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase();
});

afterEach(() => database?.drop());

test('is created once, and follows the service’s address', async () => {
  const { db } = database;
  await ensureReferenceClient(db, 'http://127.0.0.1:8080');
  await Promise.all([
    ensureReferenceClient(db, 'https://api.example'),
    ensureReferenceClient(db, 'https://api.example'),
  ]);
  expect(await listClients(db)).toEqual([
    {
      id: referenceClientId,
      name: 'API reference',
      public: true,
      redirect_uris: ['https://api.example/docs/signed-in'],
      created_at: expect.any(String),
      company_id: null,
      visibility: 'company',
      approved_at: null,
      revoked_at: null,
    },
  ]);
});

test('isn’t created where a redirect wouldn’t be safe', async () => {
  await ensureReferenceClient(database.db, 'http://api.example');
  expect(await listClients(database.db)).toEqual([]);
});

test('stays revoked, and other clients aren’t affected', async () => {
  const { db } = database;
  const other = { name: 'Desk', redirect_uris: ['https://desk.example/callback'], public: true };
  const { id } = await createClient(db, other);
  await ensureReferenceClient(db, 'https://api.example');
  expect(await revokeClient(db, referenceClientId)).toBe(true);
  await ensureReferenceClient(db, 'https://moved.example');
  const clients = new Map((await listClients(db)).map((client) => [client.id, client]));
  expect(clients.get(referenceClientId)!.revoked_at).not.toBeNull();
  expect(clients.get(id)).toMatchObject({ ...other, revoked_at: null });
});
