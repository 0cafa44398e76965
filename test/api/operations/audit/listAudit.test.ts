import { v7 as uuidv7 } from 'uuid';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.audit.flush(); // entries of the previous test
  await app.database.query('delete from audit_log');
});

const path = '/v1/audit';

interface Entry {
  id: string;
  action: string;
  actor: { user_id: string | null; name: string | null; email: string | null };
  target: { type: string; id: string } | null;
  details: Record<string, unknown>;
}

async function page(query: Record<string, string | number> = {}, client: TestClient = app.admin) {
  const { body } = await client.get(path).query(query).expect(200);
  return body as { data: Entry[]; pagination: { hasMore: boolean; nextCursor: string | null } };
}

const actions = async (query: Record<string, string> = {}) => (await page(query)).data.map(({ action }) => action);

async function addEntry(action: string, at: string, more: { actor_id?: string; target_id?: string } = {}) {
  const { actor_id: actorId = null, target_id: targetId = null } = more;
  await app.database.query(
    `insert into audit_log (company_id, id, at, action, actor_type, actor_id, target_type, target_id, outcome)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'succeeded')`,
    [
      app.company_id,
      uuidv7({ msecs: Date.parse(at) }),
      at,
      action,
      actorId ? 'user' : 'operator',
      actorId,
      targetId && 'collaborator',
      targetId,
    ],
  );
}

