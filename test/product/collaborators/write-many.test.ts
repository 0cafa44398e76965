import { v7 as uuidv7 } from 'uuid';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import type { CollaboratorRow } from '../../../src/product/access/records.ts';
import { updateCollaborator } from '../../../src/product/collaborators/update-collaborator.ts';
import { addCollaborator, type NewCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { lockCollaborators } from '../../../src/product/collaborators/write/change-collaborator.ts';
import { companyCounts, counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { type CollaboratorUpdate, differences } from '../../../src/product/collaborators/write/differences.ts';
import { type Addition, Overtaken, writeMany } from '../../../src/product/collaborators/write/write-many.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';

let app: TestApp;
let here: Tenant;
beforeAll(async () => {
  app = await testApp();
  here = app.database.db.tenant(app.company_id);
});
afterAll(() => app.close());

const actor = () => ({ user_id: app.admin.user_id });
let serial = 0;
function addition(fields: Partial<Addition> = {}): Addition {
  serial += 1;
  const base = { name: 'Mae Many', email: `mae${serial}@example.com`, position: 'Clerk', department: 'Office' };
  return { id: uuidv7(), ...base, ...fields };
}

async function add(tenant: Tenant, ...additions: Addition[]) {
  return counted(tenant, (tx) => writeMany(tx, actor(), { additions, changes: [] }));
}

async function change(tenant: Tenant, updates: Map<string, CollaboratorUpdate>) {
  return counted(tenant, async (tx) => {
    const rows = await lockCollaborators(tx, [...updates.keys()]);
    const changes = [...updates].map(([id, update]) => {
      const before = rows.get(id)!;
      return { before, set: differences(before, update, []) };
    });
    return writeMany(tx, actor(), { additions: [], changes });
  });
}

const column = (rows: readonly CollaboratorRow[], name: keyof CollaboratorRow) => rows.map((row) => row[name]);

/** All records that a person left, without ids and times. */
async function traces(companyId: string, ids: string[]) {
  const [rows, history, events] = await Promise.all([
    app.database.query(
      `select name, email, phone, position, department, status, role, hire_date::text, salary, work_schedule, location,
         external_id, employee_number,
         emergency_contact, revision, manager_id is null as unmanaged, search_text
       from collaborators where company_id = $1 and id = any($2) order by email`,
      [companyId, ids],
    ),
    app.database.query(
      `select h.action, h.description, h.changes, h.user_id, c.email from collaborator_history h
       join collaborators c on c.company_id = h.company_id and c.id = h.collaborator_id
       where h.company_id = $1 and c.id = any($2) order by c.email, h.timestamp, h.id`,
      [companyId, ids],
    ),
    app.database.query(
      `select name, event_type, idempotency_key, payload::jsonb - 'id' - 'created_at' - 'updated_at' as payload
       from events where company_id = $1 and payload::json->>'id' = any($2) order by payload::json->>'email', created_at, id`,
      [companyId, ids],
    ),
  ]);
  return { rows, history, events };
}

const everything: Partial<NewCollaborator> = {
  phone: '+351 00',
  hire_date: '2026-02-28',
  salary: 1234.5,
  work_schedule: 'NULL',
  location: 'a "b" {c,d} \\ e\n',
  emergency_contact: { name: "O'Hara", phone: '0123' },
};

describe('matches single writes', () => {
  test('in rows, history, events, and counts', async () => {
    const elsewhere = app.database.db.tenant(app.outsider.company_id);
    const people = [addition(everything), addition({ salary: 0 }), addition({ emergency_contact: null, phone: null })];
    const update: CollaboratorUpdate = { name: 'Mae Moved', salary: null, emergency_contact: { phone: null } };
    const before = { here: await companyCounts(here), elsewhere: await companyCounts(elsewhere) };

    const { added } = await add(here, ...people);
    const changed = await change(here, new Map(added.map(({ id }) => [id, update])));
    const singles: string[] = [];
    for (const { id: _, ...fields } of people) {
      const row = await counted(elsewhere, (tx) => addCollaborator(tx, actor(), fields));
      const viewer = {
        caller: { ...actor(), scopes: ['salary:read'] },
        member: { ...app.outsider, role: 'admin' as const },
      };
      await updateCollaborator(elsewhere, { ...viewer, tenant: elsewhere } as never, row.id, update, undefined);
      singles.push(row.id);
    }
    expect(column(changed.changed, 'id')).toEqual(people.map(({ id }) => id));
    const recorded = await traces(
      app.company_id,
      people.map(({ id }) => id),
    );
    expect(recorded).toEqual(await traces(app.outsider.company_id, singles));
    expect(recorded.history).toHaveLength(6);
    expect(recorded.events).toHaveLength(6);
    const grown = async (tenant: Tenant, { total }: { total: number }) => (await companyCounts(tenant)).total - total;
    expect(await grown(here, before.here)).toBe(await grown(elsewhere, before.elsewhere));
  });

  test('for a manager and their reports in one batch', async () => {
    const boss = addition();
    const reports = [addition({ manager_id: boss.id }), addition({ manager_id: boss.id })];
    const { added } = await add(here, ...reports, boss);
    expect(column(added, 'manager_id')).toEqual([boss.id, boss.id, null]);
  });

  test('and does nothing for an empty list', async () => {
    const events = () => app.database.query('select count(*) from events');
    const before = await events();
    expect(await add(here)).toEqual({ added: [], changed: [], left_out: new Map() });
    expect(await events()).toEqual(before);
  });
});

describe('emails', () => {
  const emailOf = async (id: string) =>
    (await app.database.query('select email from collaborators where id = $1', [id]))[0]!.email;

  test('can be passed from one person to another, even in a cycle', async () => {
    const { added } = await add(here, addition(), addition(), addition());
    const emails = column(added, 'email') as string[];
    await change(here, new Map(added.map(({ id }, at) => [id, { email: emails[(at + 1) % 3]! }])));
    expect(await Promise.all(added.map(({ id }) => emailOf(id)))).toEqual([emails[1], emails[2], emails[0]]);
    const { history } = await traces(app.company_id, column(added, 'id') as string[]);
    expect(history.filter(({ action }) => action === 'updated').map(({ changes }) => changes)).toEqual([
      [{ field: 'email', from: emails[2], to: emails[0] }],
      [{ field: 'email', from: emails[0], to: emails[1] }],
      [{ field: 'email', from: emails[1], to: emails[2] }],
    ]);
  });

  test('can change in case only', async () => {
    const { added } = await add(here, addition());
    const email = added[0]!.email.toUpperCase();
    await change(here, new Map([[added[0]!.id, { email }]]));
    expect(await emailOf(added[0]!.id)).toBe(email);
  });

  test('in use by others skip these people and those who depend on them', async () => {
    const { added } = await add(here, addition(), addition(), addition());
    const [a, b, c] = added as [CollaboratorRow, CollaboratorRow, CollaboratorRow];
    const { changed, left_out: omitted } = await change(
      here,
      new Map([
        [a.id, { email: 'RUI.almeida@example.com' }],
        [b.id, { email: a.email }],
        [c.id, { phone: '+1 23' }],
      ]),
    );
    expect(column(changed, 'id')).toEqual([c.id]);
    expect(omitted).toEqual(
      new Map([
        [a.id, 'email'],
        [b.id, 'email'],
      ]),
    );
  });

  test('taken at the last moment skip the new person and their reports', async () => {
    const boss = addition();
    const report = addition({ manager_id: boss.id });
    const below = addition({ manager_id: report.id });
    const other = addition();
    const { added: there } = await add(here, addition(), addition());
    const [moved, changed] = there as [CollaboratorRow, CollaboratorRow];
    let written: ReturnType<typeof writeMany> | undefined;
    await counted(here, async (tx) => {
      await writeMany(tx, actor(), { additions: [addition({ email: boss.email.toUpperCase() })], changes: [] });
      written = counted(here, (otherTx) =>
        writeMany(otherTx, actor(), {
          additions: [boss, report, below, other],
          changes: [
            { before: moved, set: { manager_id: below.id } },
            { before: changed, set: { manager_id: other.id } },
          ],
        }),
      );
      await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
    });
    const result = await written!;
    expect(column(result.added, 'id')).toEqual([other.id]);
    expect(column(result.changed, 'id')).toEqual([changed.id]);
    expect(result.left_out).toEqual(
      new Map([
        [boss.id, 'email'],
        [report.id, 'manager'],
        [below.id, 'manager'],
        [moved.id, 'manager'],
      ]),
    );
  });

  test('given to a new person write nothing if their holder is overtaken', async () => {
    const { added } = await add(here, addition());
    const [holder] = added as [CollaboratorRow];
    const heir = addition({ email: holder.email });
    const wanted = addition();
    let written: ReturnType<typeof writeMany> | undefined;
    await counted(here, async (tx) => {
      await writeMany(tx, actor(), { additions: [wanted], changes: [] });
      written = counted(here, (otherTx) => {
        const changes = [{ before: holder, set: { email: wanted.email } }];
        return writeMany(otherTx, actor(), { additions: [heir], changes });
      });
      written.catch(() => {}); // asserted below
      await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
    });
    await expect(written).rejects.toThrow(Overtaken);
    expect(await emailOf(holder.id)).toBe(holder.email);
  });

  test('and ids can be passed on, in a cycle or to nobody', async () => {
    const ids = ['a', 'b', 'c'].map((each) => `pass-${each}`);
    const { added } = await add(here, ...ids.map((each) => addition({ external_id: each, employee_number: each })));
    const next = (at: number) => ids[(at + 1) % 3]!;
    const update = (at: number) => ({ external_id: next(at), employee_number: at === 2 ? null : next(at) });
    const { changed, left_out: omitted } = await change(here, new Map(added.map(({ id }, at) => [id, update(at)])));
    expect(omitted).toEqual(new Map());
    expect(column(changed, 'external_id')).toEqual([ids[1], ids[2], ids[0]]);
    expect(column(changed, 'employee_number')).toEqual([ids[1], ids[2], null]);
  });

  test('or ids in use by others skip these people, and name the field', async () => {
    const { added } = await add(
      here,
      addition({ external_id: 'held' }),
      addition({ employee_number: 'held' }),
      addition(),
    );
    const [a, b, c] = added as [CollaboratorRow, CollaboratorRow, CollaboratorRow];
    const { left_out: omitted } = await change(
      here,
      new Map([
        [b.id, { external_id: 'held' }],
        [c.id, { employee_number: 'held' }],
      ]),
    );
    expect(omitted).toEqual(
      new Map([
        [b.id, 'external_id'],
        [c.id, 'employee_number'],
      ]),
    );
    const late = [addition({ external_id: 'held' }), addition({ employee_number: 'held', email: a.email })];
    const { added: none, left_out: refused } = await add(here, ...late);
    expect(none).toEqual([]);
    expect([...refused.values()]).toEqual(['external_id', 'email']);
  });

  test('invalidate links sent to the old one', async () => {
    const { added } = await add(here, addition(), addition());
    const [moved, stayed] = column(added, 'id') as [string, string];
    for (const id of [moved, stayed]) await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
    await change(
      here,
      new Map([
        [moved, { email: 'mae.elsewhere@example.com' }],
        [stayed, { phone: '+1 2' }],
      ]),
    );
    const state = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}/status`)).body.invitation.state;
    expect(await state(moved)).toBe('cancelled');
    expect(await state(stayed)).toBe('sent');
  });
});

test('rows of another company are out of reach', async () => {
  const { added } = await add(here, addition());
  const elsewhere = app.database.db.tenant(app.outsider.company_id);
  expect((await elsewhere.transaction((tx) => lockCollaborators(tx, [added[0]!.id]))).size).toBe(0);
  const change = { before: added[0]!, set: { name: 'Mine Now' } };
  const stolen = counted(elsewhere, (tx) => writeMany(tx, actor(), { additions: [], changes: [change] }));
  await expect(stolen).rejects.toThrow('not locked');
  expect((await app.database.query('select name from collaborators where id = $1', [added[0]!.id]))[0]!.name).toBe(
    'Mae Many',
  );
});
