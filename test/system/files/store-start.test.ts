/** Startup without the file store: permanent errors are reported in one line, outages are waited for. */
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { boundStore } from '../../../src/platform/files/store/bound-store.ts';
import { startProblem } from '../../../src/platform/process/start-problem.ts';
import { startService } from '../../../src/service.ts';
import { runCli } from '../../helpers/cli.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { testSettings } from '../../helpers/settings.ts';

let database: TestDatabase;
let peer: S3Peer;
beforeAll(async () => {
  database = await testDatabase();
  peer = await startS3();
});
afterAll(async () => {
  killProcesses();
  await peer.close();
  await database.drop();
});

test('refuses to start with one clear line: a wrong secret', async () => {
  const settings = {
    ...testSettings,
    DATABASE_URL: database.url,
    STORAGE_URL: peer.url().replace('cret', 'gret'),
    PORT: '0',
  };
  const problem = await startService(readConfig(settings)).then(() => 'it started', startProblem);
  expect(problem).toBe(
    "STORAGE_URL can't be used: the store returned 403 with SignatureDoesNotMatch: the secret is wrong",
  );
});

test('starts with another store than its own, and reports it', async () => {
  const [own, ownDatabase] = await Promise.all([startS3(), testDatabase()]);
  const settings = { ...testSettings, DATABASE_URL: ownDatabase.url, STORAGE_URL: own.url(), LOG_LEVEL: 'info' };
  const elsewhere = { ...settings, STORAGE_URL: own.url('elsewhere') };
  await boundStore(createStorage(readConfig(settings)), ownDatabase.db).check('writing');
  const empty = startProcess(elsewhere, ['api']);
  const baseUrl = await empty.ready();
  expect(await (await fetch(`${baseUrl}/readyz`)).json()).toEqual({ status: 'ready', database: true, storage: false });
  const warning = empty.lines().find(({ msg }) => msg.startsWith('the file store is unavailable'));
  expect(warning.err.cause.message).toMatch(
    /^it lacks the marker of this database: it is empty or belongs elsewhere \(see docs/,
  );
  expect([...own.objects.keys()].filter((key) => key.startsWith('elsewhere/'))).toEqual([]);
  // After moving the store, as docs/operations/files.md describes.
  const adopted = await runCli(['storage', 'adopt'], elsewhere);
  expect(adopted).toEqual({ code: 0, stdout: 'The store now belongs to this database.\n', stderr: '' });
  await eventually(async () =>
    expect(await (await fetch(`${baseUrl}/readyz`)).json()).toMatchObject({ storage: true }),
  );
  const [adoption, backup] = await Promise.all([
    runCli(['storage', 'adopt'], settings),
    runCli(['backup', '/dev/null/backup'], settings),
  ]);
  expect(adoption).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: the file store .* belongs to another database/),
  });
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining('it belongs to another database') });
  empty.child.kill('SIGTERM');
  expect(await empty.ended).toBe(0);
  await Promise.all([own.close(), ownDatabase.drop()]);
});

test('starts during a store outage, stays ready, and reports outage and recovery', async () => {
  peer.fail(500);
  const settings = { DATABASE_URL: database.url, STORAGE_URL: peer.url(), METRICS_PORT: '0' };
  const service = startProcess(settings, ['api', 'worker']);
  const baseUrl = await service.ready();
  const { metrics } = service.lines().find((line) => line.metrics);
  const ready = async () => {
    const response = await fetch(`${baseUrl}/readyz`);
    return [response.status, await response.json()];
  };
  const storageUp = async () => /^storage_up (\d)$/m.exec(await (await fetch(metrics)).text())?.[1];
  expect(await ready()).toEqual([200, { status: 'ready', database: true, storage: false }]);
  expect(await storageUp()).toBe('0');
  const warning = service.lines().find(({ msg }) => msg.startsWith('the file store is unavailable'));
  expect(warning).toMatchObject({
    level: 'warn',
    err: { cause: { message: expect.stringContaining('returned 500') } },
  });
  peer.fail(undefined);
  await eventually(async () =>
    expect(await ready()).toEqual([200, { status: 'ready', database: true, storage: true }]),
  );
  await eventually(async () => expect(await storageUp()).toBe('1'));
  const messages = () => service.lines().map(({ msg }) => msg);
  await eventually(() => expect(messages()).toContain('the file store is available again')); // logs may lag behind metrics
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
