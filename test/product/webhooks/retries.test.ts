/** The life of a failing delivery with real requests; only the waits are skipped. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, type Reply, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, passTime, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
const receivers: Receiver[] = [];
beforeAll(async () => {
  app = await testApp(localWebhooks);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  for (const each of receivers) await each.close();
  await app.close();
});

async function receiverReplying(reply: Reply): Promise<Receiver> {
  const created = await receiver({ reply });
  receivers.push(created);
  return created;
}

const emitOne = () => emitReports(app.database.db, app.company_id, 1);
const webhook = async (id: string) => (await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body;
const remove = (id: string) => app.admin.delete(`/v1/webhooks/${id}`).expect(200);

test.each([
  ['400', [400], 4, 'client_error', [60, 120, 240]],
  ['503', [503], 6, 'server_error', [60, 120, 240, 480, 960]],
  ['no response', [0], 6, 'network_error', [60, 120, 240, 480, 960]],
  ['500, 500, then 404', [500, 500, 404], 4, 'client_error', [60, 120, 240]],
  ['410', [410], 1, 'gone', []],
])(
  '%s leads to the exact number of attempts at their times, then none',
  async (_name, statusCodes, attempts, reason, waits) => {
    const there: Receiver = await receiverReplying((response) => {
      const status = statusCodes[Math.min(there.requests.length, statusCodes.length) - 1]!;
      if (status === 0) response.socket!.destroy();
      else response.writeHead(status).end('no');
    });
    const { id } = await subscribe(app, there.url, { events: ['report.created'] });
    await emitOne();
    const actualWaitsS: number[] = [];
    /** An upper bound of the test's own time for each attempt. */
    const passedS: number[] = [];
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const startedMs = performance.now();
      await eventually(async () => {
        const [delivery] = await deliveriesOf(app, id);
        expect(delivery).toMatchObject({ attempt_count: attempt, status: attempt < attempts ? 'pending' : 'failed' });
      });
      if (attempt < attempts) actualWaitsS.push(...(await passTime(app, id)));
      passedS.push((performance.now() - startedMs) / 1_000);
    }
    expect(actualWaitsS).toHaveLength(waits.length);
    for (const [i, wait] of actualWaitsS.entries()) {
      expect(wait).toBeGreaterThan(waits[i]! - passedS[i]! - 0.1);
      expect(wait).toBeLessThanOrEqual(waits[i]! * 1.1);
    }
    expect(await webhook(id)).toMatchObject({
      status: 'deactivated',
      deactivation_reason: reason,
      consecutive_failures: attempts,
    });
    const { body } = await app.admin.get(`/v1/webhooks/${id}/deliveries`).expect(200);
    const { attempts: log } = (await app.admin.get(`/v1/webhooks/${id}/deliveries/${body.data[0].id}`).expect(200))
      .body;
    expect(log.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: attempts }, (_, i) => i + 1),
    );
    // No more requests, even after another event and wakeup.
    const witness = await receiverReplying(204);
    const other = await subscribe(app, witness.url, { events: ['report.created'] });
    await emitOne();
    await passTime(app, id);
    await witness.received(1);
    expect(there.requests).toHaveLength(attempts);
    const bodies = there.requests.map(({ body: bytes }) => JSON.parse(bytes.toString()));
    expect(bodies).toEqual(bodies.map(({ timestamp }) => ({ ...bodies[0], timestamp })));
    await remove(id);
    await remove(other.id);
  },
);

test('a success resets the failure count, and sporadic failures never deactivate', async () => {
  const there: Receiver = await receiverReplying((response) => {
    response.writeHead(there.requests.length % 3 === 0 ? 200 : 500).end();
  });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  for (let n = 1; n <= 3; n++) {
    await emitOne();
    for (const failures of [1, 2]) {
      await eventually(async () => expect(await webhook(id)).toMatchObject({ consecutive_failures: failures }));
      await passTime(app, id);
    }
    await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: n }));
    expect(await webhook(id)).toMatchObject({ status: 'active', consecutive_failures: 0, last_status_code: 200 });
  }
  expect(there.requests).toHaveLength(9);
  await remove(id);
});

