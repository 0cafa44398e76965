// Decides whether each metric stays level after the warm-up. Only tables with user data may grow.
import type { Sample } from './samples.ts';

/** Tables with user data and events, which grow until these are deleted or expire. */
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
  'oauth_artifacts', // each refresh adds two; expired ones are deleted every hour
  'oauth_grants',
  'audit_log',
];

/** Allowed growth since the warm-up, by name suffix. */
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

/** A worker has some per active delivery, from none to hundreds, so compare its quiet moments. */
const inFlight = ['active resources', 'file descriptors'];

interface Verdict {
  name: string;
  start: number;
  warm: number;
  end: number;
  /** Linear trend of all samples after the warm-up, per minute. */
  slopePerMin: number;
  /** Undefined for data, which may grow. */
  maxGrowth: number | undefined;
  is_level: boolean;
}

/** @param warmUpMs time for caches and pools to fill */
export function evaluateSamples(samples: readonly Sample[], warmUpMs: number): Verdict[] {
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
    const maxGrowth = toleranceOf(name);
    const isLevel = maxGrowth === undefined || end - warm <= maxGrowth;
    return {
      name,
      start: samples[0]!.values.get(name) ?? 0,
      warm,
      end,
      slopePerMin: slope(values),
      maxGrowth,
      is_level: isLevel,
    };
  });
}

/** Below this share of the target rate, the machine is too slow, and queues grow. */
const minShare = 0.95;

interface Conclusion {
  outcome: 'level' | 'not level' | 'no verdict';
  message: string;
}

/**
 * @param verdicts of `evaluateSamples`
 * @param violations invalid responses, at any rate
 * @param actualRate actual requests per second
 * @param targetRate target requests per second
 */
export function conclude(
  verdicts: readonly Pick<Verdict, 'name' | 'is_level'>[],
  violations: number,
  { actualRate, targetRate }: { actualRate: number; targetRate: number },
): Conclusion {
  const growing = verdicts.filter(({ is_level: isLevel }) => !isLevel).map(({ name }) => name);
  const speed = `${actualRate.toFixed(0)} of ${targetRate} requests a second`;
  const isSlow = actualRate < minShare * targetRate;
  if (violations > 0) return { outcome: 'not level', message: 'Failed: responses were wrong, see above.' };
  if (growing.length === 0) return { outcome: 'level', message: isSlow ? `All level, at ${speed}.` : 'All level.' };
  const names = growing.join('; ');
  if (!isSlow) return { outcome: 'not level', message: `Not level: ${names}` };
  return { outcome: 'no verdict', message: `No verdict: the machine was too slow (${speed}). Grew: ${names}` };
}

/** The values to compare: start and end, after the warm-up. */
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
