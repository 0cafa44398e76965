import { migrateQueue, newestMigration } from '../../../src/platform/schema/migrate-queue.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('the tables of the queue', () => {
  const migrations = () => database.query('select id from graphile_worker.migrations order by id');

  test('the latest migration is known without loading the library', async () => {
    const found = await migrations();
    expect(Number(found.at(-1)!.id)).toBe(newestMigration);
  });

  test('the library runs only if they are missing', async () => {
    const before = await migrations();
    await database.query('drop schema graphile_worker cascade');
    await migrateQueue(database.url);
    await migrateQueue(database.url);
    expect(await migrations()).toEqual(before);
  });

  test('the index of locked jobs is added to existing tables', async () => {
    await database.query('drop index if exists graphile_worker.jobs_locked');
    await Promise.all([migrateQueue(database.url), migrateQueue(database.url)]);
    expect(await database.query("select from pg_indexes where indexname = 'jobs_locked'")).toHaveLength(1);
  });
});
