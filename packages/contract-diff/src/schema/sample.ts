// Instances of a schema: the values at its limits, the smallest and the fullest object, and each property varied alone.
//
// They are likely instances, not certain ones: patterns with look-around, `not` and the like are only tried. Who needs
// certainty checks them (check.ts).

import { formatSamples, hasFormat } from './formats.ts';
import type { Judge } from './judge.ts';
import { namedSchemas } from './merge.ts';
import { resolveSchema } from './normalise.ts';
import { isMultiple } from './numbers.ts';
import { someStrings } from './patterns.ts';
import { compilePattern, conjunction, fragment } from './place.ts';
import { elementAt } from './rules-arrays.ts';
import { asSent, propertyOf } from './rules-objects.ts';
import { textOfStrings } from './rules-scalars.ts';
import { byOwnChoice } from './split.ts';
import type { NormalSchema, SchemaPlace, TypeName } from './types.ts';
import { distinct, hasType, isObject, typeOf } from './values.ts';
import { violations } from './violations.ts';

/** The most instances made of one schema. */
const mostSamples = 24;
/** The most plain instances of one schema. */
const fewest = 6;
/** The most schemas that instances are made of, for those of one schema. */
const mostSchemas = 600;
/** The most elements made for an array, and characters for a string. */
const longest = 300;
/** The most characters of a string: someone has to read it. */
const longestText = 20_000;
/** How deep below the schema that was asked for its parts get instances of their own. */
const deepest = 8;

/** Makes instances, and remembers them by schema. */
interface Sampler {
  samples(place: SchemaPlace): readonly unknown[];
  /** The plainest instances only: the smallest and the fullest object, the shortest array. */
  plain(place: SchemaPlace): readonly unknown[];
}

