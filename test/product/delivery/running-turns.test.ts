/** No interleaving of events, turns, and commits loses an event: a turn that ends checks for events that relied on it. */
import pg from 'pg';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import {
  dropKey,
  wakeWebhook,
  wakeWebhooks,
  withoutJob,
} from '../../../src/product/webhooks/subscriptions/wake-webhooks.ts';
import { wakeOverdueWebhooks } from '../../../src/worker/tasks/wakeOverdueWebhooks.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testLog } from '../../helpers/log.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDelivery, addEvent, addWebhook } from '../../helpers/resources/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let there: Receiver;
let webhookId: string;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());
beforeEach(async () => {
  there = await receiver();
  webhookId = (await subscribe(app, there.url, { events: ['report.created'] })).id;
});
afterEach(async () => {
  await there.close();
  await app.database.query('truncate webhooks, events, deliveries, attempts, graphile_worker._private_jobs');
});

interface Job {
  id: string;
  key: string | null;
  is_locked: boolean;
  is_due: boolean;
}

const jobs = () =>
  app.database.query<Job>(
    `select id, key, locked_at is not null as is_locked, run_at <= now() as is_due from graphile_worker._private_jobs
     order by id`,
  );
const wakeup = () => ({ company_id: app.company_id, webhook_id: webhookId });
const key = () => `deliver:${webhookId}`;

async function claimJob(): Promise<number> {
  const [job] = await app.database.query<{ id: string }>(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = attempts + 1
     where id = (
       select id from graphile_worker._private_jobs where is_available and run_at <= now() for update skip locked limit 1
     ) returning id`,
  );
  return Number(job?.id ?? 0);
}

/** A transaction that makes something due, from begin to commit. */
function making(work: () => Promise<void>): Promise<string[]> {
  return app.database.db.tenant(app.company_id).transaction(async (tx) => {
    const running = await wakeWebhooks(tx.raw, app.company_id, [webhookId]);
    await work();
    return running;
  });
}

test('a waiting job isn’t taken before the commit of a transaction that relies on it', async () => {
  await wakeWebhook(app.database.db.global, wakeup());
  await making(async () => expect(await claimJob()).toBe(0));
  expect(await claimJob()).toBeGreaterThan(0);
  expect(await jobs()).toHaveLength(1);
});

test('a turn that ends waits for the commit of transactions that rely on it, then checks again', async () => {
  const { db } = app.database;
  await wakeWebhook(db.global, wakeup());
  const jobId = await claimJob();
  let hasDropped = false;
  let dropped: Promise<void> | undefined;
  const running = await making(async () => {
    dropped = dropKey(db.global, jobId).then(() => {
      hasDropped = true;
    });
    await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
    expect(hasDropped).toBe(false);
  });
  expect(running).toEqual([webhookId]);
  await dropped;
  expect(await jobs()).toMatchObject([{ key: null, is_locked: true }]); // no job was added: the turn checks
});

test('after a turn has given up its key, a transaction adds a job', async () => {
  const { db } = app.database;
  await wakeWebhook(db.global, wakeup());
  await dropKey(db.global, await claimJob());
  expect(await making(async () => {})).toEqual([]);
  expect(await jobs()).toMatchObject([{ key: null }, { key: key(), is_locked: false, is_due: true }]);
});

test('a job taken at the same time is seen as running, and none is missed', async () => {
  await wakeWebhook(app.database.db.global, wakeup());
  const worker = new pg.Client(app.database.url);
  await worker.connect();
  await worker.query('begin');
  await worker.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1`,
  );
  const woken = making(async () => {});
  await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
  await worker.query('commit');
  await worker.end();
  expect(await woken).toEqual([webhookId]);
  expect(await jobs()).toMatchObject([{ key: key(), is_locked: true }]);
});

test('two transactions that add the first job at the same time get one job, even if a worker takes it in between', async () => {
  const { db } = app.database;
  let second: Promise<string[]> | undefined;
  await making(async () => {
    second = making(async () => {});
    await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
  });
  await second;
  expect(await jobs()).toHaveLength(1);
  await wakeWebhook(db.global, wakeup());
  expect(await jobs()).toMatchObject([{ key: key(), is_locked: false }]);
});

test('a retry uses the job at its time; a new event moves the job earlier, and a later retry doesn’t', async () => {
  const { db } = app.database;
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const runAt = async () =>
    (
      await app.database.query<{ run_at: Date }>('select run_at from graphile_worker._private_jobs')
    )[0]!.run_at.toISOString();
  const [soon, later] = [at(1), at(5)];
  await wakeWebhooks(db.global, app.company_id, [webhookId], later);
  expect(await runAt()).toBe(later);
  await wakeWebhooks(db.global, app.company_id, [webhookId], soon);
  expect(await runAt()).toBe(soon);
  await wakeWebhooks(db.global, app.company_id, [webhookId], later);
  expect(await runAt()).toBe(soon);
  await wakeWebhook(db.global, wakeup());
  expect(await jobs()).toMatchObject([{ is_due: true }]);
});

