import { faults, schedule } from '../../scripts/proof/chaos/faults.ts';
import { createRandom } from '../../scripts/random/random.ts';

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
