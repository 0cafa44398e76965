import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}`;
let serial = 0;
async function person(fields: object = {}): Promise<string> {
  serial += 1;
  const base = { name: 'Una Update', email: `una${serial}@example.com`, position: 'Clerk', department: 'Office' };
  return (await app.admin.post('/v1/collaborators', { ...base, ...fields }).expect(201)).body.id;
}

describe('succeeds', () => {
  test('changes fields sent, keeps the rest, and clears with null', async () => {
    const id = await person({ phone: '+351 1', salary: 100, location: 'Porto', hire_date: '2026-01-01' });
    const { body, headers } = await app.admin
      .put(path(id), { name: 'Una Changed', phone: null, salary: 120.5 })
      .expect(200);
    expect(body).toMatchObject({
      name: 'Una Changed',
      phone: null,
      salary: 120.5,
      location: 'Porto',
      hire_date: '2026-01-01',
    });
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
    const read = await app.admin.get(path(id)).expect(200);
    expect(read.body).toEqual(body);
    expect(read.headers.etag).toBe(headers.etag);
  });

  test('without changes, returns 200 with the same ETag and emits no event', async () => {
    const id = await person({ salary: 100.1, emergency_contact: { name: 'A' } });
    const before = await app.admin.get(path(id));
    const count = () => app.database.query('select count(*) from events');
    const events = await count();
    for (const body of [
      {},
      { salary: 100.1 },
      { name: 'Una Update' },
      { emergency_contact: { name: 'A' } },
      { phone: null },
    ]) {
      const { headers } = await app.admin.put(path(id), body).expect(200);
      expect(headers.etag).toBe(before.headers.etag);
    }
    expect(await count()).toEqual(events);
  });

  test('merges emergency contacts by field, and removes one with all fields null', async () => {
    const id = await person({ emergency_contact: { name: 'Ada', phone: '+351 9' } });
    const merged = await app.admin
      .put(path(id), { emergency_contact: { relationship: 'sister', phone: null } })
      .expect(200);
    expect(merged.body.emergency_contact).toEqual({ name: 'Ada', phone: null, relationship: 'sister' });
    const cleared = await app.admin
      .put(path(id), { emergency_contact: { name: null, relationship: null } })
      .expect(200);
    expect(cleared.body.emergency_contact).toBeNull();
  });

  test('an admin sets the status by the rules', async () => {
    const id = await person();
    expect((await app.admin.put(path(id), { status: 'active', position: 'Lead' }).expect(200)).body).toMatchObject({
      status: 'active',
      position: 'Lead',
    });
    await app.admin.put(path(id), { status: 'inactive' }).expect(200);
    const { body } = await app.admin.put(path(id), { status: 'active' }).expect(200);
    expect(body.status).toBe('active');
    const itself = app.admin.collaborator_id;
    expect((await app.admin.put(path(itself), { status: 'inactive' }).expect(409)).body.error).toBe('last_admin');
  });

  test('managers update their team, employees themselves', async () => {
    const team = { phone: '+351 2', position: 'Senior', department: 'Ops', work_schedule: 'Nights', location: 'Faro' };
    const { body } = await app.manager.put(path(app.report.collaborator_id), team).expect(200);
    expect(body).toMatchObject(team);
    const own = { phone: '+351 3', emergency_contact: { name: 'Rosa' } };
    expect((await app.employee.put(path(app.employee.collaborator_id), own).expect(200)).body.phone).toBe('+351 3');
  });

  test('managers can move people only within their team', async () => {
    const below = await person({ manager_id: app.report.collaborator_id });
    await app.manager.put(path(below), { manager_id: app.manager.collaborator_id }).expect(200);
    const outside = await app.manager.put(path(below), { manager_id: app.employee.collaborator_id }).expect(400);
    expect(outside.body.details.manager_id[0].code).toBe('not_found');
    const none = await app.manager.put(path(below), { manager_id: null }).expect(400);
    expect(none.body.details.manager_id[0].code).toBe('not_clearable');
  });
});

describe('refuses bad input', () => {
  test('reports all errors at once', async () => {
    const bad = {
      name: null,
      email: 'x',
      position: '',
      department: 5,
      salary: 0.001,
      hire_date: '2026-02-30',
      role: 'admin',
      id: 'x',
    };
    const { body } = await app.admin.put(path(await person()), bad).expect(400);
    const codes = Object.fromEntries(
      Object.entries(body.details as Record<string, { code: string }[]>).map(([field, errors]) => [
        field,
        errors[0]!.code,
      ]),
    );
    expect(codes).toEqual({
      name: 'not_clearable',
      email: 'invalid_format',
      position: 'too_short',
      department: 'invalid_type',
      salary: 'out_of_range',
      hire_date: 'invalid_format',
      role: 'field_not_allowed',
      id: 'field_not_allowed',
    });
  });

  test('rejects null for required fields', async () => {
    const nothing = { email: null, position: null, department: null, status: null };
    const { body } = await app.admin.put(path(app.report.collaborator_id), nothing).expect(400);
    const refused = [{ code: 'not_clearable', message: expect.any(String) }];
    expect(body.details).toEqual({ email: refused, position: refused, department: refused, status: refused });
  });

  test('rejects managers that are the person, in a cycle, unknown, or of another company', async () => {
    const [a, b, c] = [await person(), await person(), await person()];
    await app.admin.put(path(b), { manager_id: a }).expect(200);
    await app.admin.put(path(c), { manager_id: b }).expect(200);
    const errorCode = async (id: string, managerId: string) =>
      (await app.admin.put(path(id), { manager_id: managerId }).expect(400)).body.details.manager_id[0].code;
    expect(await errorCode(a, a)).toBe('self');
    expect(await errorCode(a, a.toUpperCase())).toBe('self');
    expect(await errorCode(a, b)).toBe('cycle');
    expect(await errorCode(a, c)).toBe('cycle');
    expect(await errorCode(a, app.outsider.collaborator_id)).toBe('not_found');
    expect(await errorCode(a, 'nobody')).toBe('not_found');
  });

  test('reports a taken email and an unknown manager together', async () => {
    const { body } = await app.admin
      .put(path(await person()), { email: 'RUI.almeida@example.com', manager_id: 'nobody' })
      .expect(400);
    expect(body.details.email[0].code).toBe('taken');
    expect(body.details.manager_id[0].code).toBe('not_found');
  });
});

describe('external ids', () => {
  const number = () => `n-${randomUUID()}`;

  test('admins set, change, and clear them; history and event have the previous values', async () => {
    const id = await person();
    const [first, second] = [number(), number()];
    await app.admin.put(path(id), { external_id: first, employee_number: first }).expect(200);
    const { body } = await app.admin.patch(path(id), { external_id: second, employee_number: null }).expect(200);
    expect(body).toMatchObject({ external_id: second, employee_number: null });
    const history = (await app.admin.get(`${path(id)}/history`).expect(200)).body.data[0];
    expect(history.changes).toEqual([
      { field: 'external_id', from: first, to: second },
      { field: 'employee_number', from: first, to: null },
    ]);
    const [event] = await app.database.query(
      `select payload::json from events where name = 'collaborator.updated' and payload::json->>'id' = $1
       order by created_at desc, id desc limit 1`,
      [id],
    );
    expect(event!.payload).toMatchObject({
      external_id: second,
      employee_number: null,
      changed_fields: ['external_id', 'employee_number'],
      previous: { external_id: first, employee_number: first },
    });
  });

  test('reject values in use, also concurrently, but accept the person’s own', async () => {
    const [a, b, c] = [await person(), await person(), await person()];
    const ids = { external_id: number(), employee_number: number() };
    await app.admin.put(path(a), ids).expect(200);
    await app.admin.put(path(a), { ...ids, phone: '+1 7' }).expect(200);
    const { body } = await app.admin.put(path(b), { ...ids, email: 'rui.almeida@example.com' }).expect(400);
    expect(body.details).toMatchObject({
      email: [{ code: 'taken' }],
      external_id: [{ code: 'taken' }],
      employee_number: [{ code: 'taken' }],
    });
    const contested = number();
    const responses = await Promise.all(
      [a, b, c].map((id) => app.admin.put(path(id), { external_id: contested, location: id })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('are readable by everyone who sees the record, and writable by admins only', async () => {
    const id = app.report.collaborator_id;
    const employeeNumber = number();
    await app.admin.put(path(id), { employee_number: employeeNumber }).expect(200);
    expect((await app.manager.get(path(id)).expect(200)).body.employee_number).toBe(employeeNumber);
    expect((await app.report.get(path(id)).expect(200)).body.employee_number).toBe(employeeNumber);
    for (const client of [app.manager, app.report]) {
      const { body } = await client.put(path(id), { external_id: 'x', employee_number: 'y' }).expect(403);
      expect(Object.keys(body.details).sort()).toEqual(['employee_number', 'external_id']);
    }
  });
});

describe('conflicts', () => {
  test('If-Match accepts the current ETag, a star, and a list, and rejects an old one', async () => {
    const id = await person();
    const { etag } = (await app.admin.get(path(id))).headers;
    const put = (match: string, phone: string) => app.admin.put(path(id), { phone }).set('If-Match', match);
    expect((await put('"old"', '+1 2').expect(412)).body.error).toBe('precondition_failed');
    expect((await put('W/"old"', '+1 2').expect(412)).body.error).toBe('precondition_failed');
    await put(`"old", ${etag}`, '+1 3').expect(200);
    await put(etag!, '+1 4').expect(412);
    await put('*', '+1 5').expect(200);
  });

  test('of two writers with the same ETag, one wins and the other writes nothing', async () => {
    const id = await person();
    for (let round = 0; round < 2; round++) {
      const { etag } = (await app.admin.get(path(id))).headers;
      const responses = await Promise.all([
        app.admin.put(path(id), { phone: `+1 ${round}1` }).set('If-Match', etag!),
        app.admin.put(path(id), { location: `Place ${round}` }).set('If-Match', etag!),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
      const winner = responses.find(({ status }) => status === 200)!;
      expect((await app.admin.get(path(id)).expect(200)).body).toEqual(winner.body);
    }
  });

  test('concurrent writers of different fields without an ETag both succeed', async () => {
    const id = await person();
    await Promise.all([
      app.admin.put(path(id), { phone: '+1 99' }).expect(200),
      app.admin.put(path(id), { location: 'Lagos' }).expect(200),
      app.admin.put(path(id), { work_schedule: 'Part-time' }).expect(200),
    ]);
    expect((await app.admin.get(path(id))).body).toMatchObject({
      phone: '+1 99',
      location: 'Lagos',
      work_schedule: 'Part-time',
    });
  });

  test('of two changes that together would close a cycle, one is rejected', async () => {
    for (let round = 0; round < 2; round++) {
      const [a, b] = [await person(), await person()];
      const responses = await Promise.all([
        app.admin.put(path(a), { manager_id: b }),
        app.admin.put(path(b), { manager_id: a }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('of concurrent requests for the same email, one succeeds', async () => {
    const ids = [await person(), await person(), await person()];
    const responses = await Promise.all(ids.map((id) => app.admin.put(path(id), { email: 'wanted@example.com' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('returns 409 for the last active admin', async () => {
    const { body } = await app.admin.put(path(app.admin.collaborator_id), { status: 'inactive' }).expect(409);
    expect(body.error).toBe('last_admin');
  });
});

describe('status', () => {
  const from = async (...moves: string[]) => {
    const id = await person();
    for (const move of moves) await app.admin.post(`${path(id)}/${move}`).expect(200);
    return id;
  };

  test.each([
    ['active', ['inactive'], ['activate']],
    ['inactive', ['active'], ['activate', 'deactivate']],
  ])('of %s people can’t become pending', async (status, allowed, moves) => {
    const id = await from(...moves);
    const details = { from: status, to: 'pending', allowed };
    for (const method of ['put', 'patch'] as const) {
      const { body } = await app.admin[method](path(id), { status: 'pending', name: 'Not Written' }).expect(409);
      expect(body).toMatchObject({ error: 'invalid_status_transition', details });
    }
    const items = [{ id, status: 'pending' }];
    const bulk = await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    expect(bulk.body.results[0].error).toMatchObject({ error: 'invalid_status_transition', details });
    expect((await app.admin.get(path(id))).body).toMatchObject({ status, name: 'Una Update' });
  });

  test('of pending people can be sent unchanged', async () => {
    const { body } = await app.admin.put(path(await from()), { status: 'pending', name: 'Una Pending' }).expect(200);
    expect(body).toMatchObject({ status: 'pending', name: 'Una Pending' });
  });
});

describe('forbidden by role', () => {
  test.each([
    ['manager', { name: 'New Name' }],
    ['manager', { salary: 1 }],
    ['manager', { status: 'inactive' }],
    ['manager', { emergency_contact: null }],
  ] as const)('%s can’t send %j', async (identity, body) => {
    const response = await app[identity].put(path(app.report.collaborator_id), body).expect(403);
    expect(response.body.error).toBe('field_forbidden');
    expect(Object.keys(response.body.details)).toEqual(Object.keys(body));
  });

  test('employees can’t change their salary or position, but can send the current values', async () => {
    const own = { salary: 39_500, position: 'Planner', phone: '+1 2' };
    await app.employee.put(path(app.employee.collaborator_id), own).expect(200);
    const response = await app.employee
      .put(path(app.employee.collaborator_id), { salary: 39_501, position: 'Head', phone: '+1 2' })
      .expect(403);
    expect(Object.keys(response.body.details).sort()).toEqual(['position', 'salary']);
  });

  test('managers change on their own record what employees may, and more on their team’s', async () => {
    const own = path(app.manager.collaborator_id);
    const { body } = await app.manager.get(own).expect(200);
    const raised = { position: 'Director', department: 'Board', work_schedule: 'Never', location: 'Lisbon' };
    for (const method of ['put', 'patch'] as const) {
      const response = await app.manager[method](own, { ...raised, manager_id: app.report.collaborator_id }).expect(
        403,
      );
      expect(response.body.error).toBe('field_forbidden');
      expect(Object.keys(response.body.details).sort()).toEqual([...Object.keys(raised), 'manager_id'].sort());
      expect(response.body.details.position[0].message).toContain('your own record');
    }
    expect((await app.manager.get(own).expect(200)).body).toEqual(body);
    const allowed = { phone: '+351 9', emergency_contact: { name: 'Ana' }, position: body.position };
    expect((await app.manager.patch(own, allowed).expect(200)).body.phone).toBe('+351 9');
    await app.manager.patch(path(app.report.collaborator_id), raised).expect(200);
  });

  test('rejects role, company_id, and other fields from everyone', async () => {
    for (const field of ['role', 'company_id', 'user_id', 'deleted_at', 'revision']) {
      const { body } = await app.admin.put(path(app.report.collaborator_id), { [field]: 'x' }).expect(400);
      expect(body.details[field][0].code).toBe('field_not_allowed');
    }
  });

  test('rejects an admin without salary:write', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    await client.put(path(app.report.collaborator_id), { salary: 1 }).expect(403);
    await client.put(path(app.report.collaborator_id), { phone: '+1 8' }).expect(200);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.put(path(app.report.collaborator_id), { name: 'Mine Now' }).expect(404);
    await app.employee.put(path(app.report.collaborator_id), { phone: '+1 2' }).expect(404);
  });
});

describe('emits', () => {
  test('the event has new and previous values of public fields; the history has all of them', async () => {
    const id = await person({ salary: 10, emergency_contact: { name: 'Ada' } });
    await app.admin.put(path(id), { salary: 20.25, name: 'Una Due', emergency_contact: null }).expect(200);
    const [event] = await app.database.query(
      "select payload::json from events where name = 'collaborator.updated' and payload::json->>'id' = $1",
      [id],
    );
    expect(event!.payload).toMatchObject({
      id,
      name: 'Una Due',
      previous: { name: 'Una Update' },
      changed_by: app.admin.user_id,
    });
    expect(event!.payload.changed_fields.sort()).toEqual(['emergency_contact', 'name', 'salary']);
    expect(maskIds(JSON.stringify(event!.payload))).not.toMatch(/Ada|20\.25/);
    const [entry] = await app.database.query(
      "select changes from collaborator_history where action = 'updated' and collaborator_id = $1",
      [id],
    );
    expect(entry!.changes).toHaveLength(3);
    expect(entry!.changes).toEqual(
      expect.arrayContaining([
        { field: 'name', from: 'Una Update', to: 'Una Due' },
        { field: 'salary', from: 10, to: 20.25 },
        { field: 'emergency_contact', from: { name: 'Ada', phone: null, relationship: null }, to: null },
      ]),
    );
  });

  test('changing the email invalidates the link sent to the old one', async () => {
    const id = await person();
    await app.admin.post(`${path(id)}/send-invitation`).expect(200);
    await app.admin.put(path(id), { email: `moved${serial}@example.com` }).expect(200);
    expect((await app.admin.get(`${path(id)}/status`)).body.invitation.state).toBe('cancelled');
  });
});
