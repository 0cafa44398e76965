/** What a transaction sends, and when; and the point reads that share connections. */
import { CompiledQuery, sql } from 'kysely';
import { isUnavailable, type Problem } from '../../../src/contract/problem.ts';
import { pointRead } from '../../../src/platform/db/statement.ts';
import type { EndTask, Tenant, TenantTransaction } from '../../../src/platform/db/tenant.ts';
import { TenantGuardError } from '../../../src/platform/tenancy/guard.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database.ts';
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

describe('point reads', () => {
  test('many at once: each gets its own rows, of its own company', async () => {
    const asked = Array.from({ length: 300 }, (_, n) => [n % 2 ? tenant : other, n % 3 ? 'first' : 'second'] as const);
    const found = await Promise.all(asked.map(([who, domain]) => byEmail(who, `ada@${domain}.example`)));
    for (const [i, rows] of found.entries()) {
      const [who, domain] = asked[i]!;
      const own = (who === tenant) === (domain === 'first');
      expect(rows.map(({ email }) => email)).toEqual(own ? [`ada@${domain}.example`] : []);
    }
  });

  test('one that fails does not touch those beside it', async () => {
    const results = await Promise.all([
      byEmail(tenant, 'ada@first.example'),
      settle(byId(tenant, 'no uuid')),
      byEmail(tenant, 'ada@first.example'),
    ]);
    expect(results[1]).toMatchObject({ code: '22P02' });
    expect([results[0], results[2]]).toEqual([[expect.anything()], [expect.anything()]]);
  });

  test('lost connections fail what is under way as an outage, and are replaced', async () => {
    const slow = tenant.read(CompiledQuery.raw('select pg_sleep(30), $1::text', ['']));
    const failed = settle(slow);
    await eventually(async () => {
      const [row] = await database.query<{ n: string }>(
        "select count(*) as n from pg_stat_activity where query like 'select pg_sleep(30)%' and state = 'active'",
      );
      expect(row!.n).toBe('1');
    });
    await killOthers();
    expect(isUnavailable(await failed)).toBe(true);
    await eventually(async () => expect(await byEmail(tenant, 'ada@first.example')).toHaveLength(1));
  });

  test('are guarded: another company’s id in place of the own is refused', async () => {
    const text = 'select id from collaborators where company_id = $1';
    await expect(async () => tenant.read(CompiledQuery.raw(text, [other.company_id]))).rejects.toThrow(
      TenantGuardError,
    );
    await expect(async () => tenant.read(CompiledQuery.raw('select id from collaborators'))).rejects.toThrow(
      TenantGuardError,
    );
  });

  test('an argument that is lost in the building is told, not read as of the first call', async () => {
    const forgetful = pointRead((tenant: Tenant, email: string) =>
      tenant.selectFrom('collaborators').select('id').where('email', '=', `${email}`),
    );
    await expect(forgetful(tenant, 'ada@first.example')).rejects.toThrow('value 1 is no parameter');
  });

  test('in a transaction see what it wrote, and nobody else does', async () => {
    await tenant.transaction(async (tx) => {
      const [{ id } = { id: '' }] = await byEmail(tx, 'ada@first.example');
      await tx.updateTable('collaborators').set({ email: 'new@first.example' }).where('id', '=', id).execute();
      expect(await byId(tx, id)).toEqual([{ email: 'new@first.example' }]);
      expect(await byId(tenant, id)).toEqual([{ email: 'ada@first.example' }]);
      await tx.updateTable('collaborators').set({ email: 'ada@first.example' }).where('id', '=', id).execute();
    });
  });
});

