/** The queue's runner, when its connections are lost in the middle of many jobs. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { superviseRunner } from '../../../src/worker/runner.ts';
import { startUpkeep } from '../../../src/worker/upkeep.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const log = createLogger('silent');
const jobs = 6_000;
const losses = 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(2);
  await migrateQueue(database.url);
});
afterAll(() => database.drop());

test('a connection that is lost before it listens does no harm to a worker that stops', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const line = await heldWhenListening(database.url);
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

/** A line to Postgres on which LISTEN gets no answer, until it is cut. */
async function heldWhenListening(url: string) {
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

test('every job is done, however many batches of them lose their connection at the same moment', async () => {
  const done = new Set<number>();
  const timersBefore = timers();
  const runner = await superviseRunner({
    url: database.url,
    concurrency: 50,
    poll_ms: 1_000,
    tasks: {
      async note(payload) {
        await sleep(Math.random() * 20); // so that they end in many batches at once
        done.add((payload as { n: number }).n);
      },
    },
    crontab: '0 0 1 1 * note',
    lostJobs: { every_ms: 2_000, lookForMs: 120_000 },
    log,
  });
  // As a worker has it: an answer that gives jobs can be lost as well, and then nobody is at them.
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('connect', (client) => void client.on('error', () => {}));
  const { workers, freeLostJobs } = runner;
  const upkeep = startUpkeep({ pool, every_ms: 500, job_lease_s: 120, workers, freeLostJobs, log });
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
    await pool.end();
  }
  // Nor is anything left of a runner that was given up on the way.
  await eventually(() => expect(timers()).toBeLessThanOrEqual(timersBefore));
});

/** How many timers keep this process from its end. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
