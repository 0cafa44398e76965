// Instances of a schema: the values at its limits, the smallest and the fullest object, and each property varied alone.
//
// They are likely instances, not certain ones: patterns with look-around, `not` and the like are only tried. Who needs
// certainty checks them (check.ts).

import type { Judge } from './judge.ts';
import { resolveSchema } from './normalise.ts';
import { conjunction, fragment } from './place.ts';
import { asSent } from './rules-objects.ts';
import { sampleArrays } from './sample-arrays.ts';
import { sampleObjects } from './sample-objects.ts';
import { sampleNumbers, sampleStrings } from './sample-scalars.ts';
import { byOwnChoice } from './split.ts';
import type { NormalSchema, Sampler, SchemaPlace, TypeName } from './types.ts';
import { firstDistinct } from './values.ts';
import { violations } from './violations.ts';

/** The most instances made of one schema. */
const mostSamples = 24;
/** The most plain instances of one schema. */
const fewest = 6;
/** With more alternatives than this, only the plainest instances of each are made. */
const mostWays = 6;
/** The most schemas that instances are made of, for those of one schema. */
const mostSchemas = 600;
/** And for one question: schemas that hold each other, with many alternatives, have more instances than anybody waits for. */
const mostInAll = 2_000;
/** How deep below the schema that was asked for its parts get instances of their own. */
const deepest = 8;

/** A sampler for the judge's direction: what does not exist in it is not made. */
export function createSampler(judge: Judge): Sampler & { renew(): void } {
  const known = new Map<string, readonly unknown[]>();
  const underWay = new Set<string>();
  let wasCut = false;
  // How many schemas that refuse something are being sampled, each within the other.
  let refusals = 0;
  let left = mostSchemas;
  let leftInAll = mostInAll;

  const sampler = {
    samples: (place: SchemaPlace) => instances(place, false),
    plain: (place: SchemaPlace) => instances(place, true),
    /** Another question begins. */
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
    // What was made without a part, as that part is being made, is not all that can be made of it.
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

/** The values of each list in turn: the first of all, the second of all ... */
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