describe('transactions', () => {
  const tell = (tx: TenantTransaction) =>
    emit(tx, 'collaborator.photo_updated', {
      collaborator_id: 'x',
      name: 'x',
      email: 'x',
      has_photo: true,
      changed_by: null,
      changed_at: 'x',
    });
  /** Fails in Postgres, as the last statement. */
  const broken: EndTask<undefined> = {
    name: () => 'broken',
    merge: () => undefined,
    values: () => [],
    statement: () => sql`update users set name = name where 1 / (select 0) = 1`,
  };
  const rename = (name: string) => (tx: Tenant) =>
    tx.updateTable('collaborators').set({ name }).where('email', '=', 'ada@first.example').execute();
  const currentName = async () => {
    const rows = await tenant
      .selectFrom('collaborators')
      .select('name')
      .where('email', '=', 'ada@first.example')
      .execute();
    return rows[0]!.name;
  };
  const eventCount = async () => (await tenant.selectFrom('events').select('id').execute()).length;

  test('one that does nothing sends nothing', async () => {
    expect(await tenant.transaction(async () => 'done')).toBe('done');
  });

  test('what is told at the end commits with the rest', async () => {
    const before = await eventCount();
    await tenant.transaction(async (tx) => {
      await rename('Ada Renamed')(tx);
      for (let n = 0; n < 3; n++) await tell(tx);
      expect(await eventCount()).toBe(before);
    });
    expect([await currentName(), await eventCount()]).toEqual(['Ada Renamed', before + 3]);
  });

  test('it commits also when there is nothing else', async () => {
    const before = await eventCount();
    await tenant.transaction(tell);
    expect(await eventCount()).toBe(before + 1);
  });

  test('then it is one statement, without a beginning and a commit, and fails as a whole', async () => {
    const sent: string[] = [];
    const observer = { statement: (text: string) => void sent.push(text), acquired() {} };
    const watched = openTestDatabase(database.url, 1, async () => {}, { observer });
    const company = watched.db.tenant(tenant.company_id);
    const before = await eventCount();
    await company.transaction(tell);
    expect(sent).toEqual([expect.stringMatching(/insert into "events"/)]);
    const failed = company.transaction(async (tx) => {
      await tell(tx);
      tx.atEnd(broken, undefined);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    await company.transaction(tell); // on the same connection
    expect([sent.length, await eventCount()]).toEqual([3, before + 2]);
    await watched.drop();
  });

  test('a task says what its failure means', async () => {
    const known = new Error('known');
    const task: EndTask<undefined> = { ...broken, problem: () => known as Problem };
    const failed = tenant.transaction(async (tx) => tx.atEnd(task, undefined));
    await expect(failed).rejects.toBe(known);
  });

  test('a last statement that fails undoes the whole, with its own error', async () => {
    const before = await eventCount();
    const failed = tenant.transaction(async (tx) => {
      await rename('Nobody')(tx);
      await tell(tx);
      tx.atEnd(broken, undefined);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect([await currentName(), await eventCount()]).toEqual(['Ada Renamed', before]);
  });

  test('a first statement that fails undoes the whole, and the connection is as good as new', async () => {
    const failed = tenant.transaction(async (tx) => {
      await tx.selectFrom('collaborators').select('id').where('id', '=', 'no uuid').execute();
    });
    await expect(failed).rejects.toMatchObject({ code: '22P02' });
    await tenant.transaction(rename('Ada Again'));
    expect(await currentName()).toBe('Ada Again');
  });

  test('one whose work throws leaves nothing, whether it had begun or not', async () => {
    const stop = new Error('stop');
    const early = tenant.transaction(async () => Promise.reject(stop));
    const late = tenant.transaction(async (tx) => {
      await rename('Nobody')(tx);
      await tell(tx);
      throw stop;
    });
    const before = await eventCount();
    await expect(early).rejects.toBe(stop);
    await expect(late).rejects.toBe(stop);
    expect([await currentName(), await eventCount()]).toEqual(['Ada Again', before]);
  });

  test('an attempt that is undone takes back what it would have told', async () => {
    const before = await eventCount();
    await tenant.transaction(async (tx) => {
      await tell(tx);
      await settle(
        tx.attempt(async () => {
          await tell(tx);
          await rename('Nobody')(tx);
          throw new Error('undone');
        }),
      );
    });
    expect([await currentName(), await eventCount()]).toEqual(['Ada Again', before + 1]);
  });

  test('without its connection it fails as an outage', async () => {
    const failed = tenant.transaction(async (tx) => {
      await rename('Nobody')(tx);
      await killOthers();
      await tell(tx);
    });
    expect(isUnavailable(await settle(failed))).toBe(true);
    await eventually(async () => expect(await currentName()).toBe('Ada Again'));
  });
});
