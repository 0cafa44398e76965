/** A small `make chaos`: one company, a few clients, one kill of each process kind, and a Postgres crash. */
import { faults, schedule } from '../../scripts/proof/chaos/faults.ts';
import { report } from '../../scripts/proof/chaos/report.ts';
import { runChaos } from '../../scripts/proof/chaos/run.ts';
import { createRandom } from '../../scripts/random/random.ts';

/** Work of a killed process is soon taken over. */
const shortLeases = {
  WORKER_UPKEEP_MS: '500',
  WEBHOOK_TIMEOUT_MS: '4000',
  WEBHOOK_GRACE_MS: '1000',
  JOB_LEASE_S: '10',
  IMPORT_LEASE_S: '5',
  EXPORT_LEASE_S: '5',
};

test('kills API and worker and crashes Postgres under load: nothing acknowledged is lost or duplicated', async () => {
  const result = await runChaos({
    seed: 1,
    seconds: 8,
    clients: 3,
    companies: 1,
    storage: 's3',
    kinds: [faults.kill_api_1!, faults.kill_worker_1!, faults.postgresImmediate!],
    receivers: ['good', 'down'],
    pause_ms: 100,
    drainMs: 240_000,
    settings: shortLeases,
  });
  if (result.trafficLog.violations.length > 0) throw new Error(report(result));
  expect(result.faults).toHaveLength(3);
  expect(result.trafficLog.attempts.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(0);
  // There were people, histories, events, and deliveries to check.
  const found = result.checked.filter(([label]) => /^(people|entries|events)/.test(label));
  expect(found).toHaveLength(4);
  for (const [, count] of found) expect(count).toBeGreaterThan(0);
});

test('the same seed gives the same faults at the same times', () => {
  const plan = (seed: number) =>
    schedule(createRandom(seed).fork('faults'), 60, Object.values(faults)).map(({ kind, atMs, holdMs }) => [
      kind.name,
      atMs,
      holdMs,
    ]);
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
  expect(new Set(plan(7).map(([name]) => name))).toEqual(new Set(Object.values(faults).map(({ name }) => name)));
});
