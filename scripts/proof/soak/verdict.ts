// Whether what was measured stays where it was after the warm-up. Only data may grow: what people made, what happened.
import type { Sample } from './samples.ts';

/** Tables that hold what was made and what happened, and grow with it until it is deleted or too old. */
const data = [
  'collaborators',
  'collaborator_history',
  'notification_preferences',
  'saved_views',
  'snoozes',
  'documents',
  'invitations',
  'events',
  'deliveries',
  'attempts',
  'imports',
  'import_errors',
  'import_matches',
  'exports',
  'webhooks',
  'idempotency_keys', // kept for 24 hours
  'oauth_artifacts', // each refresh makes two; removed every hour once they have expired
  'oauth_grants',
  'audit_log',
];

/** How much more than after the warm-up is still level, by what a row's name ends with. */
const tolerances: [endsWith: string, most: number][] = [
  ['heap after GC, MB', 8],
  ['external, MB', 8],
  ['RSS, MB', 40],
  ['active resources', 40],
  ['file descriptors', 40],
  ['connections to Postgres', 10],
  [', MB', 2],
  [', rows', 2_000],
];

const averaged = 5;

/** A worker has some for each delivery under way, from none to hundreds: what leaks is what it has in its quiet moments. */
const inFlight = ['active resources', 'file descriptors'];

interface Verdict {
  name: string;
  start: number;
  warm: number;
  end: number;
  /** Of a straight line through all samples after the warm-up, for each minute. */
  slopePerMin: number;
  /** Undefined for data, which may grow. */
  mostGrowth: number | undefined;
  is_level: boolean;
}

/** @param warmUpMs before that, caches fill and pools open */
export function judge(samples: readonly Sample[], warmUpMs: number): Verdict[] {
  const names = [...samples.at(-1)!.values.keys()];
  const after = samples.filter(({ atMs }) => atMs >= warmUpMs);
  return names.map((name) => {
    const values = after.flatMap(({ atMs, values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ atMin: atMs / 60_000, value }];
    });
    const [warm, end] = compared(
      name,
      values.map(({ value }) => value),
    );
    const mostGrowth = toleranceOf(name);
    const isLevel = mostGrowth === undefined || end - warm <= mostGrowth;
    return {
      name,
      start: samples[0]!.values.get(name) ?? 0,
      warm,
      end,
      slopePerMin: slope(values),
      mostGrowth,
      is_level: isLevel,
    };
  });
}

/** Below this share of the requests that were wanted, a queue grows because the machine is too slow. */
const leastShare = 0.95;

interface Conclusion {
  outcome: 'level' | 'not level' | 'no verdict';
  message: string;
}

/**
 * @param verdicts of `judge`
 * @param violations what was wrong with answers, at any speed
 * @param made requests a second
 * @param wanted the same
 */
export function conclude(
  verdicts: readonly Pick<Verdict, 'name' | 'is_level'>[],
  violations: number,
  { made, wanted }: { made: number; wanted: number },
): Conclusion {
  const growing = verdicts.filter(({ is_level: isLevel }) => !isLevel).map(({ name }) => name);
  const speed = `${made.toFixed(0)} of ${wanted} requests a second`;
  const isSlow = made < leastShare * wanted;
  if (violations > 0) return { outcome: 'not level', message: 'Failed: answers were wrong, see above.' };
  if (growing.length === 0) return { outcome: 'level', message: isSlow ? `All level, at ${speed}.` : 'All level.' };
  const names = growing.join('; ');
  if (!isSlow) return { outcome: 'not level', message: `Not level: ${names}` };
  return { outcome: 'no verdict', message: `No verdict: the machine was too slow (${speed}). Grew: ${names}` };
}

/** What is compared of the values after the warm-up: their beginning, and their end. */
function compared(name: string, values: readonly number[]): [warm: number, end: number] {
  if (!inFlight.some((end) => name.endsWith(end))) {
    return [mean(values.slice(0, averaged)), mean(values.slice(-averaged))];
  }
  const half = Math.ceil(values.length / 2);
  return [Math.min(...values.slice(0, half)), Math.min(...values.slice(-half))];
}

function toleranceOf(name: string): number | undefined {
  const table = /^table (\S+), /.exec(name)?.[1];
  if (table && (data.includes(table) || name.endsWith('dead rows'))) return undefined;
  return tolerances.find(([end]) => name.endsWith(end))?.[1];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Least squares. */
function slope(points: readonly { atMin: number; value: number }[]): number {
  const x = mean(points.map(({ atMin }) => atMin));
  const y = mean(points.map(({ value }) => value));
  const over = points.reduce((sum, { atMin, value }) => sum + (atMin - x) * (value - y), 0);
  const under = points.reduce((sum, { atMin }) => sum + (atMin - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
