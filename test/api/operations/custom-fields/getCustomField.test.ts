import { type TestApp, testApp } from '../../../helpers/app.ts';
import { clearFields, defineField, fieldsPath } from '../../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

const field = `${fieldsPath}/shirt_size`;
const unknown = `${fieldsPath}/nothing`;

describe('succeeds', () => {
  test('returns the definition, with an ETag that changes with it', async () => {
    const defined = await defineField(app.admin, { key: 'shirt_size', type: 'text' });
    const { body, headers } = await app.admin.get(field).expect(200);
    expect(body).toEqual(defined);
    expect((await app.admin.get(field).expect(200)).headers.etag).toBe(headers.etag);
    await app.admin.patch(field, { description: 'For the uniform' }).expect(200);
    expect((await app.admin.get(field).expect(200)).headers.etag).not.toBe(headers.etag);
  });

  test('admins can read archived fields, and those being deleted', async () => {
    await defineField(app.admin, { key: 'shirt_size', type: 'text', read: 'employee' });
    await app.admin.patch(field, { archived: true }).expect(200);
    expect((await app.admin.get(field).expect(200)).body.archived).toBe(true);
    await app.employee.get(field).expect(404);
    await app.admin.delete(`${field}?confirm=shirt_size`).expect(202);
    const { deletion } = (await app.admin.get(field).expect(200)).body;
    expect(deletion).toEqual({ requested_at: expect.any(String), people_total: 0, people_done: 0 });
  });
});

test.each([
  ['admin', [200, 404, 404]],
  ['manager', [200, 200, 404]],
  ['employee', [200, 200, 200]],
] as const)(
  'with read access for %s, a field is visible to exactly the roles that can read it',
  async (read, statuses) => {
    await defineField(app.admin, { key: 'shirt_size', type: 'text', read });
    const responses = [];
    for (const client of [app.admin, app.manager, app.employee]) responses.push(await client.get(field));
    expect(responses.map(({ status }) => status)).toEqual(statuses);
  },
);

test('returns 404 for unreadable fields and those of another company', async () => {
  await defineField(app.admin, { key: 'shirt_size', type: 'text' });
  const { text } = await app.employee.get(unknown).expect(404);
  for (const client of [app.employee, app.outsider]) expect((await client.get(field).expect(404)).text).toBe(text);
  for (const key of ['constructor', '__proto__', 'Shirt_size', 'x'.repeat(41)]) {
    expect((await app.admin.get(`${fieldsPath}/${key}`).expect(404)).text).toBe(text);
  }
});

test('the definition of a sensitive field is visible without its scope', async () => {
  const defined = await defineField(app.admin, { key: 'shirt_size', type: 'text', sensitive: true });
  const without = await app.as('admin', { scopes: ['collaborators:read'] });
  expect((await without.get(field).expect(200)).body).toEqual(defined);
});
