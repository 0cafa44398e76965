// Generates sample values of a schema: at its limits, the smallest and fullest object, and variations of each property.
//
// Samples are likely but not certainly valid: constructs such as lookaround and `not` are only attempted. Verify them if
// necessary (check.ts).

import { conjunction, fragment } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import type { SubsetChecker } from '../subset/checker.ts';
import { senderView } from '../subset/rules-objects.ts';
import { splitByOwnChoice } from '../subset/split.ts';
import type { NormalSchema, Sampler, SchemaLocation, TypeName } from '../types.ts';
import { firstDistinct } from '../values.ts';
import { sampleArrays } from './sample-arrays.ts';
import { sampleObjects } from './sample-objects.ts';
import { sampleNumbers, sampleStrings } from './sample-scalars.ts';
import { violations } from './violations.ts';

/** Maximum number of samples per schema. */
const maxSamples = 24;
/** Maximum number of simple samples per schema. */
const maxSimpleSamples = 6;
/** Above this number of alternatives, each gets only the simplest samples. */
const maxAlternatives = 6;
/** Maximum number of schemas to sample for one schema. */
const maxSchemas = 600;
/** The same per question, because mutually recursive schemas with many alternatives have an explosive number of samples. */
const maxTotalSchemas = 2_000;
/** Nested schemas up to this depth get samples of their own. */
const maxDepth = 8;

/** A sampler for the checker's direction; omits hidden properties. */
export function createSampler(checker: SubsetChecker): Sampler & { resetBudget(): void } {
  const known = new Map<string, readonly unknown[]>();
  const inProgress = new Set<string>();
  let truncated = false;
  // Nesting depth of negated schemas being sampled.
  let negationDepth = 0;
  let remaining = maxSchemas;
  let totalRemaining = maxTotalSchemas;

  const sampler = {
    samples: (location: SchemaLocation) => instances(location, false),
    plain: (location: SchemaLocation) => instances(location, true),
    /** Starts a new question. */
    resetBudget() {
      totalRemaining = maxTotalSchemas;
    },
  };

  function instances(location: SchemaLocation, brief: boolean): readonly unknown[] {
    const key = `${checker.identity(location)} ${brief}`;
    const present = known.get(key);
    if (present) return present;
    if (inProgress.size === 0) remaining = maxSchemas;
    remaining -= 1;
    totalRemaining -= 1;
    if (inProgress.has(key) || inProgress.size > maxDepth || remaining < 0 || totalRemaining < 0) {
      truncated = true;
      return [];
    }
    const outerTruncated = truncated;
    truncated = false;
    inProgress.add(key);
    const limit = brief ? maxSimpleSamples : maxSamples;
    const found = firstDistinct(sample(senderView(resolveSchema(location), checker.direction), brief), limit);
    inProgress.delete(key);
    // Results that omit a part in progress are incomplete, so don't cache them.
    if (!truncated || inProgress.size === 0) known.set(key, found);
    truncated ||= outerTruncated;
    return found;
  }

  function sample(schema: NormalSchema, brief: boolean): Iterable<unknown> {
    const sampleNested = brief ? sampler.plain : sampler.samples;
    const alternatives = splitByOwnChoice(schema, checker);
    if (alternatives)
      return interleave(
        alternatives
          .slice(0, brief ? maxSimpleSamples : maxSamples)
          .map(alternatives.length > maxAlternatives ? sampler.plain : sampleNested),
      );
    if (schema.not) {
      const base = fragment({ ...schema, not: undefined });
      negationDepth += 1;
      const outside = violations(resolveSchema(schema.not), negationDepth < 2).map((one) =>
        sampleNested(conjunction([base, one])),
      );
      negationDepth -= 1;
      const negated = schema.not;
      return [...interleave([...outside, sampleNested(base)])].filter(
        (value) => checker.accepts(negated, value) !== true,
      );
    }
    if (schema.enum) return schema.enum;
    return interleave([...schema.types].map((type) => samplesOfType[type](schema, brief)));
  }

  const samplesOfType: Readonly<Record<TypeName, (schema: NormalSchema, brief: boolean) => Iterable<unknown>>> = {
    null: () => [null],
    boolean: () => [true, false],
    integer: sampleNumbers,
    number: sampleNumbers,
    string: sampleStrings,
    array: (schema, brief) => sampleArrays(schema, brief, sampler),
    object: (schema, brief) => sampleObjects(schema, brief, sampler),
  };

  return sampler;
}

/** Interleaves lists: the first value of each, the second of each, and so on. */
function* interleave(lists: readonly Iterable<unknown>[]): Generator<unknown> {
  let open = lists.map((list) => list[Symbol.iterator]());
  while (open.length > 0) {
    const remaining: typeof open = [];
    for (const list of open) {
      const { done, value } = list.next();
      if (done) continue;
      yield value;
      remaining.push(list);
    }
    open = remaining;
  }
}
