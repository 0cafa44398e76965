/** The queue's runner, when its connections are lost in the middle of many jobs. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { startUpkeep } from '../../../src/worker/recovery.ts';
import { superviseRunner } from '../../../src/worker/runner.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const log = createLogger('silent');
const jobs = 400;
const losses = 4;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(2);
  await migrateQueue(database.url);
});
afterAll(() => database.drop());

test('a connection lost before it listens doesn’t affect a stopping worker', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const line = await proxyBlockingListen(database.url);
  try {
    const tasks = { note: async () => {} };
    const runner = await superviseRunner({
      url: line.url,
      concurrency: 1,
      poll_ms: 1_000,
      tasks,
      crontab: '',
      log,
    });
    await line.held;
    const stopped = runner.stop();
    await sleep(100);
    line.cut();
    await stopped;
    await sleep(100);
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
    line.close();
  }
});

/** A proxy to Postgres on which LISTEN gets no response until it is cut. */
async function proxyBlockingListen(url: string) {
  const { hostname, port } = new URL(url);
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let listening: Socket | undefined;
  const server = createServer((client) => {
    const postgres = connect(Number(port), hostname);
    for (const socket of [client, postgres]) sockets.add(socket.on('error', () => {}));
    client.on('data', (bytes) => {
      if (bytes.includes('LISTEN')) {
        listening = client;
        resolve();
      }
      if (listening !== client) postgres.write(bytes);
    });
    postgres.pipe(client);
    client.on('close', () => postgres.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    held,
    cut: () => listening!.destroy(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('every job is done, however many batches lose their connection at the same time', async () => {
  const done = new Set<number>();
  const timersBefore = timers();
  const runner = await superviseRunner({
    url: database.url,
    concurrency: 50,
    poll_ms: 1_000,
    tasks: {
      async note(payload) {
        await sleep(Math.random() * 20); // so that many batches end at the same time
        done.add((payload as { n: number }).n);
      },
    },
    crontab: '0 0 1 1 * note',
    lostJobs: { every_ms: 2_000, checkForMs: 120_000 },
    log,
  });
  // As in a worker: a response with jobs can be lost, and then nobody runs them.
  const { workers, freeLostJobs } = runner;
  const upkeep = startUpkeep({ pool: database.pool, every_ms: 500, job_lease_s: 120, workers, freeLostJobs, log });
  try {
    await database.query(
      `select graphile_worker.add_job('note', json_build_object('n', n)) from generate_series(1, ${jobs}) n`,
    );
    for (let loss = 0; loss < losses; loss++) {
      await sleep(80);
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'collaborator-api-jobs'`,
      );
    }
    await eventually(() => expect(done.size).toBe(jobs));
    await eventually(async () => {
      const [row] = await database.query<{ left: number }>(
        'select count(*)::integer as left from graphile_worker._private_jobs',
      );
      expect(row!.left).toBe(0);
    });
  } finally {
    await runner.stop();
    await upkeep.stop();
  }
  // Nothing is left of an abandoned runner either.
  await eventually(() => expect(timers()).toBeLessThanOrEqual(timersBefore));
});

/** The number of timers that keep this process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

test('jobs run after a newer version of the library adds a column, although prepared statements then fail', async () => {
  const done = new Set<number>();
  const tasks = { note: async (payload: unknown) => void done.add((payload as { n: number }).n) };
  const runner = await superviseRunner({ url: database.url, concurrency: 2, poll_ms: 100, tasks, crontab: '', log });
  const add = (n: number) => database.query('select graphile_worker.add_job($1, $2)', ['note', { n }]);
  try {
    for (let n = 0; n < 6; n++) {
      await add(n);
      await eventually(async () => expect(done).toContain(n));
    }
    await database.query('alter table graphile_worker._private_jobs add column later text');
    await add(6);
    await eventually(async () => expect(done).toContain(6));
  } finally {
    await runner.stop();
    await database.query('alter table graphile_worker._private_jobs drop column later');
  }
});
