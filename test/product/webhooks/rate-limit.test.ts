/** The rate limit of a receiver delays excess requests without affecting others. */
import { newId } from '../../../src/platform/values/ids.ts';
import { claimDue } from '../../../src/product/delivery/claim-deliveries.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDelivery, addEvent, addWebhook } from '../../helpers/resources/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());

const few = 10;
const count = 30;
/** The share of a second that is sent at once. */
const atOnce = few / 10;

test('excess requests wait without failing, and don’t delay other receivers', async () => {
  const slow = await receiver();
  const quick = await receiver();
  const limited = await subscribe(app, slow.url, { events: ['report.created'], max_per_second: few });
  await subscribe(app, quick.url, { events: ['report.created'] });
  const workers = [await testWorker(app), await testWorker(app)];
  try {
    const startedMs = Date.now();
    await emitReports(app.database.db, app.company_id, count);
    const [toQuick, toSlow] = await Promise.all([quick.received(count), slow.received(count)]);
    const lastMs = (requests: typeof toSlow) => Math.max(...requests.map(({ at }) => at.getTime()));
    // All but the first few wait for their share of a second, on any machine.
    expect(lastMs(toSlow) - startedMs).toBeGreaterThanOrEqual(1000 * ((count - atOnce) / few) - 1);
    expect(lastMs(toQuick)).toBeLessThan(lastMs(toSlow));
    await eventually(async () => expect(await statuses(app.database, limited.id)).toEqual({ succeeded: count }));
    const attempts = 'select max(attempt_count)::int as most from deliveries where webhook_id = $1';
    expect(await app.database.query(attempts, [limited.id])).toEqual([{ most: 1 }]);
    expect(toSlow).toHaveLength(count);
  } finally {
    for (const worker of workers) await worker.stop();
    await slow.close();
    await quick.close();
  }
});

describe('processes that claim at the same time', () => {
  const processes = 8;
  const claims = async (maxPerSecond: number | null) => {
    const webhookId = await addWebhook(app, { max_per_second: maxPerSecond });
    for (let n = 0; n < 60; n++)
      await addDelivery(app, webhookId, { status: 'pending', event_id: await addEvent(app) });
    const limits = { most: 5, maxUnderWay: 100 };
    const line = { company_id: app.company_id, webhook_id: webhookId };
    const tenant = app.database.db.tenant(app.company_id);
    const startedMs = Date.now();
    const all = await Promise.all(
      Array.from({ length: processes }, (_, n) => claimDue(tenant, line, { ...limits, job_id: n, turn_id: newId() })),
    );
    const elapsedS = (Date.now() - startedMs) / 1000;
    return { all, claimed: all.reduce((sum, { deliveries }) => sum + deliveries.length, 0), elapsedS };
  };

  test('share the limit', async () => {
    const rate = 50;
    const { all, claimed, elapsedS } = await claims(rate);
    expect(claimed).toBeGreaterThanOrEqual(rate / 10);
    expect(claimed).toBeLessThanOrEqual(rate / 10 + Math.ceil(elapsedS * rate));
    // A process that gets none learns when to try again.
    for (const { deliveries, rest_ms: restMs } of all) if (deliveries.length === 0) expect(restMs).toBeGreaterThan(0);
  });

  test('claim everything available without a limit', async () => {
    const { all, claimed } = await claims(null);
    expect(claimed).toBe(processes * 5);
    for (const { rest_ms: restMs } of all) expect(restMs).toBeNull();
  });
});
