import type { JobHelpers } from 'graphile-worker';
import { Registry } from 'prom-client';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { measureBacklog } from '../../src/platform/observe/backlog.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { createSyncMeter } from '../../src/product/directories/directory-meter.ts';
import { followDirectories } from '../../src/worker/tasks/accounts/followDirectories.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { addDirectory } from '../helpers/resources/directories.ts';

let app: TestApp;
const registry = new Registry();
const meter = createSyncMeter(registry);
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const follow = () =>
  followDirectories(
    app.database.db,
    createMailQueue(app.config.encryption_keys),
    meter,
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
  const age = (days: number) =>
    app.database.query('update directories set token_created_at = now() - make_interval(days => $2) where id = $1', [
      id,
      days,
    ]);
  await age(89);
  await follow();
  expect((await mails()).length).toBe(before);
  await age(91);
  await follow();
  await follow();
  expect((await mails()).length).toBe(before + 1);
});

test('errors that the provider hasn’t repeated for 90 days are removed', async () => {
  const directory = await addDirectory(app);
  for (const userName of ['old', 'new']) await directory.post('/Users', { userName }).expect(400);
  await app.database.query("update directory_errors set last_at = now() - interval '91 days' where subject = 'old'");
  await follow();
  const { body } = await app.admin.get(`/v1/directories/${directory.id}/errors`).expect(200);
  expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['new']);
});

describe('metrics', () => {
  const backlog = async () => {
    const meter = measureBacklog(new Registry(), app.database.url);
    try {
      return (await meter.read())!.directories;
    } finally {
      await meter.close();
    }
  };
  const age = (id: string, minutes: number) =>
    app.database.query(
      `update directory_syncs set started_at = started_at - make_interval(mins => $2),
       last_request_at = last_request_at - make_interval(mins => $2), last_success_at = last_success_at - make_interval(mins => $2)
       where directory_id = $1 and ended_at is null`,
      [id, minutes],
    );
  const ended = async () => {
    const { values } = await registry.getSingleMetric('directory_syncs_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };

  test('count ended synchronizations by outcome', async () => {
    const directory = await addDirectory(app);
    const before = await ended();
    await directory.post('/Users', { userName: 'one@metrics.example' }).expect(201);
    await age(directory.id, 11);
    await follow();
    await directory.post('/Users', { userName: 'one@metrics.example' }).expect(409);
    await age(directory.id, 11);
    await follow();
    expect(await ended()).toEqual({ succeeded: before.succeeded! + 1, failed: before.failed! + 1 });
  });

  test('count a directory as failing while everything is refused, until something succeeds', async () => {
    const directory = await addDirectory(app);
    const before = await backlog();
    await directory.post('/Users', { userName: 'two@metrics.example' }).expect(201);
    await age(directory.id, 60);
    await directory.post('/Users', { userName: 'two@metrics.example' }).expect(409);
    await follow();
    const failing = await backlog();
    expect(failing.failing).toBe(before.failing + 1);
    expect(failing.oldest_success_s).toBeGreaterThanOrEqual(60 * 60);
    await follow();
    expect((await backlog()).failing).toBe(before.failing + 1);
    await directory.post('/Users', { userName: 'three@metrics.example' }).expect(201);
    await directory.post('/Users', { userName: 'three@metrics.example' }).expect(409);
    await follow();
    expect((await backlog()).failing).toBe(before.failing);
  });
});
