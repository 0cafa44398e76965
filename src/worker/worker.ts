/** Starts and stops the parts of a worker. */
import { randomBytes } from 'node:crypto';
import type { Task } from 'graphile-worker';
import { openPool } from '../platform/connection/pool.ts';
import { workerSessionTo } from '../platform/connection/session.ts';
import { withKeyNames } from '../platform/rotation/process-keys.ts';
import { SheetReader } from '../platform/sheets/reader.ts';
import { createDeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { createTurns } from '../product/delivery/running-turns.ts';
import { createSyncMeter } from '../product/directories/directory-meter.ts';
import { createExporter } from '../product/exports/exporter.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';
import { sendHeartbeat } from './dead-workers.ts';
import { startDispatcher } from './dispatcher.ts';
import { observed } from './observed-tasks.ts';
import { startUpkeep } from './recovery.ts';
import { superviseRunner } from './runner.ts';
import { deliverWebhook } from './tasks/deliverWebhook.ts';
import { queueTasks } from './tasks.ts';
import { superviseTurns } from './turns-runner.ts';
import type { WorkerOptions } from './worker-options.ts';
import { createPeers } from './worker-rank.ts';

export interface Worker {
  /** Finishes running jobs and webhook requests, up to the timeout of a request, and starts nothing new. */
  stop(): Promise<void>;
}

const crontab = `
*/5 * * * * endEmployments
*/5 * * * * expireInvitations
*/5 * * * * followDirectories
*/5 * * * * wakeOverdueWebhooks
17 * * * * removeExpired
27 * * * * removeOldImports
32 * * * * removeOldExports
37 * * * * removeOldEvents
47 * * * * sweepFiles
7 2 * * * removeOldAudit
52 3 * * * eraseDeleted
12 6 * * * warnOfCertificates
`;

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    url,
    concurrency,
    poll_ms: pollMs,
    db,
    mail,
    quotas,
    webhooks,
    storage,
    links,
    registry,
    tracer,
    log,
  } = options;
  const session = withKeyNames(`collaborator-api-upkeep:${randomBytes(8).toString('hex')}`, options.encryptionKeys);
  const socketTimeout = { ...options.socketTimeout, isUnlimited: true };
  // The session's name wins over that of the URL: others recognize the end of this process by it.
  const config = {
    ...workerSessionTo(url, { max: 2, idleTimeoutMillis: 0, socketTimeout }),
    application_name: session,
  };
  let upkeep: ReturnType<typeof startUpkeep> | undefined;
  const pool = openPool(config, () => upkeep?.checkNow()); // the next use of the pool gets the error
  const meter = createDeliveryMeter(registry);
  const turns = createTurns({ ...webhooks, db, mail, meter, tracer, log });
  const exporter = createExporter({ db, files: { storage, links }, settings: options.exports, tracer, log });
  const sheets = new SheetReader();
  const stopping = new AbortController();
  const all = { pool, machines: db.machines };
  const watched = observed(
    {
      ...queueTasks(options, {
        exporter,
        sheets,
        syncMeter: createSyncMeter(registry),
        all,
        stopping: stopping.signal,
      }),
      [deliverTask]: deliverWebhook(turns),
    },
    { registry, tracer, log },
  );
  const { [deliverTask]: turn, ...ofQueue } = watched;
  const peers = createPeers();
  const dispatcher = startDispatcher({ url, pool, db, mail, quotas, meter, turns, poll_ms: pollMs, peers, log });
  const register = (poolId: string) => sendHeartbeat(pool, [poolId], session);
  const ofRunners = { url, socketTimeout, poll_ms: pollMs, peers, register, log };
  const started = await Promise.allSettled([
    superviseTurns({ ...ofRunners, turns, task: turn as Task, slots: webhooks.slots }),
    superviseRunner({ ...ofRunners, concurrency, tasks: ofQueue, crontab }),
  ]);
  const runners = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stopRunners = () => Promise.all(runners.map((runner) => runner.stop()));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await Promise.all([dispatcher.stop(), stopRunners()]);
    await pool.end();
    throw failed.reason;
  }
  upkeep = startUpkeep({
    pool,
    machines: db.machines,
    every_ms: options.upkeepMs,
    job_lease_s: options.job_lease_s,
    workers: () => runners.flatMap((runner) => runner.workers()),
    freeLostJobs: async (of) => (await Promise.all(runners.map((runner) => runner.freeLostJobs(of)))).flat(),
    peers,
    session,
    log,
  });
  return {
    async stop() {
      stopping.abort();
      turns.stop();
      await Promise.all([dispatcher.stop(), upkeep.stop(), stopRunners()]);
      await Promise.all([exporter.stop(), sheets.close()]);
      await webhooks.transport.close();
      await pool.end();
    },
  };
}