/** A sampler for the judge's direction: what does not exist in it is not made. */
export function createSampler(judge: Judge): Sampler {
  const known = new Map<string, readonly unknown[]>();
  const underWay = new Set<string>();
  let wasCut = false;
  // How many schemas that refuse something are being sampled, each within the other.
  let refusals = 0;
  let left = mostSchemas;

  const samples = (place: SchemaPlace) => instances(place, false);
  const plain = (place: SchemaPlace) => instances(place, true);

  function instances(place: SchemaPlace, brief: boolean): readonly unknown[] {
    const key = `${judge.identity(place)} ${brief}`;
    const present = known.get(key);
    if (present) return present;
    if (underWay.size === 0) left = mostSchemas;
    left -= 1;
    if (underWay.has(key) || underWay.size > deepest || left < 0) {
      wasCut = true;
      return [];
    }
    const outer = wasCut;
    wasCut = false;
    underWay.add(key);
    const found = distinct(sample(asSent(resolveSchema(place), judge.direction), brief)).slice(
      0,
      brief ? fewest : mostSamples,
    );
    underWay.delete(key);
    // What was made without a part, as that part is being made, is not all that can be made of it.
    if (!wasCut || underWay.size === 0) known.set(key, found);
    wasCut ||= outer;
    return found;
  }

  function sample(schema: NormalSchema, brief: boolean): unknown[] {
    const again = brief ? plain : samples;
    const ways = byOwnChoice(schema, judge);
    if (ways) return interleave(ways.slice(0, brief ? fewest : mostSamples).map(again));
    if (schema.not) {
      const base = fragment({ ...schema, not: undefined });
      refusals += 1;
      const outside = violations(resolveSchema(schema.not), refusals < 2).map((one) => again(conjunction([base, one])));
      refusals -= 1;
      const refused = schema.not;
      return interleave([...outside, again(base)]).filter((value) => judge.accepts(refused, value) !== true);
    }
    if (schema.enum) return [...schema.enum];
    return interleave([...schema.types].map((type) => samplesOfType[type](schema, brief)));
  }

  const samplesOfType: Readonly<Record<TypeName, (schema: NormalSchema, brief: boolean) => unknown[]>> = {
    null: () => [null],
    boolean: () => [true, false],
    integer: numbers,
    number: numbers,
    string: strings,
    array: arrays,
    object: objects,
  };

  function arrays(schema: NormalSchema, brief: boolean): unknown[] {
    const least = Math.max(schema.minItems ?? 0, schema.contains?.min ?? 0);
    const most = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, longest);
    const lengths = distinct([least, least + 1, least + 2, schema.prefixItems.length, most]) as number[];
    const wanted = lengths.filter((length) => length <= most && length >= least && length <= Math.max(least, 40));
    const made = wanted.flatMap((length) => {
      const first = arrayOf(schema, length);
      return first ? [first] : [];
    });
    const [shortest] = made.filter((array) => array.length > 0);
    if (!shortest || brief) return made;
    // Each position varied alone, one after another.
    const varied = shortest.slice(0, 4).flatMap((_, index) =>
      samples(elementAt(schema, index))
        .slice(1, 8)
        .map((value) => shortest.with(index, value)),
    );
    return [...made, ...varied];
  }

  function arrayOf(schema: NormalSchema, length: number): unknown[] | undefined {
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

  function objects(schema: NormalSchema, brief: boolean): unknown[] {
    const first = (name: string) => plain(propertyOf(schema, name))[0];
    const make = (names: Iterable<string>) => {
      const object: Record<string, unknown> = {};
      for (const name of names) {
        const value = first(name);
        if (value !== undefined) object[name] = value;
      }
      return object;
    };
    const required = withDependents(schema, schema.required);
    for (const name of namesOf(schema)) {
      if (required.size >= (schema.minProperties ?? 0)) break;
      required.add(name);
    }
    const smallest = make(required);
    if (Object.keys(smallest).length < required.size) return [];
    const most = schema.maxProperties ?? Number.POSITIVE_INFINITY;
    const fullest = make([...new Set([...required, ...schema.properties.keys()])].slice(0, most));
    const made: unknown[] = [smallest, fullest];
    if (brief) return made;
    const room = (object: object) => Object.keys(object).length < most;
    const extra = namesOf(schema).find((name) => !schema.properties.has(name) && !required.has(name));
    const more = extra === undefined ? undefined : first(extra);
    if (extra !== undefined && more !== undefined) {
      for (const object of [smallest, fullest]) if (room(object)) made.push({ ...object, [extra]: more });
    }
    for (const name of new Set([...required, ...schema.properties.keys()])) {
      const alone = make(withDependents(schema, [...required, name]));
      if (name in alone && !required.has(name) && room(smallest)) made.push(alone);
      if (name in fullest && !schema.required.has(name)) {
        const { [name]: _, ...without } = fullest;
        made.push(without);
      }
      const others = samples(propertyOf(schema, name)).slice(1, 6);
      if (name in fullest) made.push(...others.map((value) => ({ ...fullest, [name]: value })));
    }
    return made;
  }

  return { samples, plain };
}

/** The values of each list in turn: the first of all, the second of all ... */
function interleave(lists: readonly (readonly unknown[])[]): unknown[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => index).flatMap((index) =>
    lists.flatMap((list) => (index < list.length ? [list[index]] : [])),
  );
}

function withDependents(schema: NormalSchema, names: Iterable<string>): Set<string> {
  const all = new Set(names);
  // A set is walked over with what is added to it meanwhile.
  for (const name of all) for (const other of schema.dependentRequired.get(name) ?? []) all.add(other);
  return all;
}

/** Names to use for properties: those that are named, some that match the patterns, and some that nobody names. */
export function namesOf(schema: NormalSchema): string[] {
  const ofPatterns = [...schema.patternProperties.keys()].flatMap((pattern) => someStrings({ patterns: [pattern] }, 3));
  const names = schema.propertyNames && resolveSchema(schema.propertyNames);
  const ofNames = names ? stringsOf({ ...names, types: new Set(['string']) }) : [];
  const all = [...new Set([...schema.properties.keys(), ...ofPatterns, ...ofNames, ...freshNames])];
  return all.filter((name) => {
    const [nameIs] = namedSchemas(schema, name);
    return nameIs?.schema !== false && (!names || isNamed(names, name));
  });
}

