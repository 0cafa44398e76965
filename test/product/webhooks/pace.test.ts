/** How many requests a second a receiver gets at most: what is more waits, and nobody else does. */
import { newId } from '../../../src/platform/values/ids.ts';
import { claimDue } from '../../../src/product/delivery/claim-deliveries.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/deliveries.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/receiver.ts';
import { addDelivery, addEvent, addWebhook } from '../../helpers/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());

const few = 10;
const count = 30;
/** So many of a second's are sent together. */
const atOnce = few / 10;

test('what is more than a receiver takes waits, is not failed, and holds up no other', async () => {
  const slow = await receiver();
  const quick = await receiver();
  const limited = await subscribe(app, slow.url, { events: ['report.created'], max_per_second: few });
  await subscribe(app, quick.url, { events: ['report.created'] });
  const workers = [await testWorker(app), await testWorker(app)];
  try {
    const beganMs = Date.now();
    await emitReports(app.database.db, app.company_id, count);
    const [toQuick, toSlow] = await Promise.all([quick.received(count), slow.received(count)]);
    const lastMs = (requests: typeof toSlow) => Math.max(...requests.map(({ at }) => at.getTime()));
    // Those after the first few had to wait for their part of a second, however slow this machine is.
    expect(lastMs(toSlow) - beganMs).toBeGreaterThanOrEqual(1000 * ((count - atOnce) / few) - 1);
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

describe('processes that claim at the same moment', () => {
  const processes = 8;
  const claims = async (maxPerSecond: number | null) => {
    const webhookId = await addWebhook(app, { max_per_second: maxPerSecond });
    for (let n = 0; n < 60; n++)
      await addDelivery(app, webhookId, { status: 'pending', event_id: await addEvent(app) });
    const limits = { most: 5, mostUnderWay: 100 };
    const line = { company_id: app.company_id, webhook_id: webhookId };
    const tenant = app.database.db.tenant(app.company_id);
    const beganMs = Date.now();
    const all = await Promise.all(
      Array.from({ length: processes }, (_, n) => claimDue(tenant, line, { ...limits, job_id: n, turn_id: newId() })),
    );
    const elapsedS = (Date.now() - beganMs) / 1000;
    return { all, claimed: all.reduce((sum, { deliveries }) => sum + deliveries.length, 0), elapsedS };
  };

  test('have no more together than one has', async () => {
    const rate = 50;
    const { all, claimed, elapsedS } = await claims(rate);
    expect(claimed).toBeGreaterThanOrEqual(rate / 10);
    expect(claimed).toBeLessThanOrEqual(rate / 10 + Math.ceil(elapsedS * rate));
    // Who gets fewer than there was room for is told when there are more.
    for (const { deliveries, rest_ms: restMs } of all) if (deliveries.length === 0) expect(restMs).toBeGreaterThan(0);
  });

  test('have all that there is room for where nothing is limited', async () => {
    const { all, claimed } = await claims(null);
    expect(claimed).toBe(processes * 5);
    for (const { rest_ms: restMs } of all) expect(restMs).toBeNull();
  });
});
