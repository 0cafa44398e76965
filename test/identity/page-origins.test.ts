/** Each process caches the list of origins: it is notified of changes elsewhere, and never trusts an outdated list. */
import { createClient } from '../../src/identity/clients/clients.ts';
import { createPageOrigins } from '../../src/identity/clients/page-origins.ts';
import { type AccessListener, listenForAccessChanges } from '../../src/platform/notify/listen.ts';
import { revokeClient } from '../../src/product/connections/revoke-client.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { longLeaseMs } from '../helpers/settings.ts';

const page = 'https://app.example';
const client = { name: 'Page', redirect_uris: [`${page}/callback`], public: true };

let database: TestDatabase;
let access: AccessListener;

beforeEach(async () => {
  database = await testDatabase();
  access = listenForAccessChanges({ url: database.url, leaseMs: longLeaseMs });
  await access.ready;
});
afterEach(async () => {
  await access.close();
  await database.drop();
});

test('is read once, until a client is added or revoked', async () => {
  const { db } = database;
  const origins = createPageOrigins(db, access);
  const results = await Promise.all([page, page, 'null'].map((origin) => origins.allows(origin)));
  expect(results).toEqual([false, false, false]);
  expect(origins.allows(page)).toBe(false); // cached, without a query
  const { id } = await createClient(db, client);
  await eventually(async () => expect(await origins.allows(page)).toBe(true));
  expect(origins.allows(page)).toBe(true);
  await revokeClient(db, id);
  await eventually(async () => expect(await origins.allows(page)).toBe(false));
});

test('a client with a secret adds no origin', async () => {
  const { db } = database;
  const origins = createPageOrigins(db, access);
  await createClient(db, { ...client, public: false });
  await createClient(db, { ...client, redirect_uris: ['https://other.example/callback'] });
  await eventually(async () => expect(await origins.allows('https://other.example')).toBe(true));
  expect(await origins.allows(page)).toBe(false);
});

test('a process that lost its listener reads the list again', async () => {
  const { db } = database;
  const origins = createPageOrigins(db, access);
  expect(await origins.allows(page)).toBe(false);
  await access.close();
  await createClient(db, client);
  await eventually(async () => expect(await origins.allows(page)).toBe(true));
});
