import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('lists rejected people until they succeed', async () => {
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}/errors`;
  await directory.post('/Users', { userName: 'Ana' }).expect(400);
  await directory.post('/Users', { userName: 'ana' }).expect(400);
  await directory.post('/Groups', { displayName: 'Some', members: [{ value: 'x' }] }).expect(400);
  const { body } = await app.admin.get(path).expect(200);
  expect(body.data).toMatchObject([
    { subject: 'Some', operation: 'createGroup', status: 400, occurrences: 1 },
    {
      subject: 'Ana',
      operation: 'createUser',
      status: 400,
      occurrences: 2,
      message: expect.stringContaining('emails'),
    },
  ]);
  await directory.post('/Users', { userName: 'ana', emails: [{ value: 'ana@errors.example' }] }).expect(201);
  expect((await app.admin.get(path)).body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['Some']);
});

test('keeps the latest 500 of a directory', async () => {
  const directory = await addDirectory(app);
  await app.database.query(
    `insert into directory_errors (company_id, directory_id, id, subject, operation, status, message, last_at)
     select $1, $2, gen_random_uuid(), 'old ' || n, 'createUser', 400, 'x', now() - interval '1 day' from generate_series(1, 600) as n`,
    [app.company_id, directory.id],
  );
  await directory.post('/Users', { userName: 'new' }).expect(400);
  const [{ count } = { count: 0 }] = await app.database.query<{ count: number }>(
    'select count(*)::int as count from directory_errors where directory_id = $1',
    [directory.id],
  );
  expect(count).toBe(500);
  const { body } = await app.admin.get(`/v1/directories/${directory.id}/errors?limit=1`).expect(200);
  expect(body.data[0].subject).toBe('new');
});
