/** A queue connection lost between a statement and its response: the job is done, and nobody holds it. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { startUpkeep } from '../../../src/worker/recovery.ts';
import { superviseRunner } from '../../../src/worker/runner.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const log = createLogger('silent');
const listsTasks = '_private_tasks as existing';
const completes = 'delete from "graphile_worker"._private_jobs';
const fails = 'last_error =';
const payload = 'of no importance';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase(2);
});
afterEach(() => database.drop());

interface Break {
  /** Text of the statement that is lost, or whose response is. */
  text: string;
  /** Whether Postgres receives it. */
  arrives: boolean;
  /** Loses only a response that contains this, since most queries for jobs find none. */
  responseContains?: string;
  /** The connection stays open, but passes nothing on, as when the network is lost. */
  isSilent?: boolean;
}

interface Case extends Break {
  lost: string;
  runs: number;
  failsFirst?: boolean;
  /** Lost before any other query. */
  atStart?: boolean;
}

const cases: Case[] = [
  { lost: 'the question which tasks there are', text: listsTasks, arrives: false, runs: 1, atStart: true },
  { lost: 'the response which tasks there are', text: listsTasks, arrives: true, runs: 1, atStart: true },
  // The statement is prepared, so its text isn't sent again.
  { lost: 'the response that gives the job', text: '', arrives: true, responseContains: payload, runs: 1 },
  {
    ...{ lost: 'the response that gives the job, on a connection that stays open', isSilent: true },
    ...{ text: '', arrives: true, responseContains: payload, runs: 1 },
  },
  { lost: 'the response that it is completed', text: completes, arrives: true, runs: 1 },
  { lost: 'that it is completed', text: completes, arrives: false, runs: 2 },
  { lost: 'that it failed', text: fails, arrives: false, runs: 2, failsFirst: true },
];

test.each(cases)('lost: $lost', async ({ runs, failsFirst, atStart, ...one }) => {
  const line = await breakingLine(database.url, one);
  let ran = 0;
  if (atStart) line.arm();
  const runner = await superviseRunner({
    url: line.url,
    socketTimeout: { limitMs: 1_000 },
    concurrency: 2,
    poll_ms: 50,
    tasks: {
      async note() {
        ran++;
        if (failsFirst && ran === 1) throw new Error('the first time');
      },
    },
    crontab: '',
    lostJobs: { every_ms: 2_000, checkForMs: 120_000 },
    log,
  });
  const { workers, freeLostJobs } = runner;
  const upkeep = startUpkeep({ pool: database.pool, every_ms: 20, job_lease_s: 120, workers, freeLostJobs, log });
  try {
    line.arm();
    await database.query("select graphile_worker.add_job('note', to_json($1::text), max_attempts => $2)", [
      payload,
      runs,
    ]);
    await line.broken;
    await eventually(async () => {
      const remaining = await database.query('select id, attempts, locked_by from graphile_worker._private_jobs');
      expect(remaining).toEqual([]);
    });
    expect(ran).toBe(runs);
  } finally {
    await runner.stop();
    await upkeep.stop();
    line.close();
  }
});

/** A proxy to Postgres that breaks once, when armed, at a statement with this text. */
async function breakingLine(url: string, { text, arrives, responseContains = '', isSilent = false }: Break) {
  const { hostname, port } = new URL(url);
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let isArmed = false;
  const server = createServer((client) => {
    const postgres = connect(Number(port), hostname);
    for (const socket of [client, postgres]) sockets.add(socket.on('error', () => {}));
    let isWaitedFor = false;
    let isBroken = false;
    const breakOff = () => {
      isArmed = false;
      isBroken = true;
      if (!isSilent) client.destroy();
      resolve();
    };
    client.on('data', (bytes) => {
      isWaitedFor = isArmed && bytes.includes(text);
      if (isWaitedFor && !arrives) breakOff();
      else postgres.write(bytes);
    });
    postgres.on('data', (bytes) => {
      if (isArmed && isWaitedFor && bytes.includes(responseContains)) breakOff();
      else if (!isBroken) client.write(bytes);
    });
    postgres.on('close', () => client.destroy());
    client.on('close', () => postgres.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    broken,
    arm() {
      isArmed = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
