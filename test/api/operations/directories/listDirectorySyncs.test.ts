import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('counts the outcomes of a synchronization', async () => {
  const directory = await addDirectory(app);
  const sent = { userName: 'ana@syncs.example' };
  const { body: person } = await directory.post('/Users', sent).expect(201);
  await directory.put(`/Users/${person.id}`, sent).expect(200);
  await directory.put(`/Users/${person.id}`, { ...sent, title: 'Lead' }).expect(200);
  await directory.post('/Users', { userName: 'nobody' }).expect(400);
  await directory.delete(`/Users/${person.id}`).expect(204);
  await directory.get('/Users').expect(200);
  const { body } = await app.admin.get(`/v1/directories/${directory.id}/syncs`).expect(200);
  expect(body.data).toMatchObject([{ created: 1, unchanged: 1, changed: 1, failed: 1, removed: 1, ended_at: null }]);
});
