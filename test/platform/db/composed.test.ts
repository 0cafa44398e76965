/** Statements cached by their shape. */
import { CompiledQuery, sql } from 'kysely';
import { cachedQuery } from '../../../src/platform/db/query-cache.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { aboutConnection, openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
let first: Tenant;
let second: Tenant;
beforeAll(async () => {
  database = await testDatabase(1);
  const person = { name: 'Ada Admin', password: 'correct horse battery staple', position: 'Head', department: 'Board' };
  const companies = [];
  for (const name of ['first', 'second']) {
    companies.push(await createCompany(database.db, name, { ...person, email: `ada@${name}.example` }));
  }
  await database.query(aboutConnection('select count(*)::int as kept from pg_prepared_statements'));
  [first, second] = companies.map(({ company }) => database.db.tenant(company.id)) as [Tenant, Tenant];
});
afterAll(() => database.drop());

let built = 0;
const people = cachedQuery(
  (tenant: Tenant, shape: { sort: 'name' | 'email' }, values: { email?: string; name?: string }) => {
    built++;
    return tenant
      .selectFrom('collaborators')
      .select('email')
      .$if(values.email !== undefined, (query) => query.where('email', '=', values.email!))
      .$if(values.name !== undefined, (query) => query.where('name', '=', values.name!))
      .orderBy(shape.sort);
  },
);

/** The number of prepared statements on the only connection of a pool. */
async function preparedCountOf({ db }: Pick<TestDatabase, 'db'>): Promise<number> {
  const statement = CompiledQuery.raw('select kept from worker_pools');
  return (await db.global.executeQuery<{ kept: number }>(statement)).rows[0]!.kept;
}

test('builds one statement per shape, and each request gets its own company’s rows and values', async () => {
  built = 0;
  for (let n = 0; n < 3; n++) {
    expect(await people(first, { sort: 'name' }, { email: 'ada@first.example' })).toEqual([
      { email: 'ada@first.example' },
    ]);
    expect(await people(second, { sort: 'name' }, { email: 'ada@first.example' })).toEqual([]);
    expect(await people(second, { sort: 'name' }, { email: 'ada@second.example' })).toHaveLength(1);
  }
  expect(built).toBe(1);
  expect(await people(second, { sort: 'name' }, { name: 'Ada Admin' })).toEqual([{ email: 'ada@second.example' }]);
  expect(await people(second, { sort: 'name' }, {})).toHaveLength(1);
  expect(await people(second, { sort: 'name' }, { email: undefined })).toHaveLength(1);
  expect(await people(second, { sort: 'email' }, {})).toHaveLength(1);
  expect(built).toBe(4);
});

test('in a transaction sees its own writes', async () => {
  await first.transaction(async (tx) => {
    await tx.updateTable('collaborators').set({ email: 'new@first.example' }).execute();
    expect(await people(tx, { sort: 'name' }, {})).toEqual([{ email: 'new@first.example' }]);
    await tx.updateTable('collaborators').set({ email: 'ada@first.example' }).execute();
  });
});

test('throws if a value is lost in the builder, instead of reusing the first one', async () => {
  const forgetful = cachedQuery((tenant: Tenant, _: object, { email }: { email: string }) => {
    return tenant.selectFrom('collaborators').select('id').where('email', '=', `${email}`);
  });
  await expect(forgetful(first, {}, { email: 'ada@first.example' })).rejects.toThrow('value 1 is no parameter');
});

test('Postgres prepares frequent statements, and none if disabled', async () => {
  const before = await preparedCountOf(database);
  for (let n = 0; n < 5; n++) await people(first, { sort: 'email' }, { email: 'x', name: 'y' });
  expect(await preparedCountOf(database)).toBe(before);
  for (let n = 0; n < 20; n++) await people(first, { sort: 'email' }, { email: 'x', name: 'y' });
  expect(await preparedCountOf(database)).toBe(before + 1);

  const without = openTestDatabase(database.url, 1, async () => {}, { preparedStatements: false });
  for (let n = 0; n < 5; n++)
    await people(without.db.tenant(first.company_id), { sort: 'email' }, { email: 'x', name: 'y' });
  expect(await preparedCountOf(without)).toBe(0);
  await without.drop();
});

test('with any number of shapes, Postgres prepares a limited number, and all return results', async () => {
  const numbered = cachedQuery((tenant: Tenant, { n }: { n: number }, { email }: { email: string }) => {
    const ofShape = tenant.selectFrom('collaborators').select('email').where('email', '=', email);
    return ofShape.select(sql<number>`${sql.lit(n)}::int`.as('n')).orderBy('email');
  });
  for (let n = 0; n < 150; n++) {
    for (let use = 0; use < 12; use++) {
      expect(await numbered(first, { n }, { email: 'ada@first.example' })).toEqual([{ email: 'ada@first.example', n }]);
    }
  }
  const count = await preparedCountOf(database);
  expect(count).toBeGreaterThan(50);
  expect(count).toBeLessThan(110);
});
