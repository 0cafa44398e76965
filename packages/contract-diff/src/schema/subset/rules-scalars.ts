// Rules for types, enums, numbers, and strings.

import { formatImplies, formatLengths, formatsExclude } from '../formats.ts';
import { isMultiple } from '../numbers.ts';
import { allStrings, areDisjoint, refusedBy, type Text } from '../patterns.ts';
import type { Bound, NormalSchema, TypeName } from '../types.ts';
import { hasType } from '../values.ts';
import { type Objection, objection } from './judge.ts';

/** `type`: an integer is a number, but a number may not be an integer. */
export function typeRule(a: NormalSchema, b: NormalSchema): Objection[] {
  const refused = [...a.types].filter((type) => !hasType(b.types, type));
  return refused.length === 0 ? [] : [objection('no', 'type')];
}

/** `enum` and `const`: schemas with few values have been compared value by value, so here there are more. */
export function enumRule(_a: NormalSchema, b: NormalSchema): Objection[] {
  return b.enum ? [objection('no', b.enum.length === 1 ? 'const' : 'enum')] : [];
}

/** `minimum`, `maximum`, their exclusive variants, `multipleOf`, and numeric formats. */
export function numberRule(a: NormalSchema, b: NormalSchema): Objection[] {
  if (!hasType(a.types, 'integer')) return [];
  const found: Objection[] = [];
  const [from, to] = range(a);
  if (!withinBound(from, b.minimum, 1)) found.push(objection('no', keywordOf('minimum', b.minimum)));
  if (!withinBound(to, b.maximum, -1)) found.push(objection('no', keywordOf('maximum', b.maximum)));
  if (b.multipleOf !== undefined && !isMultipleOf(a, b.multipleOf)) {
    // A narrow range may contain only multiples.
    const limited = from !== undefined && to !== undefined;
    found.push(objection(limited ? 'unknown' : 'no', 'multipleOf'));
  }
  if (b.format !== undefined && !numberHasFormat(a, b.format)) found.push(objection('unknown', 'format'));
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
export function stringRule(a: NormalSchema, b: NormalSchema): Objection[] {
  if (!a.types.has('string')) return [];
  const found: Objection[] = [];
  const text = textOfStrings(a);
  // Patterns may imply stricter lengths than the limits.
  const shorter = (text.minLength ?? 0) < (b.minLength ?? 0);
  if (shorter) found.push(...patternObjections(text, `^[^]{${b.minLength},}$`, 'minLength', a));
  const longer = (text.maxLength ?? Infinity) > (b.maxLength ?? Infinity);
  if (longer) found.push(...patternObjections(text, `^[^]{0,${b.maxLength}}$`, 'maxLength', a));
  for (const pattern of b.patterns) found.push(...patternObjections(text, pattern, 'pattern', a));
  if (b.format !== undefined) {
    const has = formatImplies(a.format, b.format, 'string');
    const certain = has === false && a.patterns.length === 0;
    if (!has) found.push(objection(certain || formatsExclude(a.format, b.format) ? 'no' : 'unknown', 'format'));
  }
  return found;
}

function patternObjections(text: Text, pattern: string, keyword: string, a: NormalSchema): Objection[] {
  // Without patterns, only limits matter, which have been compared.
  if (a.patterns.length === 0 && keyword !== 'pattern') return [objection(a.format ? 'unknown' : 'no', keyword)];
  const refused = refusedBy(text, pattern);
  if (refused?.length === 0) return [];
  const certain = a.format === undefined && (refused !== undefined || a.patterns.length === 0);
  return [objection(certain ? 'no' : 'unknown', keyword, { values: refused })];
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

const mostValues = 64;

/** All values allowed by the schema's own keywords, if there are few. */
export function fewValues(schema: NormalSchema): readonly unknown[] | undefined {
  if (schema.enum) return schema.enum;
  const values: unknown[] = [];
  for (const type of schema.types) {
    const ofType = valuesOfType[type](schema);
    if (!ofType) return undefined;
    values.push(...ofType);
  }
  return values.length <= mostValues ? values : undefined;
}

type Values = (schema: NormalSchema) => readonly unknown[] | undefined;

const valuesOfType: Readonly<Record<TypeName, Values>> = {
  null: () => [null],
  boolean: () => [false, true],
  integer: ({ minimum, maximum, multipleOf = 1 }) => {
    if (!minimum || !maximum || maximum.value - minimum.value >= mostValues) return undefined;
    const numbers: number[] = [];
    for (let value = Math.ceil(minimum.value); value <= maximum.value; value += 1) numbers.push(value);
    return numbers.filter((value) => isMultiple(value, multipleOf));
  },
  number: () => undefined,
  string: (schema) => {
    const text = textOfStrings(schema);
    return text.maxLength === 0 ? [''] : allStrings(text, mostValues);
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