/** Names that contracts do not use, so that they are nobody's property. */
const freshNames = ['zz-extra', 'zz-other', 'zz-third', 'zz-fourth'];

function isNamed(names: NormalSchema, name: string): boolean {
  if (names.enum) return names.enum.includes(name);
  const length = [...name].length;
  const fits = length >= (names.minLength ?? 0) && length <= (names.maxLength ?? Infinity);
  return fits && names.patterns.every((pattern) => compilePattern(pattern)?.test(name) ?? true);
}

function stringsOf(schema: NormalSchema): string[] {
  return (schema.enum ?? strings(schema)).filter((value): value is string => typeof value === 'string');
}

function strings(schema: NormalSchema): string[] {
  const text = textOfStrings(schema);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = text;
  const made: string[] = [];
  if (schema.patterns.length > 0) {
    const longer = { ...text, minLength: Math.min(minLength + 1, maxLength) };
    made.push(...someStrings(text, 6), ...someStrings(longer, 3));
    if (maxLength <= longest) made.push(...someStrings({ ...text, minLength: maxLength }, 2));
  }
  if (schema.format) made.push(...formatSamples(schema.format).filter((value) => typeof value === 'string'));
  const lengths = [minLength, minLength + 1, Math.max(minLength, 8), maxLength].filter(
    (one) => one <= Math.max(longest, minLength) && one <= longestText,
  );
  made.push(...ordinary, ...lengths.map((length) => 'a'.repeat(length)));
  return [...new Set(made)].filter((value) => {
    const length = [...value].length;
    if (length < minLength || length > maxLength || !hasFormat(value, schema.format)) return false;
    return schema.patterns.every((pattern) => compilePattern(pattern)?.test(value) ?? false);
  });
}

const ordinary = ['a', 'A', '0', 'abc', 'a b', 'ä', '', ' ', '1', 'true', 'a-b_c.d', 'A1'];

function numbers(schema: NormalSchema): number[] {
  const { minimum, maximum, multipleOf } = schema;
  const step = multipleOf ?? (schema.types.has('number') ? 0.5 : 1);
  const near = [minimum?.value, maximum?.value].flatMap((end) => {
    if (end === undefined) return [];
    const nearest = Math.round(end / step) * step;
    return [
      end,
      end - 1,
      end + 1,
      end - step,
      end + step,
      end - 1e-3,
      end + 1e-3,
      nearest,
      nearest - step,
      nearest + step,
    ];
  });
  const middle = minimum && maximum ? [(minimum.value + maximum.value) / 2] : [];
  const candidates = [...near, ...middle, ...formatNumbers(schema), step, -step, 3 * step, ...usual];
  return [...new Set(candidates.map((value) => Number(value.toPrecision(15))))].filter((value) => {
    if (!Number.isFinite(value) || !hasType(schema.types, typeOf(value))) return false;
    if (minimum && (value < minimum.value || (minimum.exclusive && value === minimum.value))) return false;
    if (maximum && (value > maximum.value || (maximum.exclusive && value === maximum.value))) return false;
    if (!hasFormat(value, schema.format)) return false;
    return multipleOf === undefined || isMultiple(value, multipleOf);
  });
}

const usual = [0, 1, -1, 2, 10, 100, 0.5, -0.5, 1.25, 1e6, 3_000_000_000, -3_000_000_000];

function formatNumbers(schema: NormalSchema): number[] {
  return schema.format ? formatSamples(schema.format).filter((value) => typeof value === 'number') : [];
}

/** One more value like those of the pool, which are all used. */
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
