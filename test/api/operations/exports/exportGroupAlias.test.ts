import { type TestApp, testApp } from '../../../helpers/app.ts';
import { column, download, exportPaths, sheetsOf } from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/collaborators/export/group';

test('works like exportGroup, and links to it', async () => {
  const { body, headers } = await app.admin.get(path).query({ group_by: 'role' }).expect(200);
  expect(headers.deprecation).toMatch(/^@\d+$/);
  expect(headers.link).toBe(`<${exportPaths.group}>; rel="successor-version"`);
  const successor = await app.admin.get(exportPaths.group).query({ group_by: 'role' }).expect(200);
  expect(successor.headers).not.toHaveProperty('deprecation');
  const book = sheetsOf(await download(body));
  expect(book).toEqual(sheetsOf(await download(successor.body)));
  expect(column(book.Summary!, 'Role')).toEqual(['Admin', 'Employee', 'Manager']);
  expect((await app.admin.get(headers.location!).expect(200)).body).toMatchObject({ kind: 'group', row_count: 4 });
});

test('refuses bad input', async () => {
  const { body } = await app.admin.get(path).query({ group_by: 'name' }).expect(400);
  expect(body.error).toBe('invalid_parameter');
});

test('is forbidden by role', async () => {
  expect((await app.employee.get(path).expect(403)).body.error).toBe('forbidden');
});

test('contains nobody of another company', async () => {
  const { body } = await app.outsider.get(path).expect(200);
  expect(column(sheetsOf(await download(body)).Operations!, 'Name')).toEqual(['Jonas Petersen']);
});

test('emits report.created', async () => {
  const { headers } = await app.manager.get(path).expect(200);
  const events = await app.database.query(
    "select id from events where name = 'report.created' and idempotency_key = $1",
    [`report-${headers.location!.split('/').at(-1)}`],
  );
  expect(events).toHaveLength(1);
});
