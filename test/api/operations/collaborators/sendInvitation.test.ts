import { type TestApp, testApp } from '../../../helpers/app.ts';
import { backdated } from '../../../helpers/database/backdated.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(async () => {
  for (const table of ['graphile_worker._private_jobs', 'invitations', 'events'])
    await app.database.query(`delete from ${table}`);
});

const path = (id: string) => `/v1/collaborators/${id}/send-invitation`;
const person = (managerId?: string) => addPerson(app, 'Ida Invitee', { manager_id: managerId });
const invited = async (email: string) => {
  const fields = { name: 'Ida Invitee', email, position: 'x', department: 'y' };
  return (await app.admin.post('/v1/collaborators', fields).expect(201)).body.id as string;
};
const later = (id: string, by: string) =>
  app.database.query(`update invitations set ${backdated('sent_at', `interval '${by}'`)} where collaborator_id = $1`, [
    id,
  ]);

describe('succeeds', () => {
  test('queues one email, and stores only a hash of the secret', async () => {
    const id = await invited('ida@example.com');
    const { body } = await app.admin.post(path(id)).expect(200);
    expect(body).toEqual({ message: 'Invitation sent to ida@example.com.' });
    const jobs = await app.database.query('select task_identifier from graphile_worker.jobs');
    expect(jobs).toEqual([{ task_identifier: 'sendMail' }]);
    const [stored] = await app.database.query('select payload::text from graphile_worker._private_jobs');
    expect(stored!.payload).not.toMatch(/ida@example|oauth|http/);
    const [{ token_hash: tokenHash }] = (await app.database.query('select token_hash from invitations')) as [
      { token_hash: Buffer },
    ];
    expect(tokenHash).toHaveLength(32);
  });

  test('answers in the language of the inviter', async () => {
    const request = app.admin.post(path(await invited('ines@example.com'))).set('Accept-Language', 'pt-BR');
    expect((await request.expect(200)).body).toEqual({ message: 'Convite enviado para ines@example.com.' });
  });

  test('managers can invite their team', async () => {
    await app.manager.post(path(await person(app.report.collaborator_id))).expect(200);
  });

  test('a new invitation replaces the previous one', async () => {
    const id = await person();
    await app.admin.post(path(id)).expect(200);
    await later(id, '61 s');
    await app.admin.post(path(id)).expect(200);
    const states = await app.database.query('select state from invitations order by sent_at');
    expect(states).toEqual([{ state: 'cancelled' }, { state: 'sent' }]);
  });

  test('a person activated without accepting can be invited, and stays active', async () => {
    const id = await person();
    await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
    await app.admin.post(path(id)).expect(200);
    const { body } = await app.admin.get(`/v1/collaborators/${id}/status`).expect(200);
    expect(body).toMatchObject({ status: 'active', invitation: { state: 'sent' } });
    const changes = "select 1 from events where name = 'collaborator.status_changed'";
    expect(await app.database.query(changes)).toHaveLength(1);
  });

  test('a person deactivated and reactivated without accepting can still be invited', async () => {
    const id = await person();
    const at = `/v1/collaborators/${id}`;
    for (const move of ['activate', 'deactivate', 'activate']) await app.admin.post(`${at}/${move}`).expect(200);
    const before = await app.admin.get(`${at}/status`).expect(200);
    expect(before.body).toMatchObject({
      status: 'active',
      invitation: { state: 'none' },
      allowed_transitions: ['inactive'],
    });
    await app.admin.post(`${at}/send-invitation`).expect(200);
    const { body } = await app.admin.get(`${at}/status`).expect(200);
    expect(body).toMatchObject({ status: 'active', invitation: { state: 'sent', send_count: 1 } });
    await app.admin.post(`${at}/deactivate`).expect(200);
    const off = await app.admin.get(`${at}/status`).expect(200);
    expect(off.body).toMatchObject({ status: 'inactive', invitation: { state: 'cancelled' } });
    expect(off.body.allowed_transitions).toEqual(['active', 'pending']);
    expect((await app.admin.post(`${at}/activate`).expect(200)).body.status).toBe('active');
  });

  test('a person deactivated before accepting becomes pending again', async () => {
    const id = await person();
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    await app.admin.post(path(id)).expect(200);
    expect((await app.admin.get(`/v1/collaborators/${id}`)).body.status).toBe('pending');
  });
});

describe('conflicts', () => {
  test('returns 409 if already active', async () => {
    const { body } = await app.admin.post(path(app.report.collaborator_id)).expect(409);
    expect(body.error).toBe('already_active');
  });

  test('returns 409 if inactive but accepted before, which an admin reactivates instead', async () => {
    await app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/deactivate`).expect(200);
    const { body } = await app.admin.post(path(app.report.collaborator_id)).expect(409);
    expect(body).toMatchObject({ error: 'invalid_status_transition', details: { to: 'pending', allowed: ['active'] } });
    await app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/activate`).expect(200);
  });

  test('allows one per minute', async () => {
    const id = await person();
    await app.admin.post(path(id)).expect(200);
    const { body, headers } = await app.admin.post(path(id)).expect(429);
    const message = 'This collaborator was invited less than a minute ago. Try again in a minute.';
    expect(body).toEqual({ error: 'invitation_throttled', message });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    await later(id, '61 s');
    await app.admin.post(path(id)).expect(200);
  });

  test('allows five per day', async () => {
    const id = await person();
    for (let i = 0; i < 5; i++) {
      await app.admin.post(path(id)).expect(200);
      await later(id, '1 h');
    }
    const { body, headers } = await app.admin.post(path(id)).expect(429);
    expect(body.message).toBe('This collaborator was invited five times in 24 hours. Try again tomorrow.');
    expect(Number(headers['retry-after'])).toBeGreaterThan(18 * 3_600);
    await later(id, '20 h');
    await app.admin.post(path(id)).expect(200);
  });

  test('concurrent requests send one email', async () => {
    const id = await person();
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.admin.post(path(id))));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.database.query('select 1 from graphile_worker.jobs')).toHaveLength(1);
  });
});

describe('forbidden by role', () => {
  test('a manager can’t undo an admin’s deactivation by either path', async () => {
    const id = await person(app.report.collaborator_id);
    await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    for (const name of ['send-invitation', 'resend-invitation']) {
      const { body } = await app.manager.post(`/v1/collaborators/${id}/${name}`).expect(403);
      expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
    }
    expect((await app.admin.get(`/v1/collaborators/${id}`)).body.status).toBe('inactive');
    expect(await app.database.query('select 1 from graphile_worker.jobs')).toEqual([]);
    await app.admin.post(path(id)).expect(200);
  });

  test('returns 404 to managers outside the team, and 403 to employees for themselves', async () => {
    await app.manager.post(path(await person())).expect(404);
    await app.employee.post(path(app.employee.collaborator_id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(await person())).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.invited without the link, and adds a history entry', async () => {
    const id = await person();
    await app.admin.post(path(id)).expect(200);
    const events = await app.database.query("select payload::json from events where name = 'collaborator.invited'");
    expect(events).toMatchObject([{ payload: { collaborator_id: id, sent_by: app.admin.user_id, send_count: 1 } }]);
    expect(JSON.stringify(events)).not.toContain('http');
    const history = await app.database.query(
      "select user_id from collaborator_history where action = 'invited' and collaborator_id = $1",
      [id],
    );
    expect(history).toEqual([{ user_id: app.admin.user_id }]);
  });
});
