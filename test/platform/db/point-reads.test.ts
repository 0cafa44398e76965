/** Reads of a few rows over shared connections. */
import { CompiledQuery } from 'kysely';
import { isUnavailable } from '../../../src/contract/problem.ts';
import { pointRead } from '../../../src/platform/db/statement.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { TenantGuardError } from '../../../src/platform/tenancy/guard.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

let database: TestDatabase;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  database = await testDatabase();
  const person = { name: 'Ada Admin', password: 'correct horse battery staple', position: 'Head', department: 'Board' };
  const first = await createCompany(database.db, 'First', { ...person, email: 'ada@first.example' });
  const second = await createCompany(database.db, 'Second', { ...person, email: 'ada@second.example' });
  tenant = database.db.tenant(first.company.id);
  other = database.db.tenant(second.company.id);
});
afterAll(() => database.drop());

const byEmail = pointRead((tenant: Tenant, email: string) =>
  tenant.selectFrom('collaborators').select(['id', 'email']).where('email', '=', email),
);
const byId = pointRead((tenant: Tenant, id: string) =>
  tenant.selectFrom('collaborators').select('email').where('id', '=', id).where('deleted_at', 'is', null),
);

const settle = async (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const killOthers = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'collaborator-api'`,
  );

test('concurrent reads get rows of their own company', async () => {
  const lookups = Array.from({ length: 300 }, (_, n) => [n % 2 ? tenant : other, n % 3 ? 'first' : 'second'] as const);
  const found = await Promise.all(lookups.map(([owner, domain]) => byEmail(owner, `ada@${domain}.example`)));
  for (const [i, rows] of found.entries()) {
    const [owner, domain] = lookups[i]!;
    const own = (owner === tenant) === (domain === 'first');
    expect(rows.map(({ email }) => email)).toEqual(own ? [`ada@${domain}.example`] : []);
  }
});

test('a failing read doesn’t affect concurrent ones', async () => {
  const results = await Promise.all([
    byEmail(tenant, 'ada@first.example'),
    settle(byId(tenant, 'no uuid')),
    byEmail(tenant, 'ada@first.example'),
  ]);
  expect(results[1]).toMatchObject({ code: '22P02' });
  expect([results[0], results[2]]).toEqual([[expect.anything()], [expect.anything()]]);
});

/** Counts until canceled. */
const endless = 'with recursive n as (select 1::bigint as i union all select i + 1 from n)';

test('lost connections fail pending reads as an outage, and are replaced', async () => {
  const slow = tenant.read(CompiledQuery.raw(`${endless} select count(*), $1::text from n`, ['']));
  const failed = settle(slow);
  await eventually(async () => {
    const [row] = await database.query<{ n: string }>(
      `select count(*) as n from pg_stat_activity where query like '${endless}%' and state = 'active'`,
    );
    expect(row!.n).toBe('1');
  });
  await killOthers();
  expect(isUnavailable(await failed)).toBe(true);
  await eventually(async () => expect(await byEmail(tenant, 'ada@first.example')).toHaveLength(1));
});

test('are guarded: another company’s id is rejected', async () => {
  const text = 'select id from collaborators where company_id = $1';
  await expect(async () => tenant.read(CompiledQuery.raw(text, [other.company_id]))).rejects.toThrow(TenantGuardError);
  await expect(async () => tenant.read(CompiledQuery.raw('select id from collaborators'))).rejects.toThrow(
    TenantGuardError,
  );
});

test('throws if an argument is lost in the builder, instead of reusing the first one', async () => {
  const forgetful = pointRead((tenant: Tenant, email: string) =>
    tenant.selectFrom('collaborators').select('id').where('email', '=', `${email}`),
  );
  await expect(forgetful(tenant, 'ada@first.example')).rejects.toThrow('value 1 is no parameter');
});

test('in a transaction see its writes, and nobody else does', async () => {
  await tenant.transaction(async (tx) => {
    const [{ id } = { id: '' }] = await byEmail(tx, 'ada@first.example');
    await tx.updateTable('collaborators').set({ email: 'new@first.example' }).where('id', '=', id).execute();
    expect(await byId(tx, id)).toEqual([{ email: 'new@first.example' }]);
    expect(await byId(tenant, id)).toEqual([{ email: 'ada@first.example' }]);
    await tx.updateTable('collaborators').set({ email: 'ada@first.example' }).where('id', '=', id).execute();
  });
});
