/** Jobs that end concurrently while others wake the same ones don't deadlock. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from 'graphile-worker';
import { v7 as uuidv7 } from 'uuid';
import { createLogger } from '../../../src/platform/observe/log.ts';
import {
  deliverTask,
  dropKey,
  removeJob,
  wakeWebhooks,
} from '../../../src/product/webhooks/subscriptions/wake-webhooks.ts';
import { superviseRunner } from '../../../src/worker/runner.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

const subscriptions = 20;
const rounds = 300;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'deadlocks-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('twenty subscriptions are woken repeatedly while their jobs end', async () => {
  const companyId = uuidv7();
  const webhookIds = Array.from({ length: subscriptions }, () => uuidv7());
  const log = join(folder, 'worker.log');
  let ran = 0;
  const count: Task = async (_, { job }) => {
    ran++;
    await dropKey(database.db.global, Number(job.id));
    await removeJob(database.db.global, Number(job.id));
  };
  const runner = await superviseRunner({
    url: database.url,
    concurrency: 10,
    poll_ms: 1_000,
    tasks: { [deliverTask]: count },
    crontab: '',
    log: createLogger('warn', log),
  });
  try {
    for (let n = 0; n < rounds; n++) {
      // In one transaction, like the dispatcher.
      await database.db.tenant(companyId).transaction((tx) => wakeWebhooks(tx.raw, companyId, webhookIds));
    }
  } finally {
    await runner.stop();
  }
  expect(ran).toBeGreaterThan(subscriptions);
  expect(await readFile(log, 'utf8').catch(() => '')).toBe('');
});
