/** Imports while the file store is away: they wait, and the store's own log lines are the only ones. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createStorage } from '../../../src/platform/files/context.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { outage, StoreError } from '../../../src/platform/files/store/store-error.ts';
import { watchStore } from '../../../src/platform/files/store/store-watch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { csv, people, requiredHeaders, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('an import and the report of a canceled one wait, and continue when the store is back', async () => {
  const id = await startImport(app.admin, { file: people([1]) });
  const faulty = csv([requiredHeaders, ['Ann', 'no address', 'Planner', 'Operations']]);
  const cancelled = await startImport(app.admin, { file: faulty });
  await app.database.query('update imports set error_count = 1 where id = $1', [cancelled]);
  await app.admin.post(`/v1/imports/${cancelled}/cancel`).expect(200);

  const good = createStorage(app.config);
  let isAway = true;
  let reads = 0;
  const present = async () => {
    if (isAway) throw outage(new StoreError('no response'));
  };
  const away: Storage = {
    ...good,
    async check(kind) {
      await present();
      return good.check(kind);
    },
    async read(key, range) {
      reads += 1;
      await present();
      return good.read(key, range);
    },
  };
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const times = { fresh: 10_000, freshWhileDown: 10, response: 60_000, silent: 60_000 };
  const watch = watchStore(away, { registry: new Registry(), log, times });
  await watch.begin();
  const worker = await testWorker(app, { log, storage: watch.storage });
  // Instead of waiting for the pauses between attempts.
  const dueNow = async () => {
    await app.database.query('update imports set due_at = now() where due_at > now() and not is_held');
    await app.database.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  };
  try {
    await eventually(async () => {
      await dueNow();
      expect(reads).toBeGreaterThan(4);
    });
    isAway = false;
    await eventually(() => expect(lines).toContain('the file store is available again'));
    await eventually(async () => {
      await dueNow();
      expect(lines).toContain('import finished');
    });
    expect(await waitForImport(app.admin, id)).toMatchObject({ status: 'completed' });
    expect(lines.filter((line) => /import|file store/.test(line))).toEqual([
      'the file store is unavailable: requests that need files get 503',
      'the file store is available again',
      'import finished',
    ]);
  } finally {
    await worker.stop();
  }
});
