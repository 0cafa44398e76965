/** Ends of employment: notices, deactivation, and days in time zones. */
import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { createLogger } from '../../src/platform/observe/log.ts';
import { secretHash } from '../../src/platform/secrets/secrets.ts';
import { invitationToken } from '../../src/product/collaborators/membership/invitations.ts';
import { lockCollaborator } from '../../src/product/collaborators/write/change-collaborator.ts';
import { setTimeZone } from '../../src/product/companies/companies.ts';
import { acceptInvitation } from '../../src/product/invitations/accept-invitation.ts';
import { endEmployments } from '../../src/worker/tasks/endEmployments.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { accessChangesApplied } from '../helpers/identity/access-changes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.query(
    "update collaborators set termination_date = null, deleted_at = now() where email like '%@leaver.example'",
  );
  await setTimeZone(app.database.db, app.company_id, 'UTC');
});

const path = '/v1/collaborators';
const lastDay = '2031-06-30';
const run = async (moment: string) => {
  await endEmployments(
    app.database.db,
    app.database,
    createLogger('silent'),
    () => new Date(moment),
  )({}, {} as JobHelpers);
  await accessChangesApplied(app);
};

interface Leaver {
  id: string;
  email: string;
  status: string;
  termination_date: string | null;
}

async function leaver(fields: object = {}, client = app.admin): Promise<Leaver> {
  const email = `${randomUUID()}@leaver.example`;
  const person = { name: 'Lea Leaver', email, position: 'x', department: 'y', termination_date: lastDay, ...fields };
  return (await client.post(path, person).expect(201)).body;
}

const read = async ({ id }: Leaver): Promise<Leaver> => (await app.admin.get(`${path}/${id}`).expect(200)).body;
const change = (person: Leaver, fields: object) => app.admin.patch(`${path}/${person.id}`, fields).expect(200);
const reminders = async ({ id }: Leaver) => {
  const rows = await app.database.query<{
    payload: { termination_date: string; days_before: number; days_left: number };
  }>(
    `select payload::json from events where name = 'collaborator.termination_upcoming'
     and payload::json->>'collaborator_id' = $1 order by created_at, id`,
    [id],
  );
  return rows.map(
    ({ payload: { termination_date: terminationDate, days_before: daysBefore, days_left: daysLeft } }) => [
      terminationDate,
      daysBefore,
      daysLeft,
    ],
  );
};
const historyOf = async ({ id }: Leaver) =>
  (await app.admin.get(`${path}/${id}/history`).expect(200)).body.data as { action: string; description: string }[];

