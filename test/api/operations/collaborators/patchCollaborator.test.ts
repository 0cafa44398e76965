import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = () => `/v1/collaborators/${app.report.collaborator_id}`;

describe('succeeds', () => {
  test('accepts JSON and merge patch', async () => {
    expect((await app.admin.patch(path(), { location: 'Porto' }).expect(200)).body.location).toBe('Porto');
    const patch = app.admin.patch(path()).set('Content-Type', 'application/merge-patch+json');
    expect((await patch.send('{"location":null,"phone":"+351 4"}').expect(200)).body).toMatchObject({
      location: null,
      phone: '+351 4',
    });
  });
});

describe('refuses bad input', () => {
  test('rejects other media types and unknown fields', async () => {
    await app.admin.patch(path()).set('Content-Type', 'application/json-patch+json').send('[]').expect(415);
    await app.admin.patch(path(), { role: 'admin' }).expect(400);
  });
});

describe('conflicts', () => {
  test('returns 412 if If-Match doesn’t match', async () => {
    await app.admin.patch(path(), { phone: '+1 1' }).set('If-Match', '"old"').expect(412);
  });
});

describe('forbidden by role', () => {
  test('restricts fields by role', async () => {
    await app.manager.patch(path(), { salary: 1 }).expect(403);
    await app.report.patch(path(), { position: 'Boss' }).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.patch(path(), { phone: '+1 1' }).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.updated', async () => {
    await app.admin.patch(path(), { location: 'Evora' }).expect(200);
    const events = await app.database.query(
      "select payload::json from events where name = 'collaborator.updated' and payload::json->>'location' = 'Evora'",
    );
    expect(events).toMatchObject([{ payload: { changed_fields: ['location'] } }]);
  });
});
