/** Attempts of several subscriptions are recorded in one statement, but counted separately, and none waits for another. */
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { testWorker } from '../../helpers/worker.ts';

const events = 30;
/** Few enough to be sent at once. */
const few = 10;

let app: TestApp;
let healthy: Receiver;
beforeEach(async () => {
  app = await testApp(localWebhooks);
  healthy = await receiver();
});
afterEach(async () => {
  await healthy.close();
  await app.close();
});

async function figuresOf(webhookId: string) {
  const [row] = await app.database.query(
    `select consecutive_failures, last_status_code, last_success_at is not null as has_succeeded,
       (select count(*)::int from attempts join deliveries on deliveries.company_id = attempts.company_id
          and deliveries.id = attempts.delivery_id where webhook_id = $1 and number = 1) as attempts
     from webhooks where id = $1`,
    [webhookId],
  );
  return row;
}

test('counts successes and failures per subscription', async () => {
  const failing = await receiver({ reply: (response) => void response.writeHead(500).end() });
  const ones = [await subscribe(app, `${healthy.url}one`), await subscribe(app, `${healthy.url}two`)];
  const other = await subscribe(app, failing.url);
  const earlier = 'update webhooks set consecutive_failures = 3 where company_id = $1';
  await app.database.query(earlier, [app.company_id]);
  await emitReports(app.database.db, app.company_id, events);
  const worker = await testWorker(app);
  try {
    for (const { id } of ones) {
      await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: events }));
      const counted = { consecutive_failures: 0, last_status_code: 204, has_succeeded: true, attempts: events };
      expect(await figuresOf(id)).toEqual(counted);
    }
    const counted = { last_status_code: 500, has_succeeded: false, attempts: events };
    await eventually(async () => {
      expect(await figuresOf(other.id)).toEqual({ ...counted, consecutive_failures: 3 + events });
    });
  } finally {
    await worker.stop();
    await failing.close();
  }
});

test('a locked subscription doesn’t delay recording for other subscriptions', async () => {
  const waiting: (() => void)[] = [];
  healthy.respond((response) => void waiting.push(() => response.writeHead(204).end()));
  const others = [await subscribe(app, `${healthy.url}one`), await subscribe(app, `${healthy.url}two`)];
  const locked = await subscribe(app, `${healthy.url}locked`);
  const otherClient = new pg.Client(app.database.url);
  await otherClient.connect();
  const worker = await testWorker(app);
  try {
    await emitReports(app.database.db, app.company_id, few);
    await healthy.received(3 * few);
    await otherClient.query('begin');
    const lock = 'select from webhooks where company_id = $1 and id = $2 for no key update';
    await otherClient.query(lock, [app.company_id, locked.id]);
    for (const respond of waiting) respond(); // all three are recorded at once
    for (const { id } of others) {
      await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: few }));
    }
    expect(await figuresOf(locked.id)).toMatchObject({ attempts: 0 });
    await otherClient.query('commit');
    await eventually(async () => expect(await statuses(app.database, locked.id)).toEqual({ succeeded: few }));
    expect(await figuresOf(locked.id)).toMatchObject({ consecutive_failures: 0, attempts: few });
  } finally {
    await otherClient.end();
    await worker.stop();
  }
});

test('counts failures in the order of responses, even if recording one is interrupted', async () => {
  const waiting: ((status: number) => void)[] = [];
  healthy.respond((response) => void waiting.push((status) => response.writeHead(status).end()));
  const { id } = await subscribe(app, healthy.url);
  const otherClient = new pg.Client(app.database.url);
  await otherClient.connect();
  const worker = await testWorker(app);
  const respondNext = async (status: number) => {
    waiting.pop()!(status);
    await eventually(async () => {
      const { values } = await worker.registry.getSingleMetric('webhook_attempts_in_flight')!.get();
      expect(values).toMatchObject([{ value: waiting.length }]);
    });
  };
  try {
    await emitReports(app.database.db, app.company_id, 2);
    await healthy.received(2);
    await otherClient.query('begin');
    const lock = 'select from webhooks where company_id = $1 and id = $2 for no key update';
    await otherClient.query(lock, [app.company_id, id]);
    await respondNext(500);
    const blocked = await eventually(async () => {
      const { rows } = await otherClient.query(
        'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
      );
      expect(rows).toHaveLength(1);
      return rows[0].pid as number;
    });
    await respondNext(204);
    await otherClient.query('select pg_terminate_backend($1)', [blocked]);
    await otherClient.query('commit');
    await eventually(async () => expect(await figuresOf(id)).toMatchObject({ attempts: 2 }));
    expect(await figuresOf(id)).toMatchObject({ consecutive_failures: 0 });
  } finally {
    await otherClient.end();
    await worker.stop();
  }
});
