/** Expiry of unanswered invitations. */
import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { openDatabase } from '../../src/platform/db/client.ts';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { lockCollaborator } from '../../src/product/collaborators/write/change-collaborator.ts';
import { expireInvitations as expireOfCompany } from '../../src/product/invitations/expire-invitations.ts';
import { expireInvitations } from '../../src/worker/tasks/expireInvitations.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { backdated } from '../helpers/database/backdated.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['invitations', 'collaborator_history', 'events'])
    await app.database.query(`delete from ${table}`);
});

const path = (id: string) => `/v1/collaborators/${id}`;
const tenant = () => app.database.db.tenant(app.company_id);
const mail = () => createMailQueue(app.config.encryption_keys);
const run = async () => {
  await expireInvitations(app.database.db, app.database, mail(), createLogger('silent'))({}, {} as JobHelpers);
};

async function invited(client = app.admin): Promise<string> {
  const person = { name: 'Ida Invitee', email: `${randomUUID()}@example.com`, position: 'x', department: 'y' };
  const { id } = (await client.post('/v1/collaborators', person).expect(201)).body;
  await client.post(`${path(id)}/send-invitation`).expect(200);
  return id;
}

const age = (id: string) =>
  app.database.query(
    `update invitations set ${backdated('sent_at', "interval '8 days'")}, ${backdated('expires_at', "interval '8 days'")}
     where collaborator_id = $1`,
    [id],
  );
const stateOf = async (id: string) => (await app.admin.get(`${path(id)}/status`).expect(200)).body.invitation;
const stored = async () => {
  const rows = await app.database.query<{ state: string }>('select state from invitations order by sent_at, id');
  return rows.map(({ state }) => state);
};
const emitted = () =>
  app.database.query<{ company_id: string; event_type: string; payload: Record<string, unknown> }>(
    `select company_id, event_type, payload::json from events where name = 'collaborator.invitation_expired'`,
  );

describe('an expired invitation', () => {
  test('is marked with a history entry and an event', async () => {
    const id = await invited();
    await age(id);
    const before = await stateOf(id);
    await run();
    expect(await stored()).toEqual(['expired']);
    const { email } = (await app.admin.get(path(id))).body;
    const { sent_at: sentAt, expires_at: expiresAt } = before;
    expect(await emitted()).toEqual([
      {
        company_id: app.company_id,
        event_type: 'CollaboratorInvitationExpired',
        payload: {
          collaborator_id: id,
          name: 'Ida Invitee',
          email,
          sent_at: sentAt,
          expired_at: expiresAt,
          send_count: 1,
        },
      },
    ]);
    const { data } = (await app.admin.get(`${path(id)}/history`).expect(200)).body;
    expect(data[0]).toMatchObject({
      action: 'invitation_expired',
      description: `Invitation to ${email} expired`,
      user_id: null,
      changes: [],
    });
  });

  test('is reported to its sender, in one email for all of theirs with a link to the console', async () => {
    await app.database.query('delete from graphile_worker._private_jobs');
    const one = await invited();
    await age(one);
    await run();
    const mails = async () => {
      const rows = await app.database.query<{ payload: unknown }>(
        'select payload from graphile_worker._private_jobs order by id',
      );
      const sealed = rows.filter(({ payload }) => (payload as { sealed?: string }).sealed);
      const opened = sealed.map(({ payload }) => mail().open(payload));
      return opened.filter(({ template }) => template === 'invitations_expired');
    };
    const values = { name: 'Mariana Duarte', company: 'Verde Logística' };
    const people = `/console/${app.company_id}/people`;
    expect(await mails()).toMatchObject([
      {
        to: 'mariana.duarte@example.com',
        values: { ...values, people: 'Ida Invitee', count: 1, consolePath: `${people}/${one}` },
      },
    ]);
    await app.database.query('delete from graphile_worker._private_jobs');
    const more = await Promise.all([invited(), invited()]);
    for (const id of more) await age(id!);
    await run();
    expect(await mails()).toMatchObject([
      { values: { people: 'Ida Invitee, Ida Invitee', count: 2, consolePath: `${people}?status=pending` } },
    ]);
  });

  test('reads the same before and after it is marked', async () => {
    const id = await invited();
    await age(id);
    const before = await stateOf(id);
    expect(before.state).toBe('expired');
    await run();
    expect(await stateOf(id)).toEqual(before);
  });

  test('can be sent again, and expires again, with both counted', async () => {
    const id = await invited();
    await age(id);
    await run();
    await app.admin.post(`${path(id)}/send-invitation`).expect(200);
    expect(await stateOf(id)).toMatchObject({ state: 'sent', send_count: 2 });
    await run();
    expect(await emitted()).toHaveLength(1);
    await age(id);
    await run();
    expect(await stored()).toEqual(['expired', 'expired']);
    expect((await emitted()).map(({ payload }) => payload.send_count).sort()).toEqual([1, 2]);
  });

  test('is reported once, however often the job runs', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => invited()));
    for (const id of ids) await age(id);
    await Promise.all([run(), run(), run()]);
    await run(); // those locked by the other run wait for the next
    await run();
    expect(await stored()).toEqual(['expired', 'expired', 'expired', 'expired']);
    expect((await emitted()).map(({ payload }) => payload.collaborator_id).sort()).toEqual(ids.sort());
    const history = await app.database.query("select 1 from collaborator_history where action = 'invitation_expired'");
    expect(history).toHaveLength(4);
  });

  test('of more people than a transaction handles is marked too', async () => {
    const first = await invited();
    await age(first);
    await app.database.query(
      `insert into collaborators (company_id, id, name, email, position, department)
       select $1, gen_random_uuid(), 'Many', 'many' || n || '@example.com', 'x', 'y' from generate_series(1, 230) n`,
      [app.company_id],
    );
    await app.database.query(
      `insert into invitations (company_id, id, collaborator_id, token_hash, sent_at, expires_at)
       select company_id, gen_random_uuid(), id, sha256(email::bytea), now() - interval '8 d', now() - interval '1 d'
       from collaborators where name = 'Many'`,
    );
    expect(await expireOfCompany(tenant(), mail())).toBe(231);
    expect(await emitted()).toHaveLength(231);
    expect(await expireOfCompany(tenant(), mail())).toBe(0);
  });
});

