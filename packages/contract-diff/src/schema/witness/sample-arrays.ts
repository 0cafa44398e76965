// Sample arrays: the shortest, the longest, and variations of each position.

import { conjunction } from '../location.ts';
import { elementAt } from '../subset/rules-arrays.ts';
import type { NormalSchema, Sampler } from '../types.ts';
import { distinct, isObject } from '../values.ts';

/** Maximum length of a sample. */
const maxSampleLength = 300;

/** @param brief only the simplest */
export function sampleArrays(schema: NormalSchema, brief: boolean, sampler: Sampler): unknown[] {
  const minLength = Math.max(schema.minItems ?? 0, schema.contains?.min ?? 0);
  const maxLength = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, maxSampleLength);
  const lengths = distinct([minLength, minLength + 1, minLength + 2, schema.prefixItems.length, maxLength]) as number[];
  const selected = lengths.filter(
    (length) => length <= maxLength && length >= minLength && length <= Math.max(minLength, 40),
  );
  const arrays = selected.flatMap((length) => {
    const first = arrayOf(schema, length, sampler);
    return first ? [first] : [];
  });
  const [shortest] = arrays.filter((array) => array.length > 0);
  if (!shortest || brief) return arrays;
  // Vary one position at a time.
  const varied = shortest.slice(0, 4).flatMap((_, index) =>
    sampler
      .samples(elementAt(schema, index))
      .slice(1, 8)
      .map((value) => shortest.with(index, value)),
  );
  return [...arrays, ...varied];
}

function arrayOf(schema: NormalSchema, length: number, { samples, plain }: Sampler): unknown[] | undefined {
  const containing = schema.contains ? plain(schema.contains.schema) : [];
  const array: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    const location = elementAt(schema, index);
    const selected = schema.contains && index < schema.contains.min ? schema.contains.schema : undefined;
    const pool = selected
      ? [...plain(conjunction([location, selected])), ...containing]
      : schema.uniqueItems
        ? samples(location)
        : plain(location);
    const used = new Set(array.map((value) => JSON.stringify(value)));
    const free = schema.uniqueItems ? pool.filter((value) => !used.has(JSON.stringify(value))) : pool;
    const value = free.length > 0 ? free[0] : schema.uniqueItems ? freshValue(pool, used) : undefined;
    if (value === undefined) return undefined;
    array.push(value);
  }
  return array;
}

/** Another value like those of the pool, which is exhausted. */
function freshValue(pool: readonly unknown[], used: ReadonlySet<string>): unknown {
  for (let count = 1; count < maxSampleLength; count += 1) {
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
