/** Prepared statements of a connection: a bounded number, whatever clients request, and connections have a limited lifetime. */
import { CompiledQuery } from 'kysely';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { aboutConnection, openTestDatabase, testDatabase } from '../../helpers/database/database.ts';

const poolSize = 3;
let app: TestApp;
beforeAll(async () => {
  const database = await testDatabase(poolSize);
  await database.query(
    aboutConnection('select pg_backend_pid() as pid, count(*)::int as kept from pg_prepared_statements'),
  );
  app = await testApp({}, database);
});
afterAll(() => app.close());

/** The number of prepared statements on each connection of the process. */
async function preparedByConnection(): Promise<number[]> {
  const { db } = app.database;
  const statement = CompiledQuery.raw('select pid, kept from worker_pools');
  type Found = { pid: number; kept: number };
  const lanes = Array.from({ length: 4 }, () => db.tenant(app.company_id).read<Found>(statement));
  const pool = Array.from({ length: poolSize }, async () => (await db.global.executeQuery<Found>(statement)).rows);
  const found = (await Promise.all([...lanes, ...pool])).flat();
  return [...new Map(found.map(({ pid, kept: prepared }) => [pid, prepared])).values()];
}

const fields = ['name', 'email', 'department', 'position', 'status', 'hire_date', 'created_at', 'updated_at'];
/** Distinct sort orders of three fields. */
const orders = fields.flatMap((a) =>
  fields.flatMap((b) => fields.flatMap((c) => (new Set([a, b, c]).size === 3 ? [`${a},-${b},${c}`] : []))),
);

test('hundreds of sort orders and filters leave only a few prepared statements', async () => {
  for (const sort of orders) await app.admin.get(`/v1/collaborators?sort=${sort}`).expect(200);
  for (const field of fields) await app.admin.get(`/v1/collaborators?sort=${field}&limit=5`).expect(200);
  for (const filter of [
    'status=active',
    'role=admin',
    'department=x',
    'location=y',
    'search=ana',
    'include_deleted=true',
  ]) {
    for (const sort of fields) await app.admin.get(`/v1/collaborators?${filter}&sort=${sort}`).expect(200);
  }
  const prepared = await preparedByConnection();
  expect(prepared.length).toBeGreaterThan(3);
  expect(Math.max(...prepared)).toBeLessThan(40);
  expect(Math.max(...prepared)).toBeGreaterThan(2); // frequent statements are prepared
}, 60_000);

test('connections are recycled without affecting requests', async () => {
  const young = openTestDatabase(app.database.url, 2, async () => {}, { connectionLifetimeS: 0.2 });
  const pids = new Set<number>();
  const runQueries = async () => {
    const { rows } = await young.db.global.executeQuery<{ pid: number }>(
      CompiledQuery.raw('select pg_backend_pid() as pid'),
    );
    pids.add(rows[0]!.pid);
  };
  while (pids.size < 5) await Promise.all([runQueries(), runQueries(), runQueries(), runQueries()]);
  await young.drop();
}, 10_000);
