import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { accessChangesApplied } from '../../../helpers/identity/access-changes.ts';
import { addPerson } from '../../../helpers/identity/people.ts';
import { addApp, knownAppSecret } from '../../../helpers/resources/apps.ts';
import { defineField } from '../../../helpers/resources/custom-fields.ts';
import { picture } from '../../../helpers/resources/documents.ts';
import { installApp } from '../../../helpers/resources/installations.ts';

const directory = '/v1/colleagues';
let app: TestApp;
let leaver: string;
beforeAll(async () => {
  app = await testApp();
  const active = async (name: string, fields: object) => {
    const id = await addPerson(app, name, { ...fields });
    await app.admin.post(`/v1/collaborators/${id}/activate`, {}).expect(200);
    return id;
  };
  await active('Ânia Prado', {
    email: 'ania@example.com',
    position: 'Driver',
    department: 'Fleet',
    location: 'Porto',
    phone: '+351 911 111',
    salary: 77_777,
    employee_number: 'EMP-4711',
    external_id: 'hr:4711',
    hire_date: '2024-05-06',
    work_schedule: 'Nights only',
    manager_id: app.admin.collaborator_id,
    emergency_contact: { name: 'Zulmira', phone: '+351 922', relationship: 'sister' },
  });
  await addPerson(app, 'Petra Pending', { department: 'Fleet' });
  leaver = await active('Iva Inactive', { department: 'Fleet' });
  await app.admin.post(`/v1/collaborators/${leaver}/deactivate`, {}).expect(200);
  const deleted = await active('Dora Deleted', { department: 'Fleet' });
  await app.admin.delete(`/v1/collaborators/${deleted}`).expect(200);
  await set('basic');
});
afterAll(() => app.close());

async function set(visibility: 'none' | 'basic') {
  await app.admin.put('/v1/company', { policy: { directory_visibility: visibility } }).expect(200);
  await accessChangesApplied(app);
}

const list = async (client: TestClient, query = '') => (await client.get(`${directory}${query}`).expect(200)).body;
const names = async (client: TestClient, query = '') =>
  (await list(client, query)).data.map(({ name }: { name: string }) => name);
const everyone = ['Ânia Prado', 'Clara Sousa', 'Mariana Duarte', 'Rui Almeida', 'Tomás Rocha'];

describe('succeeds', () => {
  test('returns the same active people to every role, with the fields of the directory only', async () => {
    const { data, pagination } = await list(app.employee);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(everyone);
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 5 });
    expect(data[0]).toEqual({
      name: 'Ânia Prado',
      position: 'Driver',
      department: 'Fleet',
      location: 'Porto',
      email: 'ania@example.com',
      avatar_url: null,
    });
    for (const person of data) expect(Object.keys(person)).toEqual(Object.keys(data[0]));
    expect((await list(app.manager)).data).toEqual(data);
    expect((await list(app.admin)).data).toEqual(data);
  });

  test('returns a working link to the photo', async () => {
    const photo = { content_base64: (await picture(8, 8)).toString('base64') };
    await app.report.put(`/v1/collaborators/${app.report.collaborator_id}/photo`, photo).expect(200);
    const [clara] = (await list(app.employee, '?search=clara')).data;
    const path = clara.avatar_url.slice(app.base_url.length);
    await app.anon.get(path).expect(200).expect('Content-Type', /webp/);
  });

  test('searches by name, email, and position, ignoring case and accents', async () => {
    expect(await names(app.employee, '?search=ania')).toEqual(['Ânia Prado']);
    expect(await names(app.employee, '?search=ania%40EXAMPLE')).toEqual(['Ânia Prado']);
    expect(await names(app.employee, '?search=driver')).toEqual(['Ânia Prado']);
  });

  test('filters by department and location', async () => {
    expect(await names(app.employee, '?department=fleet')).toEqual(['Ânia Prado']);
    expect(await names(app.employee, '?location=PORTO&department=Fleet')).toEqual(['Ânia Prado']);
    expect(await names(app.employee, '?location=Lisbon')).toEqual([]);
  });

  test('paginates', async () => {
    const first = await list(app.employee, '?limit=3');
    expect(first.pagination).toMatchObject({ hasMore: true, total: 5 });
    const second = await names(app.employee, `?limit=3&cursor=${first.pagination.nextCursor}`);
    expect(second).toEqual(everyone.slice(3));
  });
});

