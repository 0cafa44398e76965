import { type TestApp, testApp } from '../../../helpers/app.ts';
import { lockWaiters } from '../../../helpers/database/lock-waiters.ts';
import { eventually } from '../../../helpers/eventually.ts';

const path = '/v1/collaborators';
const minimal = {
  name: 'Inês Carvalho',
  email: 'ines.carvalho@example.com',
  position: 'Analyst',
  department: 'Finance',
};
const complete = {
  ...minimal,
  email: 'ines.complete@example.com',
  phone: '+351 21 123 45 67 ext 12',
  hire_date: '2026-03-02',
  termination_date: '2031-03-01',
  salary: 51_200.19,
  work_schedule: 'Full-time',
  location: 'Porto',
  external_id: 'hr:Ünïcode 7 🌊',
  employee_number: '00417',
  emergency_contact: { name: 'Paulo Carvalho', phone: '+351 91 000 00 00', relationship: 'father' },
};

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

describe('succeeds', () => {
  test('with the required fields only, creates a pending employee with all else null', async () => {
    const { body, headers } = await app.admin.post(path, minimal).expect(201);
    expect(body).toEqual({
      ...minimal,
      id: expect.any(String),
      phone: null,
      status: 'pending',
      role: 'employee',
      hire_date: null,
      termination_date: null,
      salary: null,
      manager_id: null,
      work_schedule: null,
      location: null,
      external_id: null,
      employee_number: null,
      custom_fields: {},
      avatar_url: null,
      emergency_contact: null,
      managed_by: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(headers.location).toBe(`${app.base_url}${path}/${body.id}`);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    expect(headers['x-api-version']).toBe('1.0.0');
    const read = await app.admin.get(`${path}/${body.id}`).expect(200);
    expect(read.body).toEqual(body);
    expect(read.headers.etag).toBe(headers.etag);
  });

  test('stores every field, and the salary to the cent', async () => {
    const managerId = app.manager.collaborator_id;
    const { body } = await app.admin.post(path, { ...complete, manager_id: managerId }).expect(201);
    expect(body).toMatchObject({ ...complete, manager_id: managerId });
    expect((await app.admin.get(`${path}/${body.id}`).expect(200)).body).toEqual(body);
  });

  test('null leaves an optional field unset', async () => {
    const unset = { phone: null, salary: null, manager_id: null, emergency_contact: null, hire_date: null };
    const { body } = await app.admin.post(path, { ...minimal, email: 'nulls@example.com', ...unset }).expect(201);
    expect(body).toMatchObject(unset);
  });

  test.each([
    0.01, 1_200_000_000, 12_345_678_901.23, 68_719_476_736.07, 549_755_813_888.11, 703_687_441_776.63,
    999_999_999_999.99,
  ])('stores a salary of %d to the cent', async (salary) => {
    const { body } = await app.admin.post(path, { ...minimal, email: `paid${salary}@example.com`, salary }).expect(201);
    expect((await app.admin.get(`${path}/${body.id}`)).body.salary).toBe(salary);
    const stored = await app.database.query('select salary::text from collaborators where id = $1', [body.id]);
    expect(stored).toEqual([{ salary: salary.toFixed(2) }]);
  });

  test('stores text as sent, in any script', async () => {
    const name = 'Zoë 🌊 محمد ńo';
    const { body } = await app.admin.post(path, { ...minimal, name, email: 'script@example.com' }).expect(201);
    expect(body.name).toBe(name);
    expect((await app.admin.get(`${path}/${body.id}`).expect(200)).body.name).toBe(name);
  });

  test('response and event show what the database stored', async () => {
    const { body: boss } = await app.admin.post(path, { ...minimal, email: 'odd.boss@example.com' }).expect(201);
    const unusual = {
      ...{
        email: 'Odd.ONE@example.com',
        name: '\u202aOddO\u0301ne\u202c',
        position: '葛\u{e0100}',
        department: ' a ',
        phone: '+1 23',
      },
      ...{
        manager_id: boss.id.toUpperCase(),
        hire_date: '0099-12-31',
        salary: 1e5 + 0.1,
        location: 'x\n',
        work_schedule: ' ',
      },
      emergency_contact: { relationship: '\u2800', name: 'ab', phone: '+1 23' },
    };
    const { body, headers } = await app.admin.post(path, unusual).expect(201);
    const stored = await app.admin.get(`${path}/${body.id}`).expect(200);
    expect(body).toEqual(stored.body);
    expect(headers.etag).toBe(stored.headers.etag);
    const [event] = await app.database.query(
      "select payload::json from events where payload::json->>'id' = $1 and name = 'collaborator.created'",
      [body.id],
    );
    expect(stored.body).toMatchObject(event!.payload);
  });

  test('without salary:read, omits the salary and lists it as hidden', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    const { body } = await client.post(path, { ...minimal, email: 'hidden@example.com' }).expect(201);
    expect(body).not.toHaveProperty('salary');
    expect(body.restricted_fields).toEqual(['salary']);
  });
});

describe('refuses bad input', () => {
  test.each(['0000-01-01', '2026-00-10', '2025-02-29', '2026-1-1'])('rejects the invalid date %s', async (hireDate) => {
    const { body } = await app.admin
      .post(path, { ...minimal, email: 'dated@example.com', hire_date: hireDate })
      .expect(400);
    expect(body.details.hire_date).toMatchObject([{ code: 'invalid_format' }]);
  });

  test('reports all errors of a body by field', async () => {
    const bad = {
      name: 'X',
      email: 'not an address',
      department: 7,
      phone: 'x'.repeat(101),
      hire_date: '2026-02-30',
      salary: -1,
      manager_id: 'x'.repeat(65),
      location: 'x'.repeat(201),
      external_id: 'x'.repeat(256),
      employee_number: '7\t7',
      emergency_contact: { name: 5, pet: 'cat' },
      role: 'admin',
      status: 'active',
      shoe_size: 42,
    };
    const { body } = await app.admin.post(path, bad).expect(400);
    expect(body).toEqual({ error: 'validation_error', message: expect.any(String), details: expect.any(Object) });
    const codes = Object.fromEntries(
      Object.entries(body.details as Record<string, { code: string }[]>).map(([field, errors]) => [
        field,
        errors.map(({ code }) => code),
      ]),
    );
    expect(codes).toEqual({
      name: ['too_short'],
      email: ['invalid_format'],
      position: ['required'],
      department: ['invalid_type'],
      phone: ['too_long'],
      hire_date: ['invalid_format'],
      salary: ['out_of_range'],
      manager_id: ['too_long'],
      location: ['too_long'],
      external_id: ['too_long'],
      employee_number: ['invalid_format'],
      'emergency_contact.name': ['invalid_type'],
      'emergency_contact.pet': ['field_not_allowed'],
      role: ['field_not_allowed'],
      status: ['field_not_allowed'],
      shoe_size: ['field_not_allowed'],
    });
  });

  test.each([
    ['not JSON', '{"name":', 'malformed_json'],
    ['an empty object', '{}', 'validation_error'],
    ['a list', '[]', 'validation_error'],
    ['a string', '"x"', 'validation_error'],
    ['null', 'null', 'validation_error'],
  ])('rejects a body: %s', async (_, text, error) => {
    const { body } = await app.admin.post(path).set('Content-Type', 'application/json').send(text).expect(400);
    expect(body.error).toBe(error);
  });

  test('rejects an empty body', async () => {
    const { body } = await app.admin.post(path).expect(400);
    expect(body.details).toEqual({ body: [{ code: 'required', message: expect.any(String) }] });
  });

  test.each([
    ['a NUL byte', { name: 'a\u0000b' }, 'name'],
    ['only spaces', { position: '   ' }, 'position'],
    ['half a cent', { salary: 10.005 }, 'salary'],
    ['a salary as text', { salary: '100' }, 'salary'],
    ['half a cent of a large salary', { salary: 123_456_789_012.005 }, 'salary'],
    ['a salary too large', { salary: 1e12 }, 'salary'],
    ['a date with a time', { hire_date: '2026-03-02T10:00:00Z' }, 'hire_date'],
  ])('rejects %s', async (_, field, name) => {
    const { body } = await app.admin.post(path, { ...minimal, email: 'never@example.com', ...field }).expect(400);
    expect(Object.keys(body.details)).toEqual([name]);
  });

  test('returns the same error for a manager who is unknown, of another company, or has an invalid id', async () => {
    for (const managerId of ['0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', app.outsider.collaborator_id, 'nobody']) {
      const { body } = await app.admin
        .post(path, { ...minimal, email: 'boss@example.com', manager_id: managerId })
        .expect(400);
      expect(body.details).toEqual({ manager_id: [{ code: 'not_found', message: expect.any(String) }] });
    }
  });

  test('rejects another media type and a missing one', async () => {
    const form = await app.admin
      .post(path)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send('name=a')
      .expect(415);
    expect(form.body.error).toBe('unsupported_media_type');
    await app.admin.post(path).set('Content-Type', 'text/plain').send('{}').expect(415);
  });

  test('rejects a body over the size limit', async () => {
    const { body } = await app.admin.post(path, { name: 'x'.repeat(app.config.max_body_bytes) }).expect(413);
    expect(body.error).toBe('payload_too_large');
  });

  test('rejects an unknown query parameter', async () => {
    const { body } = await app.admin.post(`${path}?dry=1`, minimal).expect(400);
    expect(body.error).toBe('invalid_parameter');
  });
});

describe('conflicts', () => {
  test('rejects an email in use, in any case', async () => {
    await app.admin.post(path, { ...minimal, email: 'Taken@Example.com' }).expect(201);
    const { body } = await app.admin.post(path, { ...minimal, email: 'taken@exAMPLE.com' }).expect(400);
    expect(body.details).toEqual({ email: [{ code: 'taken', message: expect.any(String) }] });
  });

  test('reports a taken email and an unknown manager together', async () => {
    const { body } = await app.admin
      .post(path, { ...minimal, email: 'taken@example.com', manager_id: 'x' })
      .expect(400);
    expect(Object.keys(body.details).sort()).toEqual(['email', 'manager_id']);
  });

  test('an email used in another company is free', async () => {
    await app.outsider.post(path, { ...minimal, email: 'taken@example.com' }).expect(201);
  });

  test('rejects external ids and employee numbers in use, case-sensitively, together with the email', async () => {
    const ids = { external_id: 'sap-7', employee_number: '0007' };
    const { body: first } = await app.admin.post(path, { ...minimal, email: 'ids@example.com', ...ids }).expect(201);
    expect(first).toMatchObject(ids);
    const { body } = await app.admin.post(path, { ...minimal, email: 'IDS@example.com', ...ids }).expect(400);
    expect(body.details).toEqual({
      email: [{ code: 'taken', message: expect.any(String) }],
      external_id: [{ code: 'taken', message: expect.any(String) }],
      employee_number: [{ code: 'taken', message: expect.any(String) }],
    });
    const other = { external_id: 'SAP-7', employee_number: '7' };
    await app.admin.post(path, { ...minimal, email: 'ids.other@example.com', ...other }).expect(201);
    await app.outsider.post(path, { ...minimal, email: 'ids@example.com', ...ids }).expect(201);
  });

  test('ids of deleted people are free', async () => {
    const person = { ...minimal, email: 'gone@example.com', external_id: 'gone', employee_number: 'gone' };
    const { body } = await app.admin.post(path, person).expect(201);
    await app.admin.delete(`${path}/${body.id}`).expect(200);
    const second = await app.admin.post(path, person).expect(201);
    expect(second.body.id).not.toBe(body.id);
  });

  test.each(['external_id', 'employee_number'])(
    'of concurrent requests with the same %s, one succeeds',
    async (field) => {
      const twins = Array.from({ length: 6 }, (_, n) =>
        app.admin.post(path, { ...minimal, email: `${field}.${n}@example.com`, [field]: 'twin' }),
      );
      const responses = await Promise.all(twins);
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { body } of responses.filter(({ status }) => status !== 201)) {
        expect(body.details).toEqual({ [field]: [{ code: 'taken', message: expect.any(String) }] });
      }
    },
  );

  test('of concurrent identical requests, one succeeds', async () => {
    const twins = Array.from({ length: 8 }, () => app.admin.post(path, { ...minimal, email: 'twin@example.com' }));
    const statuses = (await Promise.all(twins)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(7);
  });

  test('waits for a concurrent insert of the same email before it locks the counts, which many requests need', async () => {
    await app.admin.post(path, { ...minimal, email: 'first.of.all@example.com' }).expect(201);
    const tenant = app.database.db.tenant(app.company_id);
    let responsePromise: Promise<{ status: number }> | undefined;
    await tenant.transaction(async (tx) => {
      const changed = tx.updateTable('collaborators').set({ email: 'coveted@example.com' });
      await changed.where('email', '=', 'first.of.all@example.com').execute();
      responsePromise = app.admin.post(path, { ...minimal, email: 'coveted@example.com' }).then((response) => response);
      await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
      const counts = tx.selectFrom('collaborator_counts').select('slot').forUpdate().noWait();
      expect((await counts.execute()).length).toBeGreaterThan(0);
    });
    expect((await responsePromise!).status).toBe(400);
  });
});

describe('forbidden by role', () => {
  test.each(['manager', 'employee'] as const)('rejects the role %s', async (identity) => {
    const { body } = await app[identity].post(path, { nonsense: true }).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read'] });
    const { body, headers } = await client.post(path, minimal).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['collaborators:write'] } });
    expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
  });

  test('rejects a salary without salary:write by field name, before validating its value', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    const { body } = await client.post(path, { ...minimal, salary: 'nonsense' }).expect(403);
    expect(body).toMatchObject({ error: 'field_forbidden', details: { salary: [{ code: 'field_not_allowed' }] } });
  });
});

