/** Jobs that end together while others wake the same ones: neither side waits for ever for the other. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/observe/log.ts';
import { dispatchEvents } from '../../src/product/delivery/dispatch.ts';
import { deliver_task } from '../../src/product/webhooks/wake-webhooks.ts';
import { superviseRunner } from '../../src/worker/runner.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { emitReports, statuses } from '../helpers/deliveries.ts';
import { addWebhook } from '../helpers/webhooks.ts';

const subscriptions = 20;
const rounds = 150;

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await testApp();
  folder = await mkdtemp(join(tmpdir(), 'deadlocks-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test('events for twenty subscriptions, one after the other, while their jobs end', async () => {
  for (let n = 0; n < subscriptions; n++) await addWebhook(app, { events: ['report.created'] });
  const log = join(folder, 'worker.log');
  const runner = await superviseRunner({
    url: app.database.url,
    concurrency: 10,
    poll_ms: 1_000,
    tasks: { [deliver_task]: async () => {} },
    crontab: '',
    log: createLogger('warn', log),
  });
  try {
    for (let n = 0; n < rounds; n++) {
      await emitReports(app.database.db, app.company_id, 1);
      await dispatchEvents(app.database.db, app.company_id);
    }
  } finally {
    await runner.stop();
  }
  expect(await readFile(log, 'utf8').catch(() => '')).toBe('');
  expect(await statuses(app.database)).toEqual({ pending: subscriptions * rounds });
});