test('a turn that ends while a job is added doesn’t change that job’s time', async () => {
  const { db } = app.database;
  const later = new Date(Date.now() + 300_000).toISOString();
  const schedule = () => wakeWebhooks(db.global, app.company_id, [webhookId], later);
  for (const _ of ['no job is there', 'one waits for a retry']) {
    let scheduled: Promise<string[]> | undefined;
    await making(async () => {
      scheduled = schedule();
      await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
    });
    await scheduled;
    expect(await jobs()).toMatchObject([{ key: key(), is_due: true }]);
    await app.database.query(`update graphile_worker._private_jobs set run_at = now() + interval '10 minutes'`);
  }
  await schedule();
  const [job] = await app.database.query<{ run_at: Date }>('select run_at from graphile_worker._private_jobs');
  expect(job!.run_at.toISOString()).toBe(later);
});

test('events interleaved with ends of turns all arrive without the check for overdue deliveries', async () => {
  const { config, database } = app;
  const others: string[] = [];
  for (let n = 0; n < 2; n++)
    others.push((await subscribe(app, `${there.url}${n}`, { events: ['report.created'] })).id);
  // Make turns end immediately in two processes, for as many ends and commits at the same time as possible.
  const brief = { ...config.webhooks, turnMs: 40, lingerMs: 0 };
  const workers = [];
  for (let n = 0; n < 2; n++) workers.push(await testWorker({ ...app, config: { ...config, webhooks: brief } }));
  const rounds = 20;
  try {
    for (let n = 0; n < rounds; n++) {
      await emitReports(database.db, app.company_id, 1);
      if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
    }
    for (const id of [webhookId, ...others]) {
      await eventually(async () => expect(await statuses(database, id)).toEqual({ succeeded: rounds }));
    }
    expect(there.requests).toHaveLength(rounds * 3);
    await eventually(async () => expect(await jobs()).toEqual([]));
  } finally {
    for (const worker of workers) await worker.stop();
  }
});

test('if the job was deleted, the five-minute check finds overdue deliveries and logs it', async () => {
  const { db } = app.database;
  const warnings: object[] = [];
  const log = { warn: (about: object) => void warnings.push(about) } as never;
  const other = await addWebhook(app, { url: there.url });
  for (const id of [webhookId, other]) {
    await addDelivery(app, id, { status: 'pending', due_at: '2026-01-01T00:00:00Z', event_id: await addEvent(app) });
  }
  await wakeWebhook(db.global, { company_id: app.company_id, webhook_id: other });
  expect(await withoutJob(db.global, [wakeup()])).toEqual([wakeup()]);
  const wakeOverdue = wakeOverdueWebhooks(db, app.database, 60_000, log);
  await wakeOverdue({}, undefined as never);
  await wakeOverdue({}, undefined as never);
  expect(warnings).toEqual([{ webhooks: [webhookId] }]);
  expect(await jobs()).toMatchObject([{ is_due: true }, { key: key(), is_due: true }]);
});

test('deliveries in progress of a turn without a job are sent again by the next turn', async () => {
  const eventId = await addEvent(app);
  const id = await addDelivery(app, webhookId, { status: 'delivering', event_id: eventId });
  const quotas = createQuotas(app.config.quotas);
  await emitReports(app.database.db, app.company_id, 1);
  await dispatchEvents(
    { db: app.database.db, mail: createMailQueue(app.config.encryption_keys), quotas },
    app.company_id,
  );
  const worker = await testWorker(app);
  try {
    await eventually(async () => expect(await statuses(app.database, webhookId)).toEqual({ succeeded: 2 }));
    const [row] = await app.database.query('select deaths, job_id, turn_id from deliveries where id = $1', [id]);
    expect(row).toEqual({ deaths: 0, job_id: null, turn_id: null });
  } finally {
    await worker.stop();
  }
});

test('a turn that ends while another claims isn’t reported as interrupted', async () => {
  const reported: unknown[] = [];
  const log = testLog();
  log.warn = ((_about: object, message: string) => void reported.push(message)) as never;
  const eventId = await addEvent(app);
  const id = await addDelivery(app, webhookId, { status: 'delivering', event_id: eventId });
  const recording = new pg.Client(app.database.url);
  await recording.connect();
  // A recorded attempt before its commit: its job is removed right after.
  await recording.query('begin');
  await recording.query(
    `update deliveries set status = 'succeeded', due_at = null, completed_at = now(), job_id = null, turn_id = null
     where id = $1`,
    [id],
  );
  await wakeWebhook(app.database.db.global, wakeup());
  const worker = await testWorker(app, { log });
  try {
    await eventually(async () => expect(await lockWaiters(app.database)).toBe(1));
    await recording.query('commit');
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(reported).toEqual([]);
    expect(there.requests).toEqual([]);
  } finally {
    await recording.end();
    await worker.stop();
  }
});

test('an attempt that another turn has taken over is recorded by that turn only', async () => {
  let respond = () => {};
  there.respond((response) => {
    const first = there.requests.length === 1;
    if (first) respond = () => void response.writeHead(500).end();
    else response.writeHead(204).end();
  });
  const worker = await testWorker(app);
  try {
    await emitReports(app.database.db, app.company_id, 1);
    await there.received(1);
    // As if its process had stalled so long that its job was released.
    await app.database.query('update deliveries set turn_id = gen_random_uuid(), job_id = 0');
    await wakeWebhook(app.database.db.global, wakeup());
    await there.received(2);
    await eventually(async () => expect(await statuses(app.database, webhookId)).toEqual({ succeeded: 1 }));
    respond();
    respond = () => {};
    await eventually(async () => expect(await jobs()).toEqual([]));
    const attempts = await app.database.query('select status_code from attempts');
    expect(attempts).toEqual([{ status_code: 204 }]);
  } finally {
    respond();
    await worker.stop();
  }
});