describe('invisible to another company', () => {
  test('rejects another company’s id, and writes nothing', async () => {
    const person = { ...minimal, email: 'intruder@example.com' };
    const { body } = await app.outsider.post(path, person).set('X-Company-Id', app.company_id).expect(403);
    expect(body.error).toBe('company_access_denied');
    const written = () => app.database.query('select company_id from collaborators where email = $1', [person.email]);
    expect(await written()).toEqual([]);
    await app.outsider.post(path, person).expect(201);
    expect(await written()).toEqual([{ company_id: app.outsider.company_id }]);
  });
});

describe('emits', () => {
  const whole = { email: 'whole@example.com', external_id: 'whole', employee_number: 'whole' };

  test('writes row, history, and event together; the event has no private fields', async () => {
    const { body } = await app.admin.post(path, { ...complete, ...whole }).expect(201);
    const history = await app.database.query('select * from collaborator_history where collaborator_id = $1', [
      body.id,
    ]);
    expect(history).toMatchObject([{ company_id: app.company_id, action: 'created', user_id: app.admin.user_id }]);
    const events = await app.database.query("select *, payload::json from events where payload::json->>'id' = $1", [
      body.id,
    ]);
    expect(events).toMatchObject([{ name: 'collaborator.created', event_type: 'CollaboratorCreated' }]);
    const {
      salary,
      emergency_contact: emergencyContact,
      avatar_url: avatarUrl,
      managed_by: managedBy,
      ...visible
    } = body;
    expect(events[0]!.payload).toEqual(visible);
  });

  test('a rejected request leaves nothing behind', async () => {
    const count = () =>
      app.database.query(
        `select (select count(*) from events) as events, (select count(*) from collaborator_history) as history,
           (select count(*) from collaborators) as people`,
      );
    const before = await count();
    const { body } = await app.admin.post(path, minimal).expect(400);
    expect(body.details.email).toMatchObject([{ code: 'taken' }]);
    expect(await count()).toEqual(before);
  });
});