describe('the day after the last day', () => {
  test('deactivates with a reason in history, status, and event, and revokes access', async () => {
    const person = await leaver({ external_id: `hr:${randomUUID()}` });
    await app.admin.post(`${path}/${person.id}/send-invitation`).expect(200);
    await run('2031-06-30T23:59:59Z');
    expect((await read(person)).status).toBe('pending');
    await run('2031-07-01T00:00:00Z');
    expect(await read(person)).toMatchObject({ status: 'inactive', termination_date: lastDay });
    const reason = 'The last day of employment was 2031-06-30.';
    const { body: status } = await app.admin.get(`${path}/${person.id}/status`).expect(200);
    expect(status).toMatchObject({ reason, changed_by: null, invitation: { state: 'cancelled' } });
    expect((await historyOf(person))[0]).toMatchObject({ action: 'status_changed', user_id: null });
    const [event] = await app.database.query(
      `select payload::json from events where name = 'collaborator.status_changed'
       and payload::json->>'collaborator_id' = $1`,
      [person.id],
    );
    expect(event!.payload).toMatchObject({ from: 'pending', to: 'inactive', reason, changed_by: null });
    const mails = await app.database.query("select 1 from graphile_worker.jobs where task_identifier = 'sendMail'");
    await run('2031-07-02T00:00:00Z');
    expect((await historyOf(person)).filter(({ action }) => action === 'status_changed')).toHaveLength(1);
    expect(await app.database.query("select 1 from graphile_worker.jobs where task_identifier = 'sendMail'")).toEqual(
      mails,
    );
  });

  test('signs a user out, and keeps counts correct', async () => {
    const { collaborator_id: id } = app.report;
    await app.admin.patch(`${path}/${id}`, { termination_date: '2026-01-31', hire_date: null }).expect(200);
    await app.report.get(path).expect(200);
    const counts = async () => {
      const [sums] = await app.database.query<{ active: number; inactive: number }>(
        `select sum(active)::int as active, sum(inactive)::int as inactive from collaborator_counts where company_id = $1`,
        [app.company_id],
      );
      return sums;
    };
    const before = await counts();
    await run('2026-02-01T00:00:00Z');
    expect((await app.report.get(path).expect(401)).body.error).toBe('invalid_token');
    const after = await counts();
    expect(after).toEqual({ active: before!.active - 1, inactive: before!.inactive + 1 });
    const { email } = await read({ id } as Leaver);
    const { body } = await app.admin.get(`${path}?status=inactive&search=${encodeURIComponent(email)}`).expect(200);
    expect(body.meta.total).toBe(1);
    await app.admin.patch(`${path}/${id}`, { termination_date: null, status: 'active' }).expect(200);
  });

  test('is handled after a long downtime, and skipped for deleted people', async () => {
    const [late, deleted] = [await leaver(), await leaver()];
    await app.admin.delete(`${path}/${deleted.id}`).expect(200);
    await run('2031-09-01T12:00:00Z');
    expect((await read(late)).status).toBe('inactive');
    expect(await reminders(late)).toEqual([]); // never after the fact
    const [row] = await app.database.query('select status from collaborators where id = $1', [deleted.id]);
    expect(row!.status).toBe('pending');
  });

  test('skips people who are being changed until the next run', async () => {
    const [held, free] = [await leaver(), await leaver()];
    await app.database.db.tenant(app.company_id).transaction(async (tx) => {
      await lockCollaborator(tx, held.id);
      await run('2031-07-01T00:00:00Z');
    });
    expect([(await read(held)).status, (await read(free)).status]).toEqual(['pending', 'inactive']);
    await run('2031-07-01T00:05:00Z');
    expect((await read(held)).status).toBe('inactive');
  });

  test('handles many people in several transactions', async () => {
    const items = Array.from({ length: 230 }, (_, n) => ({
      ...{ name: 'Lea Many', email: `${randomUUID()}@leaver.example`, position: 'x', department: 'y' },
      termination_date: n % 2 === 0 ? '2031-06-01' : '2031-06-08',
    }));
    const { body } = await app.admin.post(`${path}/bulk`, { mode: 'create', items }).expect(200);
    expect(body.summary.succeeded).toBe(230);
    await run('2031-06-02T00:00:00Z');
    const [counts] = await app.database.query(
      `select count(*) filter (where status = 'inactive')::int as inactive,
         count(*) filter (where termination_week_told is not null)::int as told
       from collaborators where name = 'Lea Many'`,
    );
    expect(counts).toEqual({ inactive: 115, told: 115 });
  });
});

describe('notices', () => {
  test('are sent a week and a day before, once each', async () => {
    const person = await leaver();
    await run('2031-06-22T23:59:59Z');
    expect(await reminders(person)).toEqual([]);
    for (const moment of ['2031-06-23T00:00:00Z', '2031-06-23T00:05:00Z', '2031-06-28T23:59:59Z']) await run(moment);
    expect(await reminders(person)).toEqual([[lastDay, 7, 7]]);
    for (const moment of ['2031-06-29T00:00:00Z', '2031-06-29T08:00:00Z', '2031-07-01T00:00:00Z']) await run(moment);
    expect(await reminders(person)).toEqual([
      [lastDay, 7, 7],
      [lastDay, 1, 1],
    ]);
    expect((await read(person)).status).toBe('inactive');
  });

  test('are sent late after downtime or a late date, but not after the last day', async () => {
    const person = await leaver();
    await run('2031-06-30T23:59:59Z');
    expect(await reminders(person)).toEqual([
      [lastDay, 7, 0],
      [lastDay, 1, 0],
    ]);
  });

  test('are sent again for a new date, but not for one already announced', async () => {
    const person = await leaver();
    await run('2031-06-25T00:00:00Z');
    await change(person, { termination_date: '2031-12-31' });
    await run('2031-07-05T00:00:00Z');
    expect((await read(person)).status).toBe('pending');
    await run('2031-12-24T00:00:00Z');
    await change(person, { phone: '+1 2', termination_date: '2031-12-31' });
    await run('2031-12-25T00:00:00Z');
    expect(await reminders(person)).toEqual([
      [lastDay, 7, 5],
      ['2031-12-31', 7, 7],
    ]);
  });

  test('aren’t sent for cleared dates or inactive people', async () => {
    const [cleared, inactive] = [await leaver(), await leaver()];
    await change(cleared, { termination_date: null });
    await change(inactive, { status: 'inactive' });
    await run('2031-06-29T00:00:00Z');
    await run('2031-07-01T00:00:00Z');
    expect([await reminders(cleared), await reminders(inactive)]).toEqual([[], []]);
    expect((await read(cleared)).status).toBe('pending');
  });

  test('are sent once by concurrent workers', async () => {
    const person = await leaver();
    await Promise.all([run('2031-06-29T00:00:00Z'), run('2031-06-29T00:00:00Z')]);
    expect(await reminders(person)).toHaveLength(2);
  });
});

