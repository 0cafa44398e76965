// Rules for types, enums, numbers, and strings.

import { formatImplies, formatLengths, formatsExclude } from '../formats.ts';
import { isMultiple } from '../numbers.ts';
import { allStrings, areDisjoint, nonMatchingStrings, type Text } from '../patterns.ts';
import type { Bound, NormalSchema, TypeName } from '../types.ts';
import { hasType } from '../values.ts';
import { type Mismatch, mismatch } from './checker.ts';

/** `type`: an integer is a number, but a number may not be an integer. */
export function typeRule(a: NormalSchema, b: NormalSchema): Mismatch[] {
  const rejected = [...a.types].filter((type) => !hasType(b.types, type));
  return rejected.length === 0 ? [] : [mismatch('no', 'type')];
}

/** `enum` and `const`: schemas with few values have been compared value by value, so here there are more. */
export function enumRule(_a: NormalSchema, b: NormalSchema): Mismatch[] {
  return b.enum ? [mismatch('no', b.enum.length === 1 ? 'const' : 'enum')] : [];
}

/** `minimum`, `maximum`, their exclusive variants, `multipleOf`, and numeric formats. */
export function numberRule(a: NormalSchema, b: NormalSchema): Mismatch[] {
  if (!hasType(a.types, 'integer')) return [];
  const found: Mismatch[] = [];
  const [from, to] = range(a);
  if (!withinBound(from, b.minimum, 1)) found.push(mismatch('no', keywordOf('minimum', b.minimum)));
  if (!withinBound(to, b.maximum, -1)) found.push(mismatch('no', keywordOf('maximum', b.maximum)));
  if (b.multipleOf !== undefined && !isMultipleOf(a, b.multipleOf)) {
    // A narrow range may contain only multiples.
    const limited = from !== undefined && to !== undefined;
    found.push(mismatch(limited ? 'unknown' : 'no', 'multipleOf'));
  }
  if (b.format !== undefined && !numberHasFormat(a, b.format)) found.push(mismatch('unknown', 'format'));
  return found;
}

const formatRanges: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

/** Bounds of a schema's numbers, including its format's. */
function range(schema: NormalSchema): [Bound | undefined, Bound | undefined] {
  const end = formatRanges[schema.format ?? ''];
  if (end === undefined) return [schema.minimum, schema.maximum];
  // Ajv enforces a range only for int32.
  if (schema.format !== 'int32') return [schema.minimum, schema.maximum];
  const from = { value: -end, exclusive: false };
  const to = { value: end - 1, exclusive: false };
  return [
    withinBound(schema.minimum, from, 1) ? schema.minimum : from,
    withinBound(schema.maximum, to, -1) ? schema.maximum : to,
  ];
}

/** Whether bound `a` implies bound `b`; `sign` is 1 for lower bounds. */
function withinBound(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): boolean {
  if (!b) return true;
  if (!a) return false;
  if (a.value === b.value) return a.exclusive || !b.exclusive;
  return sign * a.value > sign * b.value;
}

function keywordOf(keyword: 'minimum' | 'maximum', bound: Bound | undefined): string {
  if (!bound?.exclusive) return keyword;
  return keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
}

function isMultipleOf(a: NormalSchema, divisor: number): boolean {
  if (a.multipleOf !== undefined && isMultiple(a.multipleOf, divisor)) return true;
  return !a.types.has('number') && isMultiple(1, divisor);
}

function numberHasFormat(a: NormalSchema, format: string): boolean {
  if (formatImplies(a.format, format, 'number')) return true;
  const end = formatRanges[format];
  if (end === undefined || a.types.has('number')) return false;
  const [from, to] = range(a);
  const low = { value: -end, exclusive: false };
  return withinBound(from, low, 1) && withinBound(to, { value: end, exclusive: true }, -1);
}

