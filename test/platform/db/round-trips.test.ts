/** Round trips of a transaction. */
import { CompiledQuery } from 'kysely';
import type { TenantTransaction } from '../../../src/platform/db/tenant.ts';
import { newId } from '../../../src/platform/values/ids.ts';
import { openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { roundTripProxy } from '../../helpers/round-trip-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

test.each([
  [true, 1, 2],
  [false, 5, 6],
])(
  'with pipelining %s, a transaction of three writes takes %i round trips, and %i with a read in between',
  async (...row) => {
    const [pipelining, without, withARead] = row;
    const update = 'update users set name = name where 1 = $1::int';
    const way = await roundTripProxy(database.url, update);
    const one = openTestDatabase(way.url, 1, async () => {}, { pipelining });
    const company = one.db.tenant(newId());
    const write = CompiledQuery.raw(update, [0]);
    const waits = async (work: (tx: TenantTransaction) => Promise<unknown>) => {
      const before = way.roundTrips();
      await company.transaction(work);
      return way.roundTrips() - before;
    };
    await waits(async (tx) => tx.write(write)); // connects
    const foundWithout = await waits(async (tx) => {
      for (let n = 0; n < 3; n++) tx.write(write);
    });
    expect(foundWithout).toBe(without);
    const found = waits(async (tx) => {
      tx.write(write);
      tx.write(write);
      expect((await tx.raw.executeQuery(CompiledQuery.raw('select 1 as one'))).rows).toEqual([{ one: 1 }]);
      tx.write(write);
    });
    expect(await found).toBe(withARead);
    const announced = waits(async (tx) => {
      for (let n = 0; n < 3; n++) tx.write(write);
      tx.afterCommit('news');
    });
    expect(await announced).toBe(without); // nothing waits for what follows the commit
    await one.drop();
    await way.close();
  },
);