describe('days in the company’s time zone', () => {
  test.each([
    ['Pacific/Kiritimati', '2031-06-30T09:59:59Z', '2031-06-30T10:00:00Z'], // +14
    ['Etc/GMT+12', '2031-07-01T11:59:59Z', '2031-07-01T12:00:00Z'], // -12
    ['Asia/Kathmandu', '2031-06-30T18:14:59Z', '2031-06-30T18:15:00Z'],
    ['America/New_York', '2031-07-01T03:59:59Z', '2031-07-01T04:00:00Z'], // in summer
  ])('in %s', async (zone, before, after) => {
    await setTimeZone(app.database.db, app.company_id, zone);
    const person = await leaver();
    await run(before);
    expect((await read(person)).status).toBe('pending');
    await run(after);
    expect((await read(person)).status).toBe('inactive');
  });

  test.each([
    ['Europe/Berlin', '2031-03-30', '2031-03-30T21:59:59Z', '2031-03-30T22:00:00Z'], // has 23 hours
    ['Europe/Berlin', '2031-10-26', '2031-10-26T22:59:59Z', '2031-10-26T23:00:00Z'], // has 25 hours
    ['America/Santiago', '2031-09-06', '2031-09-07T03:59:59Z', '2031-09-07T04:00:00Z'], // the next one begins at 01:00
  ])('in %s on %s, when clocks change', async (zone, terminationDate, before, after) => {
    await setTimeZone(app.database.db, app.company_id, zone);
    const person = await leaver({ termination_date: terminationDate });
    await run(before);
    expect((await read(person)).status).toBe('pending');
    await run(after);
    expect((await read(person)).status).toBe('inactive');
  });
});

describe('a returning person', () => {
  test('loses a past last day, which history and events record', async () => {
    const person = await leaver({ termination_date: '2026-01-31' });
    await run('2026-02-01T00:00:00Z');
    await app.admin.post(`${path}/${person.id}/activate`).expect(200);
    expect(await read(person)).toMatchObject({ status: 'active', termination_date: null });
    const names = await app.database.query(
      `select name, payload::json->'previous' as previous from events
       where coalesce(payload::json->>'id', payload::json->>'collaborator_id') = $1 order by created_at, id`,
      [person.id],
    );
    expect(names.slice(-2)).toMatchObject([
      { name: 'collaborator.status_changed' },
      { name: 'collaborator.updated', previous: { termination_date: '2026-01-31' } },
    ]);
    await run('2026-02-02T00:00:00Z');
    expect((await read(person)).status).toBe('active');
  });

  test('loses it by a bulk request too', async () => {
    const person = await leaver({ termination_date: '2026-01-31' });
    await run('2026-02-01T00:00:00Z');
    const items = [{ id: person.id, status: 'active' }];
    await app.admin.post(`${path}/bulk`, { mode: 'update', items }).expect(200);
    expect(await read(person)).toMatchObject({ status: 'active', termination_date: null });
  });

  test('can be invited only with the date cleared or replaced, whatever the status', async () => {
    const people = [await leaver({ termination_date: '2026-01-31' }), await leaver({ termination_date: '2026-01-31' })];
    await run('2026-02-01T00:00:00Z');
    people.push(await leaver({ termination_date: '2026-01-31' })); // pending until the worker runs
    const invite = ({ id }: Leaver) => app.admin.post(`${path}/${id}/send-invitation`);
    const allowed = async ({ id }: Leaver) =>
      (await app.admin.get(`${path}/${id}/status`).expect(200)).body.allowed_transitions;
    for (const person of people) {
      const { body } = await invite(person).expect(409);
      expect(body).toMatchObject({ error: 'conflict', message: expect.stringContaining('2026-01-31') });
    }
    expect(await allowed(people[0]!)).toEqual(['active']);
    for (const [at, terminationDate] of [null, lastDay, null].entries()) {
      await change(people[at]!, { termination_date: terminationDate });
      await invite(people[at]!).expect(200);
      expect(await read(people[at]!)).toMatchObject({ status: 'pending', termination_date: terminationDate });
    }
  });

  test('can’t accept an earlier invitation, though it is still open', async () => {
    const person = await leaver();
    await app.admin.post(`${path}/${person.id}/send-invitation`).expect(200);
    const secret = 'a-secret-of-this-test';
    await app.database.query('update invitations set token_hash = $1 where collaborator_id = $2', [
      secretHash(secret),
      person.id,
    ]);
    await app.database.query("update collaborators set termination_date = '2026-01-31' where id = $1", [person.id]);
    const token = invitationToken(app.company_id, secret);
    expect(await acceptInvitation(app.database.db, token, { password_hash: 'x' })).toBe('gone');
    expect(await read(person)).toMatchObject({ status: 'pending', termination_date: '2026-01-31' });
  });

  test.each([
    ['activate', (id: string) => app.admin.post(`${path}/${id}/activate`)],
    ['PUT', (id: string) => app.admin.put(`${path}/${id}`, { status: 'active' })],
    ['bulk', (id: string) => app.admin.post(`${path}/bulk`, { mode: 'update', items: [{ id, status: 'active' }] })],
  ])('loses a last day that the worker hasn’t processed yet: %s', async (_, activate) => {
    const person = await leaver({ termination_date: '2026-01-31' });
    await activate(person.id).expect(200);
    expect(await read(person)).toMatchObject({ status: 'active', termination_date: null });
    await run('2026-02-01T00:00:00Z');
    expect((await read(person)).status).toBe('active');
  });

  test('keeps a future last day', async () => {
    const person = await leaver();
    await app.admin.post(`${path}/${person.id}/activate`).expect(200);
    expect(await read(person)).toMatchObject({ status: 'active', termination_date: lastDay });
  });

  test('keeps a new date', async () => {
    const person = await leaver({ termination_date: '2026-01-31' });
    await run('2026-02-01T00:00:00Z');
    await change(person, { status: 'active', termination_date: lastDay });
    expect(await read(person)).toMatchObject({ status: 'active', termination_date: lastDay });
  });
});

