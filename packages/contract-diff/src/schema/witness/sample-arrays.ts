// Sample arrays: the shortest, the longest, and variations of each position.

import { conjunction } from '../place.ts';
import { elementAt } from '../subset/rules-arrays.ts';
import type { NormalSchema, Sampler } from '../types.ts';
import { distinct, isObject } from '../values.ts';

/** Maximum length of a sample. */
const longest = 300;

/** @param brief only the simplest */
export function sampleArrays(schema: NormalSchema, brief: boolean, sampler: Sampler): unknown[] {
  const least = Math.max(schema.minItems ?? 0, schema.contains?.min ?? 0);
  const most = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, longest);
  const lengths = distinct([least, least + 1, least + 2, schema.prefixItems.length, most]) as number[];
  const wanted = lengths.filter((length) => length <= most && length >= least && length <= Math.max(least, 40));
  const made = wanted.flatMap((length) => {
    const first = arrayOf(schema, length, sampler);
    return first ? [first] : [];
  });
  const [shortest] = made.filter((array) => array.length > 0);
  if (!shortest || brief) return made;
  // Vary one position at a time.
  const varied = shortest.slice(0, 4).flatMap((_, index) =>
    sampler
      .samples(elementAt(schema, index))
      .slice(1, 8)
      .map((value) => shortest.with(index, value)),
  );
  return [...made, ...varied];
}

function arrayOf(schema: NormalSchema, length: number, { samples, plain }: Sampler): unknown[] | undefined {
  const containing = schema.contains ? plain(schema.contains.schema) : [];
  const array: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    const place = elementAt(schema, index);
    const wanted = schema.contains && index < schema.contains.min ? schema.contains.schema : undefined;
    const pool = wanted
      ? [...plain(conjunction([place, wanted])), ...containing]
      : schema.uniqueItems
        ? samples(place)
        : plain(place);
    const used = new Set(array.map((value) => JSON.stringify(value)));
    const free = schema.uniqueItems ? pool.filter((value) => !used.has(JSON.stringify(value))) : pool;
    const value = free.length > 0 ? free[0] : schema.uniqueItems ? another(pool, used) : undefined;
    if (value === undefined) return undefined;
    array.push(value);
  }
  return array;
}

/** Another value like those of the pool, which is exhausted. */
function another(pool: readonly unknown[], used: ReadonlySet<string>): unknown {
  for (let count = 1; count < longest; count += 1) {
    for (const value of pool) {
      const changed =
        typeof value === 'number' ? value + count : typeof value === 'string' ? `${value}${count}` : undefined;
      if (changed !== undefined && !used.has(JSON.stringify(changed))) return changed;
      if (isObject(value)) {
        const object = { ...value, 'zz-extra': count };
        if (!used.has(JSON.stringify(object))) return object;
      }
    }
  }
  return undefined;
}
