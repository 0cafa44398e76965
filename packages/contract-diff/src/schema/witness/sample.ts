// Generates sample values of a schema: at its limits, the smallest and fullest object, and variations of each property.
//
// Samples are likely but not certainly valid: constructs such as lookaround and `not` are only attempted. Verify them if
// necessary (check.ts).

import { resolveSchema } from '../normal-form/normalize.ts';
import { conjunction, fragment } from '../place.ts';
import type { Judge } from '../subset/judge.ts';
import { asSent } from '../subset/rules-objects.ts';
import { byOwnChoice } from '../subset/split.ts';
import type { NormalSchema, Sampler, SchemaPlace, TypeName } from '../types.ts';
import { firstDistinct } from '../values.ts';
import { sampleArrays } from './sample-arrays.ts';
import { sampleObjects } from './sample-objects.ts';
import { sampleNumbers, sampleStrings } from './sample-scalars.ts';
import { violations } from './violations.ts';

/** Maximum number of samples per schema. */
const mostSamples = 24;
/** Maximum number of simple samples per schema. */
const fewest = 6;
/** Above this number of alternatives, each gets only the simplest samples. */
const mostWays = 6;
/** Maximum number of schemas to sample for one schema. */
const mostSchemas = 600;
/** The same per question, because mutually recursive schemas with many alternatives have an explosive number of samples. */
const mostInAll = 2_000;
/** Nested schemas up to this depth get samples of their own. */
const deepest = 8;

/** A sampler for the judge's direction; omits hidden properties. */
export function createSampler(judge: Judge): Sampler & { renew(): void } {
  const known = new Map<string, readonly unknown[]>();
  const underWay = new Set<string>();
  let wasCut = false;
  // Nesting depth of negated schemas being sampled.
  let refusals = 0;
  let left = mostSchemas;
  let leftInAll = mostInAll;

  const sampler = {
    samples: (place: SchemaPlace) => instances(place, false),
    plain: (place: SchemaPlace) => instances(place, true),
    /** Starts a new question. */
    renew() {
      leftInAll = mostInAll;
    },
  };

  function instances(place: SchemaPlace, brief: boolean): readonly unknown[] {
    const key = `${judge.identity(place)} ${brief}`;
    const present = known.get(key);
    if (present) return present;
    if (underWay.size === 0) left = mostSchemas;
    left -= 1;
    leftInAll -= 1;
    if (underWay.has(key) || underWay.size > deepest || left < 0 || leftInAll < 0) {
      wasCut = true;
      return [];
    }
    const outer = wasCut;
    wasCut = false;
    underWay.add(key);
    const most = brief ? fewest : mostSamples;
    const found = firstDistinct(sample(asSent(resolveSchema(place), judge.direction), brief), most);
    underWay.delete(key);
    // Results that omit a part in progress are incomplete, so don't cache them.
    if (!wasCut || underWay.size === 0) known.set(key, found);
    wasCut ||= outer;
    return found;
  }

  function sample(schema: NormalSchema, brief: boolean): Iterable<unknown> {
    const again = brief ? sampler.plain : sampler.samples;
    const ways = byOwnChoice(schema, judge);
    if (ways)
      return interleave(
        ways.slice(0, brief ? fewest : mostSamples).map(ways.length > mostWays ? sampler.plain : again),
      );
    if (schema.not) {
      const base = fragment({ ...schema, not: undefined });
      refusals += 1;
      const outside = violations(resolveSchema(schema.not), refusals < 2).map((one) => again(conjunction([base, one])));
      refusals -= 1;
      const refused = schema.not;
      return [...interleave([...outside, again(base)])].filter((value) => judge.accepts(refused, value) !== true);
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
    const left: typeof open = [];
    for (const list of open) {
      const { done, value } = list.next();
      if (done) continue;
      yield value;
      left.push(list);
    }
    open = left;
  }
}
