// Merges two schemas that both apply.
//
// Keywords that can't be merged (a second oneOf, a second if) go to `allOf` as fragments, so nothing is lost, and the first of
// each stays in its place.

import { both, compilePattern, fragment } from '../location.ts';
import { commonMultiple } from '../numbers.ts';
import type { Bound, NormalSchema, SchemaLocation, TypeName } from '../types.ts';
import { textOf } from '../values.ts';
import { tidy } from './tidy.ts';

/** Merges two schemas. Annotations of `a` win. */
export function merge(a: NormalSchema, b: NormalSchema): NormalSchema {
  const rest: SchemaLocation[] = [...a.allOf, ...b.allOf];
  const objects = mergeObjects(a, b, rest);
  const multipleOf = mergeMultiples(a, b, rest);
  const first = firstOfEach(a, b, rest);
  return tidy({
    ...a,
    ...objects,
    ...first,
    exact: a.exact && b.exact,
    refName: a.refName,
    types: commonTypes(a.types, b.types),
    enum: commonValues(a.enum, b.enum),
    minimum: tighter(a.minimum, b.minimum, 1),
    maximum: tighter(a.maximum, b.maximum, -1),
    multipleOf,
    minLength: larger(a.minLength, b.minLength),
    maxLength: smaller(a.maxLength, b.maxLength),
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    propertyNames: both(a.propertyNames, b.propertyNames),
    minProperties: larger(a.minProperties, b.minProperties),
    maxProperties: smaller(a.maxProperties, b.maxProperties),
    required: union(a.required, b.required),
    dependentRequired: mergeMaps(a.dependentRequired, b.dependentRequired, union),
    dependentSchemas: mergeMaps(a.dependentSchemas, b.dependentSchemas, (one, other) => both(one, other) ?? one),
    prefixItems: mergePrefix(a, b),
    items: both(a.items, b.items),
    minItems: larger(a.minItems, b.minItems),
    maxItems: smaller(a.maxItems, b.maxItems),
    uniqueItems: a.uniqueItems || b.uniqueItems,
    not: a.not && b.not ? fragment({ anyOf: [a.not, b.not] }) : (a.not ?? b.not),
    allOf: rest,
    discriminator: a.discriminator ?? b.discriminator,
    readOnly: a.readOnly || b.readOnly,
    writeOnly: a.writeOnly || b.writeOnly,
    deprecated: a.deprecated || b.deprecated,
    title: a.title ?? b.title,
    description: a.description ?? b.description,
    default: a.hasDefault ? a.default : b.default,
    hasDefault: a.hasDefault || b.hasDefault,
    examples: a.examples.length > 0 ? a.examples : b.examples,
    extensions: new Map([...b.extensions, ...a.extensions]),
  });
}

/** Types allowed by both: an integer is a number. */
export function commonTypes(a: ReadonlySet<TypeName>, b: ReadonlySet<TypeName>): Set<TypeName> {
  const common = new Set([...a].filter((type) => b.has(type)));
  if ((a.has('integer') && b.has('number')) || (a.has('number') && b.has('integer'))) common.add('integer');
  return common;
}

/** All schemas for a property in an object schema. */
export function namedSchemas(schema: NormalSchema, name: string): SchemaLocation[] {
  const named = schema.properties.get(name);
  if (named && schema.patternProperties.size === 0) return [named];
  const matching = [...schema.patternProperties].filter(([pattern]) => compilePattern(pattern)?.test(name));
  const found = [...(named ? [named] : []), ...matching.map(([, location]) => location)];
  return found.length === 0 && schema.additionalProperties ? [schema.additionalProperties] : found;
}