describe('doesn’t expire', () => {
  test('if it still has time, was used, or was replaced', async () => {
    const [fresh, accepted, replaced] = await Promise.all([invited(), invited(), invited()]);
    await app.database.query("update invitations set state = 'accepted' where collaborator_id = $1", [accepted]);
    await age(accepted!);
    await app.database.query(
      `update invitations set ${backdated('sent_at', "interval '2 min'")} where collaborator_id = $1`,
      [replaced],
    );
    await app.admin.post(`${path(replaced!)}/send-invitation`).expect(200);
    await app.database.query("update invitations set expires_at = now() - interval '1 d' where state = 'cancelled'");
    await run();
    expect(await emitted()).toEqual([]);
    for (const id of [fresh, replaced]) expect((await stateOf(id!)).state).toBe('sent');
    expect((await stored()).toSorted()).toEqual(['accepted', 'cancelled', 'sent', 'sent']);
  });

  test('for people who were deleted or deactivated', async () => {
    const [deleted, inactive, alreadyDeleted] = await Promise.all([invited(), invited(), invited()]);
    for (const id of [deleted, inactive, alreadyDeleted]) await age(id!);
    await app.admin.delete(path(deleted!)).expect(200);
    await app.admin.post(`${path(inactive!)}/deactivate`).expect(200);
    await app.database.query('update collaborators set deleted_at = now() where id = $1', [alreadyDeleted]);
    await run();
    expect(await emitted()).toEqual([]);
    expect((await stored()).toSorted()).toEqual(['cancelled', 'cancelled', 'sent']);
  });

  test('while the collaborator is being changed, which the next run handles without waiting', async () => {
    const [busy, other] = await Promise.all([invited(), invited()]);
    for (const id of [busy, other]) await age(id!);
    await tenant().transaction(async (tx) => {
      await lockCollaborator(tx, busy!);
      await run();
      expect((await emitted()).map(({ payload }) => payload.collaborator_id)).toEqual([other]);
    });
    await run();
    expect((await emitted()).map(({ payload }) => payload.collaborator_id).sort()).toEqual([busy, other].sort());
  });
});

test('handles companies separately', async () => {
  const own = await invited();
  const foreign = await invited(app.outsider);
  for (const id of [own, foreign]) await age(id);
  expect(await expireOfCompany(tenant(), mail())).toBe(1);
  expect((await emitted()).map(({ company_id: companyId }) => companyId)).toEqual([app.company_id]);
  await run();
  expect((await emitted()).map(({ company_id: companyId }) => companyId).sort()).toEqual(
    [app.company_id, app.outsider.company_id].sort(),
  );
});

test('stays unexpired if the event can’t be written', async () => {
  const id = await invited();
  await age(id);
  await app.database.query('alter table events rename column payload to elsewhere');
  const db = openDatabase({
    url: app.database.url,
    poolSize: 1,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 60_000,
  });
  await expect(expireOfCompany(db.tenant(app.company_id), mail())).rejects.toThrow(/payload/);
  await db.close();
  expect(await stored()).toEqual(['sent']);
  await app.database.query('alter table events rename column elsewhere to payload');
  await run();
  expect(await stored()).toEqual(['expired']);
});