describe('refuses bad input', () => {
  test.each(['limit=0', 'limit=101', 'page=1', 'search=%20', 'department='])('%s', async (query) => {
    expect((await app.employee.get(`${directory}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
  });

  test('rejects a cursor of other filters', async () => {
    const { pagination } = await list(app.employee, '?limit=1');
    const other = await app.employee.get(`${directory}?search=a&cursor=${pagination.nextCursor}`).expect(400);
    expect(other.body.error).toBe('invalid_cursor');
  });
});

describe('reveals nothing else', () => {
  test.each([
    'fields=salary',
    'expand=manager',
    'sort=salary',
    'sort=-hire_date',
    'status=inactive',
    'role=admin',
    'email=ania@example.com',
    'external_id=hr:4711',
    'employee_number=EMP-4711',
    'manager_id=0199a3bb-40c9-7d17-b3f2-8e5c61a0d924',
    'has_manager=false',
    'include_deleted=true',
    'updated_since=2020-01-01T00:00:00Z',
    'custom_fields%5Bshirt%5D=L',
  ])('neither filters, orders nor shows by anything hidden: %s', async (query) => {
    const { body } = await app.employee.get(`${directory}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
  });

  test.each(['4711', 'EMP', 'hr:', '77777', 'Nights', 'Zulmira', '911', '2024', 'employee', 'Fleet', 'Porto'])(
    'doesn’t search hidden text: %s',
    async (text) => {
      const { data, pagination } = await list(app.employee, `?search=${encodeURIComponent(text)}`);
      expect([data, pagination.total]).toEqual([[], 0]);
    },
  );

  test('omits custom fields, even those that everyone can read', async () => {
    await defineField(app.admin, { key: 'shirt', type: 'text', read: 'employee' });
    const me = `/v1/collaborators/${app.report.collaborator_id}`;
    await app.admin.patch(me, { custom_fields: { shirt: 'unmistakable' } }).expect(200);
    expect(JSON.stringify(await list(app.employee))).not.toMatch(/unmistakable|custom_fields/);
    expect(await names(app.employee, '?search=unmistakable')).toEqual([]);
  });

  test('omits inactive, pending, and deleted people from lists, searches, and counts', async () => {
    expect((await list(app.employee, '?department=Fleet')).pagination.total).toBe(1);
    for (const name of ['Pending', 'Inactive', 'Deleted']) {
      expect((await list(app.employee, `?search=${name}`)).pagination.total).toBe(0);
    }
  });

  test('doesn’t reveal changes of hidden fields: no ETag, and the same bytes', async () => {
    const before = await app.employee.get(`${directory}?search=ania`).expect(200);
    expect([before.headers.etag, before.headers['last-modified']]).toEqual([undefined, undefined]);
    expect(JSON.stringify(before.body)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/); // no id, which has a time in it
    const [{ id }] = (await app.admin.get('/v1/collaborators?search=ania').expect(200)).body.data;
    await app.admin.patch(`/v1/collaborators/${id}`, { salary: 99_999, work_schedule: 'Days' }).expect(200);
    const after = await app.employee.get(`${directory}?search=ania`).expect(200);
    expect(after.text).toBe(before.text);
  });

  test('doesn’t extend the reach of other operations', async () => {
    const own = app.employee.collaborator_id;
    const [{ id: other }] = (await app.admin.get('/v1/collaborators?search=ania').expect(200)).body.data;
    const ids = async (path: string) =>
      (await app.employee.get(path).expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('/v1/collaborators')).toEqual([own]);
    expect(await ids('/v1/collaborators?search=ania')).toEqual([]);
    expect(await ids('/v1/org-chart')).toEqual([own]);
    expect(await ids(`/v1/org-chart?path_to=${other}`)).toEqual([]);
    const { body: values } = await app.employee.get('/v1/field-values/department').expect(200);
    expect(values.data).toEqual([{ value: 'Operations', count: 1 }]);
    for (const path of ['', '/history', '/status', '/documents', '/notifications']) {
      const { body } = await app.employee.get(`/v1/collaborators/${other}${path}`).expect(404);
      expect(body.error).toBe('not_found');
    }
    await app.employee.get(`/v1/collaborators/export-excel/individual?collaborator_id=${other}`).expect(404);
    await app.employee.get('/v1/events').expect(403);
    await app.employee.get('/v1/audit').expect(403);
  });
});

describe('forbidden', () => {
  beforeEach(() => set('basic'));
  afterAll(() => set('basic'));

  test('rejects every role while the company has no directory', async () => {
    await set('none');
    for (const client of [app.admin, app.manager, app.employee]) {
      const { body } = await client.get(directory).expect(403);
      expect(body).toMatchObject({ error: 'forbidden', details: { reason: 'directory_disabled' } });
      // Invalid parameters reveal nothing more.
      await client.get(`${directory}?sort=salary`).expect(403);
    }
    await set('basic');
    await app.employee.get(directory).expect(200);
  });

  test('listPermissions agrees', async () => {
    const entry = async () => {
      const { body } = await app.employee.get('/v1/permissions').expect(200);
      return body.data.find(({ operation_id: name }: { operation_id: string }) => name === 'listColleagues');
    };
    expect(await entry()).toMatchObject({ allowed: true, reach: 'directory', required_role: null });
    await set('none');
    expect(await entry()).toMatchObject({ allowed: false, reach: 'none', required_role: null });
  });

  test('rejects tokens with the scope for collaborators only', async () => {
    const older = await app.as('employee', { scopes: ['profile', 'collaborators:read'] });
    const { body } = await older.get(directory).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['colleagues:read'] } });
  });

  test('only admins can enable the directory; installed apps can neither enable nor read it', async () => {
    await set('none');
    for (const client of [app.manager, app.employee]) {
      await client.put('/v1/company', { policy: { directory_visibility: 'basic' } }).expect(403);
    }
    await app.admin.put('/v1/company', { policy: { directory_visibility: 'full' } }).expect(400);
    await app.admin.put('/v1/company', { policy: { directory_visibility: null } }).expect(400);
    await set('basic');
    const client = { id: await addApp(app, { name: 'Scraper' }), secret: knownAppSecret };
    const { access_token: token } = await installApp(app, { client, scopes: ['colleagues:read'] });
    const refused = app.anon.get(directory).set('Authorization', `Bearer ${token}`).set('X-Company-Id', app.company_id);
    expect((await refused.expect(403)).body.details).toEqual({ reason: 'directory_disabled' });
  });
});

test('another company has its own directory and policy', async () => {
  const { body } = await app.outsider.get(directory).expect(403);
  expect(body.details).toEqual({ reason: 'directory_disabled' });
  await app.outsider.put('/v1/company', { policy: { directory_visibility: 'basic' } }).expect(200);
  await eventually(async () => expect(await names(app.outsider)).toEqual(['Jonas Petersen']));
  expect(await names(app.employee)).toEqual(everyone);
});
