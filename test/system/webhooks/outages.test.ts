/** The database goes away and comes back: nothing is lost or stays locked, and no intervention is needed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { grantPrivileges } from '../../../src/platform/schema/privileges.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { testWorker } from '../../helpers/worker.ts';

const idsOf = (there: Receiver) =>
  there.requests.map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);
const settings = { ...localWebhooks, WEBHOOK_TIMEOUT_MS: '4000', WEBHOOK_GRACE_MS: '2000' };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

/** Closes it at the end in any case. */
function untilEnd<T>(thing: T, close: (thing: T) => Promise<unknown>): T {
  cleanups.push(() => close(thing));
  return thing;
}

/** Repeats a change if the test's own connection is killed, unless the table shows that it committed. */
async function emitPatiently(app: TestApp): Promise<void> {
  for (;;) {
    try {
      await emitReports(app.database.db, app.company_id, 5);
      return;
    } catch {
      await sleep(20);
    }
  }
}

async function allDelivered(app: TestApp, there: Receiver, id: string) {
  const rows = await app.database.query<{ id: string }>("select id from events where name = 'report.created'");
  const events = rows.map((row) => row.id);
  await eventually(async () => {
    expect(await statuses(app.database, id)).toEqual({ succeeded: events.length });
  });
  const ids = idsOf(there);
  expect([...new Set(ids)].sort()).toEqual([...events].sort());
  await eventually(async () => {
    const [jobs] = await app.database.query<{ n: number }>(
      'select count(*)::int as n from graphile_worker.jobs where locked_at is not null',
    );
    expect(jobs!.n).toBe(0);
  });
}

test('connections are killed under load', async () => {
  const app = untilEnd(await testApp(settings), ({ close }) => close());
  const there = untilEnd(await receiver(), ({ close }) => close());
  untilEnd(await testWorker(app), ({ stop }) => stop());
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const killer = new pg.Client(app.database.url);
  await killer.connect();
  let killed = 0;
  for (let n = 0; n < 8; n++) {
    const { rowCount } = await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
    );
    killed += rowCount ?? 0;
    await emitPatiently(app);
    await sleep(60);
  }
  await killer.end();
  await allDelivered(app, there, id);
  expect(killed).toBeGreaterThan(5);
});

test('the server is killed under load, and restarts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-outage-'));
  let server = await startEmbedded(folder);
  await migrate(server.url);
  await migrateQueue(server.url);
  await grantPrivileges(server.url, server.url);
  cleanups.push(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const database = openTestDatabase(server.url, 10, async () => {});
  const app = untilEnd(await testApp(settings, database), ({ close }) => close());
  const there = untilEnd(await receiver(), ({ close }) => close());
  untilEnd(await testWorker(app), ({ stop }) => stop());
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  for (let n = 0; n < 12; n++) {
    if (n === 6) {
      process.kill(server.pid, 'SIGKILL');
      server = await startEmbedded(folder);
    }
    await emitPatiently(app);
  }
  await allDelivered(app, there, id);
});
