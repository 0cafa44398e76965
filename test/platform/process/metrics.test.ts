import { Registry } from 'prom-client';
import { measureBacklog } from '../../../src/platform/observe/backlog.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { startMetrics } from '../../../src/platform/process/metrics.ts';
import { overdueWebhooks } from '../../../src/product/delivery/overdue-deliveries.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());

test('delivery metrics count attempts by outcome, delays, backlog, and deactivations', async () => {
  const [good, gone] = [await receiver(), await receiver({ reply: 410 })];
  const well = await subscribe(app, good.url, { events: ['report.created'] });
  const ill = await subscribe(app, gone.url, { events: ['report.created'] });
  const worker = await testWorker(app);
  await emitReports(app.database.db, app.company_id, 3);
  await eventually(async () => {
    expect(await statuses(app.database, well.id)).toEqual({ succeeded: 3 });
    expect((await statuses(app.database, ill.id)).pending).toBeUndefined();
    expect((await statuses(app.database, ill.id)).delivering).toBeUndefined();
  });
  const text = await worker.registry.metrics();
  expect(text).toContain('webhook_attempts_total{outcome="2xx"} 3\n');
  expect(text).toContain(`webhook_attempts_total{outcome="4xx"} ${gone.requests.length}\n`);
  expect(text).toContain('webhook_deactivations_total{reason="gone"} 1\n');
  expect(text).toContain(`webhook_first_attempt_delay_seconds_count ${3 + gone.requests.length}\n`);
  expect(text).toContain(`webhook_attempt_duration_seconds_count ${3 + gone.requests.length}\n`);
  expect(text).toContain('webhook_attempts_in_flight 0\n');
  await worker.stop();
  // Without deliveries, the backlog ages, and another process sees it.
  await app.database.query(
    `update deliveries set status = 'pending', due_at = now() - interval '90 s' where webhook_id = $1`,
    [well.id],
  );
  const backlog = measureBacklog(new Registry(), app.database.url);
  const { deliveries } = (await backlog.read())!;
  await backlog.close();
  expect(deliveries!.count).toBe(3);
  expect(deliveries!.oldest_age_s).toBeGreaterThan(89);
  const bounded = measureBacklog(new Registry(), app.database.url, { most: 2 });
  const { deliveries: first } = (await bounded.read())!;
  await bounded.close();
  expect(first!.count).toBe(2);
  expect(first!.oldest_age_s).toBeGreaterThan(89);
  expect(await overdueWebhooks(app.database, 2_000)).toEqual([{ company_id: app.company_id, webhook_id: well.id }]);
  await Promise.all([good.close(), gone.close()]);
});

test('list the few subscriptions that fail most, and no others', async () => {
  await app.database.query("update webhooks set status = 'deactivated'");
  const ids = [];
  for (const consecutiveFailures of [3, 0, 7, 5])
    ids.push(await addWebhook(app, { consecutive_failures: consecutiveFailures }));
  await addWebhook(app, { consecutive_failures: 9, status: 'deactivated' });
  const line = (id: string, failures: number) =>
    `webhook_failing_attempts{company_id="${app.company_id}",webhook_id="${id}"} ${failures}`;
  const failingLines = async (failing: number) => {
    const registry = new Registry();
    const backlog = measureBacklog(registry, app.database.url, { failing });
    const text = await registry.metrics();
    await backlog.close();
    return text.split('\n').filter((each) => each.startsWith('webhook_failing_attempts'));
  };
  expect(await failingLines(2)).toEqual([line(ids[2]!, 7), line(ids[3]!, 5)]);
  expect(await failingLines(10)).toHaveLength(3);
  expect(await failingLines(0)).toEqual([]);
});

test('are served at /metrics on a separate port, and nothing else is', async () => {
  const lines: string[] = [];
  const log = createLogger('silent');
  log.info = ((fields: { metrics: string }) => lines.push(fields.metrics)) as never;
  const metrics = await startMetrics({ host: '127.0.0.1', port: 0 }, log);
  const address = lines[0]!;
  const response = await fetch(address);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  expect((await fetch(address.replace('/metrics', '/v1'))).status).toBe(404);
  await metrics.close();
  await expect(fetch(address)).rejects.toThrow();
  expect((await startMetrics({ host: '127.0.0.1', port: undefined }, log)).registry).toBeDefined();
});
