/** `fields` and `expand`: what they return, to whom, and that ETags stay valid. */
import { contract } from '../../../src/contract/contract.ts';
import { requestedColumns, requestedFields } from '../../../src/product/collaborators/responses/requested-fields.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { addPerson } from '../../helpers/identity/people.ts';
import { picture } from '../../helpers/resources/documents.ts';

const path = '/v1/collaborators';
const at = (id: string, query = '') => `${path}/${id}${query}`;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const { required } = contract.components.schemas.Collaborator!;
const listed = async (client: TestClient, query: string) =>
  (await client.get(`${path}?${query}`).expect(200)).body.data;

describe('without fields', () => {
  test('returns every field', async () => {
    const { body } = await app.admin.get(at(app.report.collaborator_id)).expect(200);
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining([...(required as string[]), 'salary', 'emergency_contact']),
    );
    for (const form of ['per_page=1', 'limit=1', 'search=mariana']) {
      expect(Object.keys((await listed(app.admin, form))[0])).toEqual(Object.keys(body));
    }
    expect(body).not.toHaveProperty('manager');
  });
});

describe('fields', () => {
  test.each(['per_page=50', 'limit=50', 'search=clara', 'sort=-department,name'])(
    'returns only the requested ones (%s)',
    async (form) => {
      const found = await listed(app.admin, `fields=name,department&${form}`);
      expect(found.length).toBeGreaterThan(0);
      for (const person of found) expect(Object.keys(person)).toEqual(['id', 'name', 'department']);
    },
  );

  test('returns each of them alone as in the full record', async () => {
    const { body: whole } = await app.admin.get(at(app.report.collaborator_id)).expect(200);
    for (const field of Object.keys(whole).filter((name) => name !== 'avatar_url')) {
      const expected = { id: whole.id, [field]: whole[field] };
      const { body } = await app.admin.get(at(app.report.collaborator_id, `?fields=${field}`)).expect(200);
      expect(body).toEqual(expected);
      expect(await listed(app.admin, `email=${whole.email}&fields=${field}`)).toEqual([expected]);
    }
  });

  test('returns a photo', async () => {
    const { collaborator_id: id } = app.employee;
    await app.admin.put(at(id, '/photo'), { content_base64: (await picture(8, 8)).toString('base64') }).expect(200);
    const [person] = await listed(app.admin, 'search=rocha&fields=avatar_url');
    expect(Object.keys(person)).toEqual(['id', 'avatar_url']);
    expect(person.avatar_url).toContain('/files/');
  });

  test('omits hidden fields, and lists them if requested', async () => {
    const { collaborator_id: id } = app.report;
    for (const read of [
      async (fields: string) => (await app.manager.get(at(id, `?fields=${fields}`)).expect(200)).body,
      async (fields: string) => (await listed(app.manager, `search=clara&fields=${fields}`))[0],
    ]) {
      expect(await read('name,salary')).toEqual({ id, name: 'Clara Sousa', restricted_fields: ['salary'] });
      expect(await read('name')).toEqual({ id, name: 'Clara Sousa' });
      expect(await read('salary')).toEqual({ id, restricted_fields: ['salary'] });
    }
  });

  test.each([
    'salry',
    'name,salry',
    'restricted_fields',
    'manager',
    'deleted_at',
    'user_id',
    'constructor',
    'Name',
    'name,',
    '',
    'x'.repeat(500),
    '%01'.repeat(500),
  ])('rejects %s', async (fields) => {
    for (const address of [`${path}?fields=${fields}`, at(app.report.collaborator_id, `?fields=${fields}`)]) {
      const { body } = await app.admin.get(address).expect(400);
      expect(body).toMatchObject({
        error: 'invalid_parameter',
        details: { fields: expect.any(Array) },
      });
      expect(body.details.fields[0].message.length).toBeLessThanOrEqual(500);
    }
  });

  test('doesn’t affect tombstones', async () => {
    const person = { name: 'Gone', email: 'gone@example.com', position: 'x', department: 'y' };
    const { id } = (await app.admin.post(path, person).expect(201)).body;
    await app.admin.delete(at(id)).expect(200);
    const found = await listed(app.admin, 'include_deleted=true&per_page=100&fields=name&expand=manager');
    expect(found).toContainEqual({ id, deleted_at: expect.any(String) });
  });

  test('reads only the columns it returns', () => {
    const read = (fields: string, expand?: string) =>
      requestedColumns(
        requestedFields({ fields, expand }, { member: { collaborator_id: '', role: 'admin' } }),
      ).toSorted();
    expect(read('name')).toEqual(['deleted_at', 'id', 'name']);
    expect(read('avatar_url,id,id')).toEqual(['avatar_key', 'deleted_at', 'id']);
    expect(read('name', 'manager')).toEqual(['deleted_at', 'id', 'manager_id', 'name']);
    expect(read('department,name')).toEqual(read('name,department'));
  });

  test('doesn’t affect cursors', async () => {
    const { body } = await app.admin.get(`${path}?limit=1&fields=name`).expect(200);
    await app.admin.get(`${path}?limit=1&cursor=${body.pagination.nextCursor}`).expect(200);
  });
});

