/** The soak test's definition of stable: fluctuation is fine, growth isn't. */
import { conclude, evaluateSamples } from '../../scripts/proof/soak/verdict.ts';

const samples = 60;
const everyMs = 10_000;

/** @param valueAt value of one process at each sample */
function verdictOn(name: string, valueAt: (n: number) => number): boolean {
  const series = Array.from({ length: samples }, (_, n) => ({
    atMs: n * everyMs,
    values: new Map([[name, valueAt(n)]]),
  }));
  const [verdict] = evaluateSamples(series, samples * everyMs * 0.4);
  return verdict!.is_level;
}

/** Between 75 and 270, and rather the latter at the end: deliveries in flight. */
const underWay = (n: number) => (n > samples - 6 && n % 3 > 0 ? 270 : 75 + ((n * 37) % 100));

test.each(['worker-1 active resources', 'worker-1 file descriptors'])(
  '%s: detects a leak below the fluctuation',
  (name) => {
    expect(verdictOn(name, underWay)).toBe(true);
    expect(verdictOn(name, (n) => underWay(n) + 5 * n)).toBe(false);
  },
);

test('detects growth of memory and tables beyond their share, but data may grow', () => {
  expect(verdictOn('api-1 heap after GC, MB', (n) => 60 + (n % 5))).toBe(true);
  expect(verdictOn('api-1 heap after GC, MB', (n) => 60 + n / 2)).toBe(false);
  expect(verdictOn('table outbox, rows', (n) => 100 * n)).toBe(false);
  expect(verdictOn('table events, MB', (n) => 100 * n)).toBe(true);
});

describe('the conclusion', () => {
  const level = { name: 'outbox, rows', is_level: true };
  const growing = { name: 'outbox, rows', is_level: false };
  const keptUp = { actualRate: 99.8, targetRate: 100 };
  const tooSlow = { actualRate: 61.2, targetRate: 100 };

  test.each([
    ['a machine that keeps up', [level], 0, keptUp, 'level', 'All level.'],
    ['the same, where something grows', [level, growing], 0, keptUp, 'not level', 'Not level: outbox, rows'],
    [
      'a machine that is too slow',
      [growing],
      0,
      tooSlow,
      'no verdict',
      'No verdict: the machine was too slow (61 of 100 requests a second). Grew: outbox, rows',
    ],
    ['the same, where nothing grows', [level], 0, tooSlow, 'level', 'All level, at 61 of 100 requests a second.'],
    ['wrong responses, at any speed', [growing], 1, tooSlow, 'not level', 'Failed: responses were wrong, see above.'],
  ] as const)('for %s', (_, verdicts, violations, speed, outcome, message) => {
    expect(conclude(verdicts, violations, speed)).toEqual({ outcome, message });
  });
});
