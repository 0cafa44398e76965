import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}`;

describe('succeeds', () => {
  test('admins see every field', async () => {
    const { body } = await app.admin.get(path(app.report.collaborator_id)).expect(200);
    expect(body).toMatchObject({
      id: app.report.collaborator_id,
      name: 'Clara Sousa',
      salary: 48_000.5,
      manager_id: app.manager.collaborator_id,
      emergency_contact: { name: 'Nuno Sousa', phone: '+351 912 345 678', relationship: 'brother' },
    });
    expect(body).not.toHaveProperty('restricted_fields');
  });

  test('managers see their team without salaries', async () => {
    const { body } = await app.manager.get(path(app.report.collaborator_id)).expect(200);
    expect(body.restricted_fields).toEqual(['salary']);
    expect(body).not.toHaveProperty('salary');
    expect(body.emergency_contact).toMatchObject({ name: 'Nuno Sousa' });
  });

  test('managers see indirect reports', async () => {
    const { body: grandchild } = await app.admin
      .post('/v1/collaborators', {
        name: 'Second Level',
        email: 'second.level@example.com',
        position: 'Packer',
        department: 'Operations',
        manager_id: app.report.collaborator_id,
      })
      .expect(201);
    await app.manager.get(path(grandchild.id)).expect(200);
    await app.report.get(path(grandchild.id)).expect(404);
  });

  test('employees see all of their own fields', async () => {
    const { body } = await app.employee.get(path(app.employee.collaborator_id)).expect(200);
    expect(body.salary).toBe(39_500);
    expect(body).not.toHaveProperty('restricted_fields');
  });

  test('accepts the id in upper case', async () => {
    await app.admin.get(path(app.report.collaborator_id.toUpperCase())).expect(200);
    await app.employee.get(path(app.employee.collaborator_id.toUpperCase())).expect(200);
  });

  test('returns 304 without a body if the client has the current version', async () => {
    const { headers } = await app.admin.get(path(app.report.collaborator_id)).expect(200);
    for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const same = await app.admin.get(path(app.report.collaborator_id)).set('If-None-Match', tag).expect(304);
      expect(same.text).toBe('');
      expect(same.headers.etag).toBe(headers.etag);
    }
    await app.admin.get(path(app.report.collaborator_id)).set('If-None-Match', '"other"').expect(200);
    const hidden = await app.manager.get(path(app.report.collaborator_id)).expect(200);
    await app.admin.put(path(app.report.collaborator_id), { salary: 48_000.5 + 1 }).expect(200);
    const after = await app.manager.get(path(app.report.collaborator_id)).expect(200);
    expect([after.body.name, after.body.salary]).toEqual([hidden.body.name, undefined]);
    await app.admin.put(path(app.report.collaborator_id), { salary: 48_000.5 }).expect(200);
  });

  test('HEAD returns the headers of GET without the body', async () => {
    const response = await app.anon
      .head(path(app.report.collaborator_id))
      .set('Authorization', `Bearer ${app.admin.token}`)
      .set('X-Company-Id', app.company_id)
      .expect(200);
    const { headers } = await app.admin.get(path(app.report.collaborator_id)).expect(200);
    const { date: _, 'x-request-id': __, ...shared } = headers;
    expect(shared).toHaveProperty('etag');
    const { ratelimit, ...constant } = shared;
    expect(ratelimit).toMatch(/^"default";/);
    expect(response.headers).toMatchObject(constant);
    expect(response.text).toBeUndefined();
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    const { body } = await app.admin.get(`${path(app.report.collaborator_id)}?embed=all`).expect(400);
    expect(body).toMatchObject({ error: 'invalid_parameter', details: { embed: [{ code: 'field_not_allowed' }] } });
  });

  test('returns 406 if the client doesn’t accept JSON', async () => {
    const { body } = await app.admin.get(path(app.report.collaborator_id)).set('Accept', 'text/html').expect(406);
    expect(body.error).toBe('not_acceptable');
  });
});

describe('invisible to another company', () => {
  test('returns the same 404 for malformed, unknown, foreign, and unreachable ids, byte for byte', async () => {
    const ids = [
      'nonsense',
      '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
      app.outsider.collaborator_id,
      'x'.repeat(200),
      '%00',
      '%E0%A4%A',
    ];
    const responses = await Promise.all(ids.map((id) => app.admin.get(path(id)).expect(404)));
    responses.push(await app.manager.get(path(app.employee.collaborator_id)).expect(404));
    responses.push(await app.employee.get(path(app.report.collaborator_id)).expect(404));
    for (const { text, headers } of responses) {
      expect(text).toBe(responses[0]!.text);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(responses[0]!.headers).sort());
    }
  });
});

describe('forbidden by role', () => {
  test('without the scope, returns 404 out of reach and 403 within reach', async () => {
    const client = await app.as('employee', { scopes: ['profile'] });
    await client.get(path(app.report.collaborator_id)).expect(404);
    const { body } = await client.get(path(app.employee.collaborator_id)).expect(403);
    expect(body.error).toBe('insufficient_scope');
  });
});
