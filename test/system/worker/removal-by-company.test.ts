/** Retention finds old rows by index: it reads no retained rows of any company. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { removeDeletedDocuments } from '../../../src/worker/tasks/cleanup/deleted-documents.ts';
import { removeOldIdempotencyKeys } from '../../../src/worker/tasks/cleanup/idempotency-keys.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const retained = 500;
const old = 3;
let database: TestDatabase;
let companies: string[];
beforeAll(async () => {
  database = await testDatabase();
  const admin = { name: 'Ana', position: 'x', department: 'y', password: 'correct horse battery staple' };
  companies = [];
  for (const name of ['Verde', 'Nordwind'])
    companies.push((await createCompany(database.db, name, { ...admin, email: `${name}@example.com` })).company.id);
  for (const companyId of companies) {
    await database.query(
      `insert into idempotency_keys (company_id, key_hash, request_hash, status, headers, created_at)
       select $1, sha256(n::text::bytea), '', 200, '{}', now() - case when n <= $3::int then interval '2 days' else '0' end
       from generate_series(1, $2::int) n`,
      [companyId, retained + old, old],
    );
    await database.query(
      `insert into documents (company_id, id, collaborator_id, key, name, type, media_type, size, sha256, deleted_at)
       select $1, gen_random_uuid(), (select id from collaborators where company_id = $1 limit 1),
         case when n > $3::int then gen_random_uuid()::text end, 'x', 'other', 'text/plain', 1, $4,
         case when n <= $3::int then now() - interval '40 days' end
       from generate_series(1, $2::int) n`,
      [companyId, retained + old, old, randomBytes(32)],
    );
  }
  await database.query('vacuum analyze idempotency_keys, documents');
});
afterAll(() => database.drop());

interface Reads {
  rows: number;
  changes: number;
}

async function reads(table: string): Promise<Reads> {
  const [row] = await database.query<Reads>(
    `select (seq_tup_read + idx_tup_fetch)::int as rows, n_tup_del::int as changes
     from pg_stat_user_tables where relname = $1`,
    [table],
  );
  return row!;
}

test.each([
  ['idempotency_keys', removeOldIdempotencyKeys],
  ['documents', removeDeletedDocuments],
] as const)('%s', async (table, remove) => {
  const before = await reads(table);
  // Separate connections, which flush their counters when they close.
  const db = openDatabase({
    url: database.url,
    poolSize: 1,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 60_000,
  });
  expect(await remove(db)).toBe(old * companies.length);
  await db.close();
  await eventually(async () => {
    const others = "datname = current_database() and application_name = 'collaborator-api'";
    expect(await database.query(`select from pg_stat_activity where ${others}`)).toEqual([]);
  });
  expect((await reads(table)).changes - before.changes).toBe(old * companies.length);
  // Once to find the part, and once to delete it.
  expect((await reads(table)).rows - before.rows).toBeLessThanOrEqual(2 * old * companies.length);
});
