/** Reading a consistent snapshot of a company in batches, for any duration. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../src/platform/db/client.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addPeople } from '../../helpers/resources/exports.ts';

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await testApp();
  await addPeople(app, 1_000);
  await addPeople(app, 10, app.outsider.company_id);
  tenant = app.database.db.tenant(app.company_id);
});
afterAll(() => app.close());

const names = (of: Tenant) => of.selectFrom('collaborators').select(['name', 'email']).orderBy('name').orderBy('id');

async function collected<T>(groups: AsyncIterable<T[]>): Promise<T[][]> {
  const all: T[][] = [];
  for await (const group of groups) all.push(group);
  return all;
}

test('returns every row once, in order, in batches of the requested size', async () => {
  for (const size of [1, 7, 1_000, 1_004, 5_000]) {
    const groups = await tenant.snapshot((snapshot) => collected(snapshot.groups(names(snapshot), size)));
    expect(groups.flat()).toEqual(await names(tenant).execute());
    expect(groups.slice(0, -1).every(({ length }) => length === size)).toBe(true);
  }
});

test('shows the company as it was at the start, even to several cursors', async () => {
  await tenant.snapshot(async (snapshot) => {
    const before = await names(snapshot).execute();
    await app.database.query("update collaborators set name = name || ' changed' where email like 'person1%'");
    const [first, second] = [snapshot.groups(names(snapshot), 300), snapshot.groups(names(snapshot), 400)];
    const read: unknown[][] = [[], []];
    for (let group = 0; group < 4; group++) {
      read[0]!.push(...((await first.next()).value ?? []));
      read[1]!.push(...((await second.next()).value ?? []));
    }
    expect(read).toEqual([before, before]);
  });
  expect((await names(tenant).execute()).some(({ name }) => name.endsWith('changed'))).toBe(true);
});

test('rejects writes', async () => {
  const writing = tenant.snapshot((snapshot) => snapshot.deleteFrom('events').execute());
  await expect(writing).rejects.toThrow('read-only transaction');
  await expect(tenant.snapshot((snapshot) => snapshot.transaction())).rejects.toThrow('for reading');
});

test('rejects other companies', async () => {
  const foreign = app.database.db.tenant(app.outsider.company_id);
  const reading = tenant.snapshot((snapshot) => collected(snapshot.groups(names(foreign), 10)));
  await expect(reading).rejects.toThrow('not the company');
});

test('can pause for longer than the statement timeout, up to its own limit', async () => {
  const limits = { connectTimeoutMs: 30_000, statementTimeoutMs: 1_000, poolSize: 1 };
  const db = openDatabase({ url: app.database.url, ...limits });
  const slowly = (maxPauseMs: number) =>
    db.tenant(app.company_id).snapshot(async (snapshot) => {
      let rows = 0;
      for await (const group of snapshot.groups(names(snapshot), 600)) {
        rows += group.length;
        await sleep(1_200);
      }
      return rows;
    }, maxPauseMs);
  try {
    expect(await slowly(30_000)).toBe(1_004);
    await expect(slowly(100)).rejects.toThrow(/connection error|terminat/);
    expect(await slowly(30_000)).toBe(1_004); // with a new connection
  } finally {
    await db.close();
  }
});

test('runs no query after it ends, and resets the connection', async () => {
  const one = openDatabase({
    url: app.database.url,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 60_000,
    poolSize: 1,
  });
  try {
    const ownTenant = one.tenant(app.company_id);
    const leaked = await ownTenant.snapshot(async (snapshot) => {
      const groups = snapshot.groups(names(snapshot), 10);
      await groups.next();
      return groups;
    });
    await expect(leaked.next()).rejects.toThrow('has ended');
    // The next user of the connection can write, with the usual limits.
    expect(
      await ownTenant.updateTable('collaborators').set({ phone: '1' }).where('name', '=', 'x').execute(),
    ).toBeDefined();
  } finally {
    await one.close();
  }
});