test('many deliveries exhausted at once cause one deactivation, event, and email per admin', async () => {
  const there = await receiverReplying(410);
  const witness = await receiverReplying(204);
  const { id } = await subscribe(app, there.url, { events: ['report.created'], description: 'Forty at once' });
  const other = await subscribe(app, witness.url, { events: ['webhook.*'] });
  await emitReports(app.database.db, app.company_id, 40);
  await eventually(async () => {
    const { succeeded = 0, pending = 0, delivering = 0, failed = 0 } = await statuses(app.database, id);
    expect([succeeded, pending, delivering, failed > 0]).toEqual([0, 0, 0, true]);
  });
  const counts = await statuses(app.database, id);
  expect((counts.failed ?? 0) + (counts.cancelled ?? 0)).toBe(40);
  const [notification] = await witness.received(1);
  const event = JSON.parse(notification!.body.toString());
  expect(event).toMatchObject({
    event: 'webhook.deactivated',
    data: { data: { id, reason: 'gone', host: '127.0.0.1' } },
  });
  const events = await app.database.query(
    "select 1 from events where name = 'webhook.deactivated' and payload::jsonb ->> 'id' = $1",
    [id],
  );
  expect(events).toHaveLength(1);
  await eventually(async () => {
    const [jobs] = await app.database.query<{ n: number }>(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier = 'sendMail'",
    );
    expect(jobs!.n).toBe(0);
  });
  const mails = (await readdir(worker.outbox)).filter((file) => file.endsWith('.txt'));
  const texts = await Promise.all(mails.map((file) => readFile(join(worker.outbox, file), 'utf8')));
  expect(texts.filter((text) => text.includes('Forty at once'))).toHaveLength(1);
  expect(witness.requests).toHaveLength(1);
  await remove(id);
  await remove(other.id);
});

test('a deactivated subscription gets nothing, and missed events once after reactivation', async () => {
  const there = await receiverReplying(410);
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const started = new Date().toISOString();
  await emitOne();
  await eventually(async () => expect((await webhook(id)).status).toBe('deactivated'));
  const missed = await emitReports(app.database.db, app.company_id, 5);
  await eventually(async () => {
    expect(await app.database.query('select 1 from events where sequence is null')).toHaveLength(0);
  });
  there.respond(204);
  await app.admin.post(`/v1/webhooks/${id}/activate`, { replay_from: started }).expect(200);
  await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: 6 }));
  expect(there.requests).toHaveLength(7); // the 410 and six that were missed
  const ids = there.requests.slice(1).map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);
  expect(new Set(ids).size).toBe(6);
  for (const event of missed) expect(ids).toContain(event);
  await app.admin.post(`/v1/webhooks/${id}/activate`, { replay_from: started }).expect(200);
  await emitOne();
  await there.received(8);
  expect(there.requests).toHaveLength(8); // nothing was sent twice
  await remove(id);
});

test('a redelivery replaces the pending retry', async () => {
  const there = await receiverReplying(500);
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await emitOne();
  await eventually(async () => expect((await webhook(id)).consecutive_failures).toBe(1));
  const [delivery] = await deliveriesOf(app, id);
  const path = `/v1/webhooks/${id}/deliveries/${delivery!.id}`;
  const show = async () => (await app.admin.get(path).expect(200)).body;
  const startedMs = Date.now();
  await app.admin.post(`${path}/redeliver`).expect(202);
  await eventually(async () => expect((await show()).attempt_count).toBe(2));
  const failed = await show();
  // It failed, so it counts as the first retry, and the second follows on schedule.
  expect(failed).toMatchObject({ status: 'pending', attempts: [{ manual: false }, { manual: true }] });
  expect(Date.parse(failed.next_attempt_at)).toBeGreaterThan(startedMs + 119_000);
  there.respond(200);
  await app.admin.post(`${path}/redeliver`).expect(202);
  await eventually(async () => expect((await show()).status).toBe('succeeded'));
  await passTime(app, id);
  await emitOne();
  await there.received(4);
  expect(there.requests).toHaveLength(4); // no retry was left
  await app.outsider.post(`${path}/redeliver`).expect(404);
  await remove(id);
});
