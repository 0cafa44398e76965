/** The statements a transaction sends, their order, and the handling of failures. */
import { CompiledQuery } from 'kysely';
import { isUnavailable } from '../../../src/contract/problem.ts';
import type { Tenant, TenantTransaction } from '../../../src/platform/db/tenant.ts';
import { TenantGuardError } from '../../../src/platform/tenancy/guard.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

let database: TestDatabase;
let tenant: Tenant;
beforeAll(async () => {
  database = await testDatabase();
  const person = { name: 'Ada Admin', password: 'correct horse battery staple', position: 'Head', department: 'Board' };
  const { company } = await createCompany(database.db, 'First', { ...person, email: 'ada@first.example' });
  tenant = database.db.tenant(company.id);
});
afterAll(() => database.drop());

const settle = async (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const killOthers = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'collaborator-api'`,
  );

const emitEvent = async (tx: TenantTransaction) =>
  emit(tx, 'collaborator.photo_updated', {
    collaborator_id: 'x',
    name: 'x',
    email: 'x',
    has_photo: true,
    changed_by: null,
    changed_at: 'x',
  });
/** A write that Postgres rejects: with 22012 by division, or with another code. */
const broken = (tx: TenantTransaction, divisor = 0) =>
  tx.write(CompiledQuery.raw('update users set name = name where 1 / $1::int = 1', [divisor]));
const unsendable = (tx: TenantTransaction) => {
  const circle: Record<string, unknown> = {};
  circle.itself = circle;
  tx.write(CompiledQuery.raw('update users set name = $1', [circle]));
};
const named = (name: string) => (tx: Tenant) =>
  tx.updateTable('collaborators').set({ name }).where('email', '=', 'ada@first.example');
const rename = (name: string) => (tx: Tenant) => named(name)(tx).execute();
const writeName = (tx: TenantTransaction, name: string) => tx.write(named(name)(tx).compile());
const currentName = async (where: Tenant = tenant) => {
  const rows = await where
    .selectFrom('collaborators')
    .select('name')
    .where('email', '=', 'ada@first.example')
    .execute();
  return rows[0]!.name;
};
const eventCount = async () => (await tenant.selectFrom('events').select('id').execute()).length;

/** A database with one connection that records statements and whether they failed. */
async function watched(work: (company: Tenant, sent: string[]) => Promise<void>): Promise<void> {
  const sent: string[] = [];
  const statement = (text: string, _from: number, _rows: number, error: unknown) =>
    void sent.push(`${/\w+( into "\w+"| "\w+")?/.exec(text)![0]}${error ? ' failed' : ''}`);
  const one = openTestDatabase(database.url, 1, async () => {}, { observer: { statement, acquired() {} } });
  try {
    await work(one.db.tenant(tenant.company_id), sent);
  } finally {
    await one.drop();
  }
}

test('an empty transaction sends nothing', async () => {
  await watched(async (company, sent) => {
    expect(await company.transaction(async () => 'done')).toBe('done');
    expect(sent).toEqual([]);
  });
});

test('writes commit together, and later reads see them', async () => {
  const before = await eventCount();
  await tenant.transaction(async (tx) => {
    writeName(tx, 'Ada Renamed');
    for (let n = 0; n < 3; n++) await emitEvent(tx);
    expect(await currentName(tx)).toBe('Ada Renamed');
    expect(await eventCount()).toBe(before);
  });
  expect([await currentName(), await eventCount()]).toEqual(['Ada Renamed', before + 3]);
});

test('sends writes one by one in code order, followed by the commit', async () => {
  await watched(async (company, sent) => {
    await company.transaction(async (tx) => {
      writeName(tx, 'Ada First');
      await emitEvent(tx);
      writeName(tx, 'Ada Second');
    });
    const writes = ['update "collaborators"', 'insert into "events"', 'update "collaborators"'];
    expect(sent).toEqual([...writes, 'commit']);
    expect(await currentName()).toBe('Ada Second');
  });
});

test('a failure rolls back everything, and the commit throws it instead of later errors of Postgres', async () => {
  const before = await eventCount();
  await watched(async (company, sent) => {
    const failed = company.transaction(async (tx) => {
      await rename('Nobody')(tx);
      broken(tx);
      await emitEvent(tx);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(sent).toEqual(
      [
        'update "collaborators"',
        'update failed',
        'insert into "events" failed',
        expect.stringMatching(/^commit/),
      ].slice(0, sent.length),
    );
    await company.transaction(rename('Ada Third')); // on the same connection
  });
  expect([await currentName(), await eventCount()]).toEqual(['Ada Third', before]);
});

test('reports the first of several failures', async () => {
  const failed = tenant.transaction(async (tx) => {
    tx.write(CompiledQuery.raw("select set_config('cursor_tuple_fraction', $1, true)", ['x']));
    broken(tx);
  });
  await expect(failed).rejects.toMatchObject({ code: '22023' });
});

test('awaiting a later statement reports the failure too', async () => {
  const failed = tenant.transaction(async (tx) => {
    broken(tx);
    const error = await settle(currentName(tx));
    expect(error).toMatchObject({ code: '22012' });
    return 'went on';
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
});

test('a statement that can’t be sent fails the transaction', async () => {
  for (const more of [async () => {}, rename('Nobody')]) {
    const failed = tenant.transaction(async (tx) => {
      await rename('Nobody')(tx);
      unsendable(tx);
      await more(tx);
    });
    await expect(failed).rejects.toThrow(/circular/i);
    expect(await currentName()).toBe('Ada Third');
  }
});

test('a guard error is thrown by the write itself, and no write leaves without a transaction', async () => {
  const failed = tenant.transaction(async (tx) => {
    tx.write(CompiledQuery.raw('update collaborators set name = name'));
  });
  await expect(failed).rejects.toThrow(TenantGuardError);
  let leakedTx: TenantTransaction | undefined;
  await tenant.transaction(async (tx) => {
    leakedTx = tx;
  });
  expect(() => broken(leakedTx!, 1)).toThrow('belongs in a transaction');
});

test('no failure goes unhandled', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', hear);
  for (const last of [async () => {}, async () => Promise.reject(new Error('stop')), currentName]) {
    const failed = tenant.transaction(async (tx) => {
      broken(tx);
      broken(tx);
      await last(tx);
    });
    await expect(failed).rejects.toThrow();
  }
  await new Promise((turn) => setImmediate(turn)); // it is reported after the microtasks
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('a failing first statement rolls back, and the connection stays usable', async () => {
  const failed = tenant.transaction(async (tx) => {
    await tx.selectFrom('collaborators').select('id').where('id', '=', 'no uuid').execute();
  });
  await expect(failed).rejects.toMatchObject({ code: '22P02' });
  await tenant.transaction(rename('Ada Again'));
  expect(await currentName()).toBe('Ada Again');
});

test('work that throws leaves nothing, whether or not the transaction had begun', async () => {
  const before = await eventCount();
  const stop = new Error('stop');
  const early = tenant.transaction(async () => Promise.reject(stop));
  const late = tenant.transaction(async (tx) => {
    await rename('Nobody')(tx);
    await emitEvent(tx);
    throw stop;
  });
  await expect(early).rejects.toBe(stop);
  await expect(late).rejects.toBe(stop);
  expect([await currentName(), await eventCount()]).toEqual(['Ada Again', before]);
});

test('a savepoint that is undone drops its notifications, and the transaction continues', async () => {
  const before = await eventCount();
  await tenant.transaction(async (tx) => {
    await emitEvent(tx);
    const undone = tx.attempt(async () => {
      await emitEvent(tx);
      await rename('Nobody')(tx);
      tx.afterCommit('of_savepoint');
      expect([...tx.announcements]).toEqual(['events', 'of_savepoint']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([...tx.announcements]).toEqual(['events']);
    await emitEvent(tx);
  });
  expect([await currentName(), await eventCount()]).toEqual(['Ada Again', before + 2]);
});

test('a savepoint fails with its writes, and the transaction continues', async () => {
  await tenant.transaction(async (tx) => {
    const failed = tx.attempt(async () => {
      writeName(tx, 'Nobody');
      broken(tx);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await currentName(tx)).toBe('Ada Again');
    writeName(tx, 'Ada Lives');
  });
  expect(await currentName()).toBe('Ada Lives');
});

test('no savepoint starts after a failed write', async () => {
  let isCreated = false;
  const failed = tenant.transaction(async (tx) => {
    broken(tx);
    await tx.attempt(async () => {
      isCreated = true;
    });
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(isCreated).toBe(false);
});

test('losing the connection fails as an outage', async () => {
  const failed = tenant.transaction(async (tx) => {
    await rename('Nobody')(tx);
    await killOthers();
    await emitEvent(tx);
  });
  expect(isUnavailable(await settle(failed))).toBe(true);
  await eventually(async () => expect(await currentName()).toBe('Ada Lives'));
});
