// Compares limits that can be wider or narrower: bounds, lengths, patterns.

import type { Bound, NormalSchema, SchemaLocation, TypeName } from '../../schema/index.ts';
import type { Comparison } from '../comparison.ts';
import { probeOf, type SchemaPair, verdicts } from './schema-pair.ts';

type Step = 'tightened' | 'loosened' | 'changed';

const upper = ['maxLength', 'maxItems', 'maxProperties'] as const;
const lower = ['minLength', 'minItems', 'minProperties'] as const;

/** Compares the limits of two schemas. @returns the number of reported changes */
export function compareLimits(comparison: Comparison, schemas: SchemaPair): number {
  const { pair, a, b, before, after } = schemas;
  let count = 0;
  const report = (key: string, step: Step | undefined, old: unknown, now: unknown, label = key) => {
    // A string limit is irrelevant if one side has no strings: the type change covers it.
    if (
      step === undefined ||
      ![before, after].every(({ types }) => applicableTypes(key)?.some((type) => types.has(type)))
    )
      return;
    count++;
    comparison.report(`limit-${step}`, pair, `${label} changed from ${formatLimit(old)} to ${formatLimit(now)}`, {
      key,
      before: old,
      after: now,
      probe: probeOf(comparison, schemas),
    });
  };
  for (const key of upper)
    report(key, stepOf(before[key] ?? Infinity, after[key] ?? Infinity), before[key], after[key]);
  for (const key of lower) report(key, stepOf(-(before[key] ?? 0), -(after[key] ?? 0)), before[key], after[key]);
  const whole = !before.types.has('number') && !after.types.has('number');
  for (const [key, sign] of [
    ['maximum', 1],
    ['minimum', -1],
  ] as const) {
    const step = stepOfBounds(before[key], after[key], sign, whole);
    report(keyOf(key, before, after), step, formatBound(before[key]), formatBound(after[key]), key);
  }
  report('multipleOf', stepOfMultiples(before.multipleOf, after.multipleOf), before.multipleOf, after.multipleOf);
  report(
    'uniqueItems',
    stepOf(before.uniqueItems ? 0 : 1, after.uniqueItems ? 0 : 1),
    before.uniqueItems,
    after.uniqueItems,
  );
  report('pattern', stepOfPatterns(before, after), patternValue(before.patterns), patternValue(after.patterns));
  return count;

  function stepOfPatterns(old: NormalSchema, now: NormalSchema): Step | undefined {
    if (old.patterns.length === now.patterns.length && old.patterns.every((text) => now.patterns.includes(text)))
      return undefined;
    const only = (location: SchemaLocation, patterns: readonly string[]): SchemaLocation => ({
      document: location.document,
      schema: { type: 'string', allOf: patterns.map((pattern) => ({ pattern })) },
    });
    const { forward, backward } = verdicts(comparison, pair, only(a, old.patterns), only(b, now.patterns));
    if (forward.answer === 'yes') return backward.answer === 'yes' ? undefined : 'loosened';
    return backward.answer === 'yes' ? 'tightened' : 'changed';
  }
}

const numeric: readonly TypeName[] = ['number', 'integer'];

/** Types that a limit applies to; undefined for other keywords. */
export const applicableTypes = (key: string): readonly TypeName[] | undefined => limits.get(key);

const limits: ReadonlyMap<string, readonly TypeName[]> = new Map([
  ...['minLength', 'maxLength', 'pattern'].map((key) => [key, ['string']] as const),
  ...['minItems', 'maxItems', 'uniqueItems'].map((key) => [key, ['array']] as const),
  ...['minProperties', 'maxProperties'].map((key) => [key, ['object']] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((key) => [key, numeric] as const),
]);

const stepOf = (old: number, now: number): Step | undefined =>
  old === now ? undefined : now < old ? 'tightened' : 'loosened';

/** `sign` turns a minimum into a maximum. For integers, an exclusive bound differs by one from an inclusive one. */
function stepOfBounds(old: Bound | undefined, now: Bound | undefined, sign: 1 | -1, whole: boolean): Step | undefined {
  const end = (bound: Bound | undefined) => {
    if (!bound) return { value: Infinity, exclusive: 0 };
    if (!whole) return { value: sign * bound.value, exclusive: bound.exclusive ? 1 : 0 };
    const limit = sign * bound.value;
    return { value: bound.exclusive ? Math.ceil(limit) - 1 : Math.floor(limit), exclusive: 0 };
  };
  const [x, y] = [end(old), end(now)];
  return stepOf(x.value, y.value) ?? stepOf(-x.exclusive, -y.exclusive);
}

function stepOfMultiples(old: number | undefined, now: number | undefined): Step | undefined {
  if (old === now) return undefined;
  if (old === undefined) return 'tightened';
  if (now === undefined) return 'loosened';
  const divides = (divisor: number, value: number) => Math.abs(value / divisor - Math.round(value / divisor)) < 1e-9;
  return divides(old, now) ? 'tightened' : divides(now, old) ? 'loosened' : 'changed';
}

const keyOf = (key: 'maximum' | 'minimum', before: NormalSchema, after: NormalSchema): string =>
  (after[key] ?? before[key])?.exclusive ? `exclusive${key === 'maximum' ? 'Maximum' : 'Minimum'}` : key;

const formatBound = (bound: Bound | undefined): unknown =>
  bound && (bound.exclusive ? `${bound.value} (exclusive)` : bound.value);
const patternValue = (patterns: readonly string[]): unknown => (patterns.length > 1 ? patterns : patterns[0]);
const formatLimit = (value: unknown): string => (value === undefined ? 'none' : String(value));