describe('succeeds', () => {
  test('records actor, target, and origin with field names but no values', async () => {
    const { collaborator_id: id, user_id: userId } = app.admin;
    await app.admin
      .patch(`/v1/collaborators/${app.report.collaborator_id.toUpperCase()}`, { salary: 51_234, location: 'Faro' })
      .set('User-Agent', 'payroll/2.3')
      .set('X-Request-Id', 'the-request')
      .expect(200);
    await app.audit.flush();
    const { data } = await page();
    const [read, change] = data;
    const common = {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: {
        type: 'user',
        user_id: userId,
        collaborator_id: id,
        name: 'Mariana Duarte',
        email: 'mariana.duarte@example.com',
        installed_by: null,
        installed_by_name: null,
        client_id: expect.any(String),
        client_name: 'Tests',
      },
      ip: '127.0.0.1',
      user_agent: 'payroll/2.3',
      request_id: 'the-request',
      target: { type: 'collaborator', id: app.report.collaborator_id, name: 'Clara Sousa' },
      outcome: 'succeeded',
    };
    expect(change).toEqual({ ...common, action: 'patchCollaborator', details: expect.anything() });
    expect(change!.details).toEqual({ fields: ['salary', 'location'], changed_fields: ['location', 'salary'] });
    expect(read).toEqual({ ...common, action: 'salary.read', details: { operation_id: 'patchCollaborator' } });
    expect(data).toHaveLength(2);
    expect(maskIds(JSON.stringify(data))).not.toMatch(/51234|Faro/);
    expect(id).not.toBe(app.report.collaborator_id);
  });

  test('shows names from the company’s own records, also of deleted people, and not account names', async () => {
    const { user_id: userId, collaborator_id: collaboratorId } = app.employee;
    await app.database.query("update users set name = 'T. Rocha', email = 'private@elsewhere.example' where id = $1", [
      userId,
    ]);
    await addEntry('sign_in', '2026-03-01T00:00:00.000Z', { actor_id: userId });
    await addEntry('sign_in', '2026-03-02T00:00:00.000Z', { actor_id: app.outsider.user_id });
    const named = async () => (await page()).data.map(({ actor }) => actor);
    const stranger = { user_id: app.outsider.user_id, collaborator_id: null, name: null, email: null };
    const own = { collaborator_id: collaboratorId, name: 'Tomás Rocha', email: 'tomas.rocha@example.com' };
    expect(await named()).toMatchObject([stranger, own]);
    await app.admin.delete(`/v1/collaborators/${collaboratorId}`).expect(200);
    await app.audit.flush();
    await app.database.query("delete from audit_log where action <> 'sign_in'");
    expect(await named()).toMatchObject([stranger, { collaborator_id: null, name: 'Tomás Rocha' }]);
    await app.admin.post(`/v1/collaborators/${collaboratorId}/restore`).expect(200);
    await app.audit.flush();
    app.employee = await app.as('employee', {});
  });

  test('lists the newest first, and combines all filters', async () => {
    const [early, later] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];
    const { user_id: actorId, collaborator_id: targetId } = app.admin;
    await addEntry('sign_in', later, { actor_id: actorId });
    await addEntry('sign_out', early, { actor_id: actorId });
    await addEntry('assignRole', early, { actor_id: app.manager.user_id, target_id: targetId });
    await addEntry('company.renamed', later);
    expect((await actions()).sort()).toEqual(['assignRole', 'company.renamed', 'sign_in', 'sign_out']);
    expect((await actions()).slice(0, 2).sort()).toEqual(['company.renamed', 'sign_in']);
    expect(await actions({ actor_id: actorId })).toEqual(['sign_in', 'sign_out']);
    expect(await actions({ actor_id: actorId.toUpperCase(), until: later })).toEqual(['sign_out']);
    expect(await actions({ actor_collaborator_id: targetId.toUpperCase() })).toEqual(['sign_in', 'sign_out']);
    expect(await actions({ actor_collaborator_id: targetId, actor_id: app.manager.user_id })).toEqual([]);
    expect(await actions({ target_id: targetId.toUpperCase() })).toEqual(['assignRole']);
    expect(await actions({ since: later, action: 'sign_in' })).toEqual(['sign_in']);
    expect(await actions({ since: '2026-03-02T00:00:00.001Z' })).toEqual([]);
    expect(await actions({ until: early })).toEqual([]);
    expect(await actions({ since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).toHaveLength(4);
    expect(await actions({ outcome: 'refused' })).toEqual([]);
    expect(await actions({ actor_id: 'nobody' })).toEqual([]);
    expect(await actions({ actor_collaborator_id: 'nobody' })).toEqual([]);
    expect(await actions({ target_id: 'nothing' })).toEqual([]);
    expect(await actions({ action: 'launchRocket' })).toEqual([]);
    expect(await actions({ action: 'sign\0in' })).toEqual([]);
    expect(await actions({ target_id: `${targetId}\0` })).toEqual([]);
  });

  test('finds changes of a field, single or bulk, but not requests that left it unchanged', async () => {
    const { collaborator_id: id } = app.report;
    const before = (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
    await app.admin.patch(`/v1/collaborators/${id}`, { position: before.position, phone: '+351 1' }).expect(200);
    expect(await actions({ changed_field: 'position' })).toEqual([]);
    const items = [
      { id, phone: '+351 2' },
      { id: app.manager.collaborator_id, location: 'Braga' },
    ];
    await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'manager' }).expect(200);
    await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'employee' }).expect(200);
    expect(await actions({ changed_field: 'phone' })).toEqual(['bulkCollaborators', 'patchCollaborator']);
    expect(await actions({ changed_field: 'location' })).toEqual(['bulkCollaborators']);
    expect(await actions({ changed_field: 'role' })).toEqual(['assignRole', 'assignRole']);
    expect(await actions({ changed_field: 'role', until: '2026-01-01T00:00:00Z' })).toEqual([]);
    expect(await actions({ changed_field: 'shoe_size' })).toEqual([]);
    expect(await actions({ changed_field: 'ph\0one' })).toEqual([]);
    const { data } = await page({ changed_field: 'phone', limit: 1 });
    expect(data[0]!.details).toMatchObject({ changed_fields: ['location', 'phone'] });
    const foreign = await app.outsider
      .get(path)
      .query({ changed_field: 'phone' })
      .set('X-Company-Id', app.outsider.company_id);
    expect(foreign.body.data).toEqual([]);
  });

  test('can exclude reads and sign-ins, but always includes rejected requests', async () => {
    for (const action of ['sign_in', 'token.issued', 'salary.read', 'listDocuments', 'assignRole']) {
      await addEntry(action, '2026-03-01T00:00:00.000Z');
    }
    await app.employee.get(`/v1/collaborators/${app.employee.collaborator_id}`).expect(200);
    await app.database.query("update audit_log set outcome = 'refused' where action = 'listDocuments'");
    expect((await actions({ exclude: 'reads,sign_ins' })).sort()).toEqual(['assignRole', 'listDocuments']);
    expect((await actions({ exclude: 'sign_ins' })).sort()).toEqual(['assignRole', 'listDocuments', 'salary.read']);
    await app.admin.get(path).query({ exclude: 'reads,everything' }).expect(400);
  });

  test('following the cursor returns each entry once while others are added', async () => {
    for (let n = 1; n <= 5; n++) await addEntry(`step.${n}`, `2026-03-0${n}T00:00:00.000Z`);
    const walked: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, pagination } = await page(cursor ? { limit: 2, cursor } : { limit: 2 });
      walked.push(...data.map(({ action }) => action));
      cursor = pagination.nextCursor;
      await addEntry('later', '2026-03-09T00:00:00.000Z');
    }
    expect(walked).toEqual(['step.5', 'step.4', 'step.3', 'step.2', 'step.1']);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=101', 'limit', 'out_of_range'],
    ['since=2026-03-01', 'since', 'invalid_format'],
    ['outcome=maybe', 'outcome', 'not_in_enum'],
    ['collaborator=1', 'collaborator', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects a cursor of other filters or another company', async () => {
    await addEntry('one', '2026-03-01T00:00:00.000Z');
    await addEntry('two', '2026-03-02T00:00:00.000Z');
    const cursor = (await page({ limit: 1 })).pagination.nextCursor!;
    for (const send of [
      app.admin.get(path).query({ cursor, action: 'one' }),
      app.admin.get(path).query({ cursor: 'garbage' }),
      app.outsider.get(path).query({ cursor }),
    ]) {
      expect((await send.expect(400)).body.error).toBe('invalid_cursor');
    }
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins, and tokens without the scope, and records repeated rejections once a minute', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
    const narrow = await app.as('admin', { scopes: ['collaborators:read'] });
    for (let n = 0; n < 3; n++) await narrow.get(path).expect(403);
    await app.audit.flush();
    const { data } = await page({ action: 'listAudit', outcome: 'refused' });
    expect(data.map(({ actor, details }) => [actor.user_id, details])).toEqual([
      [app.admin.user_id, { error: 'insufficient_scope' }],
      [app.employee.user_id, { error: 'forbidden' }],
      [app.manager.user_id, { error: 'forbidden' }],
    ]);
  });
});

describe('invisible to another company', () => {
  test('each company lists only its own entries', async () => {
    const change = { phone: '+351 7' };
    await app.admin.patch(`/v1/collaborators/${app.report.collaborator_id}`, change).expect(200);
    await app.outsider.patch(`/v1/collaborators/${app.outsider.collaborator_id}`, { phone: '+49 30 1' }).expect(200);
    const { data } = await page({}, app.outsider);
    expect(data.map(({ action, actor }) => [action, actor.user_id])).toEqual([
      ['patchCollaborator', app.outsider.user_id],
    ]);
    const ofReport = { target_id: app.report.collaborator_id, action: 'patchCollaborator' };
    expect((await page(ofReport)).data).toMatchObject([{ actor: { user_id: app.admin.user_id } }]);
    expect((await page(ofReport, app.outsider)).data).toEqual([]);
    const ofOutsider = { actor_id: app.outsider.user_id };
    expect((await page(ofOutsider, app.outsider)).data).toHaveLength(1);
    expect((await page(ofOutsider)).data).toEqual([]);
  });
});