describe('a last day before the first day', () => {
  const wrong = { hire_date: '2031-01-02', termination_date: '2031-01-01' };
  const field = { termination_date: [{ code: 'out_of_range', message: expect.any(String) }] };

  test('is rejected when creating, updating, and in bulk', async () => {
    const base = { name: 'Lea', email: `${randomUUID()}@leaver.example`, position: 'x', department: 'y' };
    const { body: created } = await app.admin.post(path, { ...base, ...wrong, manager_id: 'nobody' }).expect(400);
    expect(created.details).toMatchObject({ ...field, manager_id: [{ code: 'not_found' }] });
    const person = await leaver({ hire_date: '2031-01-02' });
    const { body: changed } = await app.admin
      .patch(`${path}/${person.id}`, { termination_date: '2031-01-01' })
      .expect(400);
    expect(changed.details).toEqual(field);
    const { body: hired } = await app.admin.patch(`${path}/${person.id}`, { hire_date: '2031-07-01' }).expect(400);
    expect(Object.keys(hired.details)).toEqual(['hire_date']);
    await change(person, { hire_date: lastDay });
    const items = [
      { ...base, ...wrong },
      { id: person.id, termination_date: '2031-01-01' },
    ];
    const { body } = await app.admin.post(`${path}/bulk`, { mode: 'upsert', items }).expect(200);
    for (const { error } of body.results) expect(error.details).toEqual(field);
  });

  test('can be set by admins only', async () => {
    for (const client of [app.manager, app.employee]) {
      const { body } = await client
        .patch(`${path}/${client.collaborator_id}`, { termination_date: '2031-01-01' })
        .expect(403);
      expect(Object.keys(body.details)).toEqual(['termination_date']);
    }
  });
});

// Keep last: the admin's tokens are revoked.
describe('the last admin', () => {
  test('stays, which is recorded once, and leaves when there is another one', async () => {
    const id = app.admin.collaborator_id;
    const admin = { id } as Leaver;
    await app.admin.patch(`${path}/${id}`, { hire_date: null, termination_date: '2026-01-31' }).expect(200);
    for (const moment of ['2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z']) await run(moment);
    expect((await read(admin)).status).toBe('active');
    const held = (await historyOf(admin)).filter(({ action }) => action === 'termination_held');
    expect(held).toMatchObject([{ description: expect.stringContaining('2026-01-31') }]);
    await app.admin.post(`${path}/${app.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
    await run('2026-02-03T00:00:00Z');
    const manager = await app.as('manager', {});
    const { body } = await manager.get(`${path}/${id}`).expect(200);
    expect(body.status).toBe('inactive');
    await manager.post(`${path}/${id}/activate`).expect(200);
    expect((await manager.get(`${path}/${id}`).expect(200)).body.termination_date).toBeNull();
  });
});