/** Keywords that occur only once: the second occurrence is moved to `rest`. */
function firstOfEach(a: NormalSchema, b: NormalSchema, rest: SchemaLocation[]): Partial<NormalSchema> {
  const first: { -readonly [Keyword in keyof NormalSchema]?: NormalSchema[Keyword] } = {};
  if (a.format && b.format && a.format !== b.format) rest.push(fragment({ format: b.format }));
  first.format = a.format ?? b.format;
  const same = (one?: readonly SchemaLocation[], other?: readonly SchemaLocation[]) =>
    one?.length === other?.length && one?.every((location, index) => location.schema === other?.[index]?.schema);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (a[keyword] && b[keyword] && !same(a[keyword], b[keyword])) rest.push(fragment({ [keyword]: b[keyword] }));
    first[keyword] = a[keyword] ?? b[keyword];
  }
  for (const keyword of ['contains', 'conditional', 'unevaluatedProperties', 'unevaluatedItems'] as const) {
    if (a[keyword] && b[keyword]) rest.push(fragment({ [keyword]: b[keyword] }));
  }
  first.contains = a.contains ?? b.contains;
  first.conditional = a.conditional ?? b.conditional;
  first.unevaluatedProperties = a.unevaluatedProperties ?? b.unevaluatedProperties;
  first.unevaluatedItems = a.unevaluatedItems ?? b.unevaluatedItems;
  return first;
}

/** Merges the property keywords together, because one side's additional properties may be declared by the other. */
function mergeObjects(a: NormalSchema, b: NormalSchema, rest: SchemaLocation[]): Partial<NormalSchema> {
  const shape = ({ properties, patternProperties, additionalProperties }: NormalSchema) => ({
    properties,
    patternProperties,
    additionalProperties,
  });
  // One side's pattern may match additional properties of the other, which can't be merged without knowing the names.
  const clash = (one: NormalSchema, other: NormalSchema) =>
    one.patternProperties.size > 0 &&
    other.additionalProperties !== undefined &&
    other.additionalProperties.schema !== true;
  if (clash(a, b) || clash(b, a)) {
    rest.push(fragment(shape(b)));
    return shape(a);
  }
  const properties = new Map<string, SchemaLocation>();
  for (const name of a.properties.keys()) properties.set(name, mergeProperty(name, a, b));
  for (const name of b.properties.keys()) if (!properties.has(name)) properties.set(name, mergeProperty(name, b, a));
  return {
    properties,
    patternProperties: mergeMaps(a.patternProperties, b.patternProperties, (one, other) => both(one, other) ?? one),
    additionalProperties: both(a.additionalProperties, b.additionalProperties),
  };
}

/** Combines the schema of a property in `one` with the declared or additional one in `other`. */
function mergeProperty(name: string, one: NormalSchema, other: NormalSchema): SchemaLocation {
  const own = one.properties.get(name);
  const matched = [...other.patternProperties.keys()].some((pattern) => compilePattern(pattern)?.test(name));
  const others = other.properties.get(name) ?? (matched ? undefined : other.additionalProperties);
  return both(own, others) as SchemaLocation;
}

function mergePrefix(a: NormalSchema, b: NormalSchema): SchemaLocation[] {
  const length = Math.max(a.prefixItems.length, b.prefixItems.length);
  const at = (schema: NormalSchema, index: number) => schema.prefixItems[index] ?? schema.items;
  return Array.from({ length }, (_, index) => both(at(a, index), at(b, index)) as SchemaLocation);
}

function mergeMultiples(a: NormalSchema, b: NormalSchema, rest: SchemaLocation[]): number | undefined {
  if (a.multipleOf === undefined || b.multipleOf === undefined) return a.multipleOf ?? b.multipleOf;
  const common = commonMultiple(a.multipleOf, b.multipleOf);
  if (common === undefined) rest.push(fragment({ multipleOf: b.multipleOf }));
  return common ?? a.multipleOf;
}

function commonValues(a?: readonly unknown[], b?: readonly unknown[]): readonly unknown[] | undefined {
  if (!a || !b) return a ?? b;
  const texts = new Set(b.map(textOf));
  return a.filter((value) => texts.has(textOf(value)));
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a, ...b]);
}

function tighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (!a || !b) return a ?? b;
  if (a.value === b.value) return a.exclusive ? a : b;
  return sign * a.value > sign * b.value ? a : b;
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function mergeMaps<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  join: (one: Value, other: Value) => Value,
): ReadonlyMap<string, Value> {
  if (b.size === 0) return a;
  const merged = new Map(a);
  for (const [name, value] of b) {
    const present = merged.get(name);
    merged.set(name, present === undefined ? value : join(present, value));
  }
  return merged;
}
