/** A single Postgres has no nodes to check; for a cluster, see test/cluster. */
import pg from 'pg';
import { watchMachines } from '../../../src/platform/schema/machines.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

test('asks once, checks nothing, and admits everyone', async () => {
  const machines = watchMachines(() => {
    throw new Error('a connection was opened to look for machines');
  });
  const client = new pg.Client(database.url);
  await client.connect();
  const query = jest.spyOn(client, 'query');
  await machines.meet(client);
  await machines.meet(client);
  await client.end();
  machines.admit('0198f7e0-0b2c-7a65-9e18-c4d7205b8f13');
  expect([query.mock.calls.length, machines.is_cluster, machines.lost(), await machines.recheck()]).toEqual([
    1,
    false,
    0,
    0,
  ]);
});