/** `minLength`, `maxLength`, `pattern`, `format`. */
export function stringRule(a: NormalSchema, b: NormalSchema): Mismatch[] {
  if (!a.types.has('string')) return [];
  const found: Mismatch[] = [];
  const text = textOfStrings(a);
  // Patterns may imply stricter lengths than the limits.
  const shorter = (text.minLength ?? 0) < (b.minLength ?? 0);
  if (shorter) found.push(...patternMismatches(text, `^[^]{${b.minLength},}$`, 'minLength', a));
  const longer = (text.maxLength ?? Infinity) > (b.maxLength ?? Infinity);
  if (longer) found.push(...patternMismatches(text, `^[^]{0,${b.maxLength}}$`, 'maxLength', a));
  for (const pattern of b.patterns) found.push(...patternMismatches(text, pattern, 'pattern', a));
  if (b.format !== undefined) {
    const has = formatImplies(a.format, b.format, 'string');
    const certain = has === false && a.patterns.length === 0;
    if (!has) found.push(mismatch(certain || formatsExclude(a.format, b.format) ? 'no' : 'unknown', 'format'));
  }
  return found;
}

function patternMismatches(text: Text, pattern: string, keyword: string, a: NormalSchema): Mismatch[] {
  // Without patterns, only limits matter, which have been compared.
  if (a.patterns.length === 0 && keyword !== 'pattern') return [mismatch(a.format ? 'unknown' : 'no', keyword)];
  const rejected = nonMatchingStrings(text, pattern);
  if (rejected?.length === 0) return [];
  const certain = a.format === undefined && (rejected !== undefined || a.patterns.length === 0);
  return [mismatch(certain ? 'no' : 'unknown', keyword, { values: rejected })];
}

export function textOfStrings(schema: NormalSchema): Text {
  const [shortest, longest] = formatLengths(schema.format);
  return {
    patterns: schema.patterns,
    minLength: Math.max(schema.minLength ?? 0, shortest) || undefined,
    maxLength: Math.min(schema.maxLength ?? Infinity, longest),
  };
}

export function hasNoString(schema: NormalSchema): boolean {
  const { patterns } = schema;
  if (patterns.length === 0) return false;
  const text = textOfStrings(schema);
  return areDisjoint({ ...text, patterns: patterns.slice(1) }, { patterns: patterns.slice(0, 1) });
}

const maxValues = 64;

/** All values allowed by the schema's own keywords, if there are few. */
export function finiteValues(schema: NormalSchema): readonly unknown[] | undefined {
  if (schema.enum) return schema.enum;
  const values: unknown[] = [];
  for (const type of schema.types) {
    const typeValues = valuesOfType[type](schema);
    if (!typeValues) return undefined;
    values.push(...typeValues);
  }
  return values.length <= maxValues ? values : undefined;
}

type Values = (schema: NormalSchema) => readonly unknown[] | undefined;

const valuesOfType: Readonly<Record<TypeName, Values>> = {
  null: () => [null],
  boolean: () => [false, true],
  integer: ({ minimum, maximum, multipleOf = 1 }) => {
    if (!minimum || !maximum || maximum.value - minimum.value >= maxValues) return undefined;
    const numbers: number[] = [];
    for (let value = Math.ceil(minimum.value); value <= maximum.value; value += 1) numbers.push(value);
    return numbers.filter((value) => isMultiple(value, multipleOf));
  },
  number: () => undefined,
  string: (schema) => {
    const text = textOfStrings(schema);
    return text.maxLength === 0 ? [''] : allStrings(text, maxValues);
  },
  array: ({ maxItems }) => (maxItems === 0 ? [[]] : undefined),
  object: ({ maxProperties }) => (maxProperties === 0 ? [{}] : undefined),
};

/** Whether any two formats are mutually exclusive. */
export function formatsClash(schemas: readonly NormalSchema[]): boolean {
  return schemas.some((one, index) =>
    schemas.slice(index + 1).some((other) => formatsExclude(one.format, other.format)),
  );
}
