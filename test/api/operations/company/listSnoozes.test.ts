import { type TestApp, testApp } from '../../../helpers/app.ts';

const path = '/v1/snoozes';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('omits ended snoozes, and lists the next to end first, for every admin', async () => {
  const put = (kind: string, days: number) => app.admin.post(path, { kind, item_id: 'a', days }).expect(200);
  expect((await app.admin.get(path).expect(200)).body).toEqual({ data: [] });
  await put('import_failed', 7);
  await put('webhook_failing', 1);
  await put('invitation_expiring', 3);
  await app.database.query(`update snoozes set until = now() - interval '1 second' where kind = 'invitation_expiring'`);
  await app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/role`, { role: 'admin' }).expect(200);
  for (const client of [app.admin, app.report]) {
    const { body } = await client.get(path).expect(200);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['webhook_failing', 'import_failed']);
  }
});

test('returns 403 to managers and employees', async () => {
  for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
});
