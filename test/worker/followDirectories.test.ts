import type { JobHelpers } from 'graphile-worker';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { followDirectories } from '../../src/worker/tasks/accounts/followDirectories.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { addDirectory } from '../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const follow = () =>
  followDirectories(
    app.database.db,
    createMailQueue(app.config.encryption_keys),
    createLogger('silent'),
  )({}, {} as JobHelpers);
const mails = () =>
  app.database.query(
    `select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'sendMail'`,
  );

test('a synchronization ends once after a quiet period, and the next request starts another', async () => {
  const directory = await addDirectory(app);
  await directory.post('/Users', { userName: 'ana@follow.example' }).expect(201);
  await follow();
  const syncs = async () =>
    (await app.admin.get(`/v1/directories/${directory.id}/syncs`).expect(200)).body.data.map(
      ({ ended_at: endedAt }: { ended_at: string | null }) => endedAt !== null,
    );
  expect(await syncs()).toEqual([false]);
  await app.database.query("update directory_syncs set last_request_at = now() - interval '11 minutes'");
  await follow();
  await follow();
  expect(await syncs()).toEqual([true]);
  expect(await app.database.query("select 1 from events where name = 'directory.synced'")).toHaveLength(1);
  await directory.post('/Users', { userName: 'rui@follow.example' }).expect(201);
  expect(await syncs()).toEqual([false, true]);
  await app.database.query(
    "update directory_syncs set ended_at = now() - interval '31 days' where ended_at is not null",
  );
  await follow();
  expect(await syncs()).toEqual([false]);
});

test('admins get one email when a token is 90 days old', async () => {
  const { id } = await addDirectory(app);
  await follow();
  const before = (await mails()).length;
  await app.database.query("update directories set token_created_at = now() - interval '91 days' where id = $1", [id]);
  await follow();
  await follow();
  expect((await mails()).length).toBe(before + 1);
});