describe('expand=manager', () => {
  test('returns the manager, in lists and single records', async () => {
    const { body: rui } = await app.admin.get(at(app.manager.collaborator_id)).expect(200);
    const { id, name, email, position, avatar_url: avatarUrl } = rui;
    const expected = { id, name, email, position, avatar_url: avatarUrl };
    for (const query of ['per_page=50', 'limit=50', 'search=clara', 'fields=name']) {
      const people = await listed(app.admin, `${query}&expand=manager`);
      const clara = people.find((each: { name: string }) => each.name === 'Clara Sousa');
      expect(clara.manager).toEqual(expected);
    }
    const { body } = await app.admin.get(at(app.report.collaborator_id, '?expand=manager')).expect(200);
    expect(body).toMatchObject({ name: 'Clara Sousa', manager_id: id, manager: expected });
    const some = await app.admin.get(at(app.report.collaborator_id, '?expand=manager&fields=id')).expect(200);
    expect(some.body).toEqual({ id: app.report.collaborator_id, manager: expected });
  });

  test('returns null without a manager', async () => {
    const { body } = await app.admin.get(at(app.admin.collaborator_id, '?expand=manager')).expect(200);
    expect(body.manager).toBeNull();
  });

  test('returns null if the manager is out of reach', async () => {
    for (const client of [app.manager, app.employee]) {
      const { body } = await client.get(at(client.collaborator_id, '?expand=manager')).expect(200);
      expect(body).toMatchObject({ manager_id: app.admin.collaborator_id, manager: null });
    }
    const team = await listed(app.manager, 'expand=manager&fields=manager_id');
    expect(team.map((each: { manager: object | null }) => each.manager)).toEqual([
      null,
      expect.objectContaining({ name: 'Rui Almeida' }),
    ]);
  });

  test.each(['expand=managers', 'expand=', 'expand=manager,manager', 'expand=reports_count,reports_count'])(
    'rejects %s',
    async (query) => {
      expect((await app.admin.get(`${path}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
    },
  );
});

describe('expand=reports_count', () => {
  interface Counted {
    id: string;
    name: string;
    reports_count: number;
    manager?: object | null;
  }
  const counts = async (client: TestClient, query: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await listed(client, query)).map(({ name, reports_count: count }: Counted) => [name, count] as const),
    );

  test('is the number of direct reports, the same as in the org chart', async () => {
    const named = { 'Mariana Duarte': 2, 'Rui Almeida': 1, 'Clara Sousa': 0, 'Tomás Rocha': 0 };
    for (const query of ['per_page=50', 'limit=50', 'fields=name', 'sort=-name&per_page=100']) {
      expect(await counts(app.admin, `${query}&expand=reports_count`)).toMatchObject(named);
    }
    const { body: chart } = await app.admin.get('/v1/org-chart').expect(200);
    expect(chart.data.length).toBeGreaterThan(0);
    for (const { name, reports_count: count } of chart.data as Counted[]) {
      expect((await counts(app.admin, 'per_page=100&expand=reports_count'))[name]).toBe(count);
    }
    const { body } = await app.admin
      .get(at(app.manager.collaborator_id, '?expand=reports_count&fields=id'))
      .expect(200);
    expect(body).toEqual({ id: app.manager.collaborator_id, reports_count: 1 });
  });

  test('combines with the manager, in either order', async () => {
    for (const expand of ['manager,reports_count', 'reports_count,manager']) {
      const { body } = await app.admin.get(at(app.manager.collaborator_id, `?expand=${expand}`)).expect(200);
      expect(body).toMatchObject({ reports_count: 1, manager: { id: app.admin.collaborator_id } });
    }
  });

  test('counts inactive people until they are deleted', async () => {
    const teamFields = { manager_id: app.report.collaborator_id };
    const id = await addPerson(app, 'Nora Count', teamFields);
    const other = await addPerson(app, 'Nuno Count', teamFields);
    const ofClara = async () => (await counts(app.admin, 'search=clara&expand=reports_count'))['Clara Sousa'];
    expect(await ofClara()).toBe(2);
    await app.admin.post(`${path}/${id}/deactivate`, {}).expect(200);
    expect(await ofClara()).toBe(2);
    for (const each of [id, other]) await app.admin.delete(`${path}/${each}`).expect(200);
    expect(await ofClara()).toBe(0);
  });

  test('counts a manager’s own team, and returns 0 to an employee', async () => {
    expect(await counts(app.manager, 'expand=reports_count')).toEqual({ 'Rui Almeida': 1, 'Clara Sousa': 0 });
    const hidden = await addPerson(app, 'Hanna Hidden', { manager_id: app.employee.collaborator_id });
    expect(await counts(app.employee, 'expand=reports_count')).toEqual({ 'Tomás Rocha': 0 });
    const { body } = await app.employee.get(at(app.employee.collaborator_id, '?expand=reports_count')).expect(200);
    expect(body.reports_count).toBe(0);
    await app.admin.delete(`${path}/${hidden}`).expect(200);
  });

  test('counts no one of another company', async () => {
    expect(await counts(app.outsider, 'expand=reports_count')).toEqual({ 'Jonas Petersen': 0 });
    const otherPath = at(app.manager.collaborator_id, '?expand=reports_count');
    expect((await app.outsider.get(otherPath).expect(404)).body.error).toBe('not_found');
  });

  test('changes the ETag when a report is added, which updates still accept', async () => {
    const query = '?expand=reports_count';
    const me = app.employee.collaborator_id;
    const { headers } = await app.admin.get(at(me, query)).expect(200);
    await app.admin.get(at(me, query)).set('If-None-Match', headers.etag!).expect(304);
    const id = await addPerson(app, 'Tina Tag', { manager_id: me });
    await app.admin.get(at(me, query)).set('If-None-Match', headers.etag!).expect(200);
    await app.admin.patch(at(me), { phone: '+1 66' }).set('If-Match', headers.etag!).expect(200);
    await app.admin.delete(`${path}/${id}`).expect(200);
  });

  test('can be sent back in an update', async () => {
    const { body } = await app.admin.get(at(app.manager.collaborator_id, '?expand=manager,reports_count')).expect(200);
    await app.admin.put(at(app.manager.collaborator_id), body).expect(200);
  });
});

describe('ETags', () => {
  const tag = async (query: string) => {
    const { headers } = await app.admin.get(at(app.report.collaborator_id, query)).expect(200);
    return headers.etag!;
  };
  const unmodified = async (query: string, etag: string) =>
    (await app.admin.get(at(app.report.collaborator_id, query)).set('If-None-Match', etag)).status === 304;

  test('with fields equal that of the full record, for updates and 304 responses', async () => {
    const etag = await tag('?fields=name');
    expect(etag).toBe(await tag(''));
    expect(await unmodified('?fields=name', etag)).toBe(true);
    await app.admin.patch(at(app.report.collaborator_id), { phone: '+1 22' }).set('If-Match', etag).expect(200);
    await app.admin.patch(at(app.report.collaborator_id), { phone: '+1 33' }).set('If-Match', etag).expect(412);
    expect(await unmodified('?fields=name', etag)).toBe(false);
  });

  test('with the manager change with the manager, and still work for updates', async () => {
    const etag = await tag('?expand=manager');
    expect(await unmodified('?expand=manager', etag)).toBe(true);
    expect(await unmodified('', etag)).toBe(false);
    await app.admin.patch(at(app.manager.collaborator_id), { position: 'Somebody Else' }).expect(200);
    expect(await unmodified('?expand=manager', etag)).toBe(false);
    await app.admin.patch(at(app.report.collaborator_id), { phone: '+1 44' }).set('If-Match', etag).expect(200);
    await app.admin.patch(at(app.report.collaborator_id), { phone: '+1 55' }).set('If-Match', etag).expect(412);
  });
});
