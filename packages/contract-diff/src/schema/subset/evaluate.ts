// Validates a value against a normalized schema. Used thousands of times per comparison, where compiling each schema with Ajv
// would dominate; reported values are confirmed with Ajv.

import { hasFormat } from '../formats.ts';
import { compilePattern } from '../location.ts';
import { namedSchemas } from '../normal-form/merge.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { isMultiple } from '../numbers.ts';
import type { Direction, NormalSchema, SchemaLocation } from '../types.ts';
import { hasType, isObject, textOf, typeOf } from '../values.ts';
import { unsentNames } from './rules-objects.ts';

/** Valid, invalid, or unknown. */
type Validity = boolean | undefined;

/** Recursion limit at one location, for schemas that refer to themselves there. */
const maxDepth = 60;

/** Whether a value is valid; undefined if unknown. */
export function accepts(location: SchemaLocation, value: unknown, direction: Direction): Validity {
  return validate(location, value, { direction, unsent: new Set(), depth: 0 });
}

interface Context {
  readonly direction: Direction;
  /** Properties hidden in this direction, from all schemas that apply at this location. */
  readonly unsent: ReadonlySet<string>;
  readonly depth: number;
}

function validate(location: SchemaLocation, value: unknown, context: Context): Validity {
  if (context.depth > maxDepth) return undefined;
  const schema = resolveSchema(location);
  if (!hasType(schema.types, typeOf(value))) return false;
  if (schema.enum) {
    const text = textOf(value);
    if (!schema.enum.some((one) => textOf(one) === text)) return false;
  }
  const unsent = isObject(value) ? unsentNames(schema, context.direction) : context.unsent;
  const here = {
    direction: context.direction,
    unsent: unsent.size > 0 ? new Set([...context.unsent, ...unsent]) : context.unsent,
    depth: context.depth + 1,
  };
  return all([schema.exact || undefined, ...typeChecks(schema, value, here), ...choiceChecks(schema, value, here)]);
}

function all(validities: Iterable<Validity>): Validity {
  let result: Validity = true;
  for (const validity of validities) {
    if (validity === false) return false;
    if (validity === undefined) result = undefined;
  }
  return result;
}

function some(validities: readonly Validity[]): Validity {
  if (validities.includes(true)) return true;
  return validities.includes(undefined) ? undefined : false;
}

function negate(validity: Validity): Validity {
  return validity === undefined ? undefined : !validity;
}

function typeChecks(schema: NormalSchema, value: unknown, context: Context): Iterable<Validity> {
  if (typeof value === 'number') return numberChecks(schema, value);
  if (typeof value === 'string') return stringChecks(schema, value);
  if (Array.isArray(value)) return arrayChecks(schema, value, context);
  return isObject(value) ? objectChecks(schema, value, context) : [];
}

function* numberChecks({ minimum, maximum, multipleOf, format }: NormalSchema, value: number): Iterable<Validity> {
  if (minimum) yield minimum.exclusive ? value > minimum.value : value >= minimum.value;
  if (maximum) yield maximum.exclusive ? value < maximum.value : value <= maximum.value;
  if (multipleOf !== undefined) yield isMultiple(value, multipleOf);
  yield hasFormat(value, format);
}

function* stringChecks(schema: NormalSchema, value: string): Iterable<Validity> {
  const length = [...value].length;
  yield length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
  for (const pattern of schema.patterns) yield compilePattern(pattern)?.test(value);
  yield hasFormat(value, schema.format);
}

function* arrayChecks(schema: NormalSchema, value: readonly unknown[], context: Context): Iterable<Validity> {
  const { prefixItems, items, contains } = schema;
  yield value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  if (schema.uniqueItems) yield new Set(value.map(textOf)).size === value.length;
  for (const [index, element] of value.entries()) {
    const location = prefixItems[index] ?? items;
    if (location) yield validateNested(location, element, context);
  }
  if (contains) {
    const found = value.map((element) => validateNested(contains.schema, element, context));
    const definite = found.filter((validity) => validity === true).length;
    const possible = definite + found.filter((validity) => validity === undefined).length;
    if (possible < contains.min || definite > contains.max) yield false;
    else yield (definite >= contains.min && possible <= contains.max) || undefined;
  }
  if (schema.unevaluatedItems) yield undefined;
}

function* objectChecks(
  schema: NormalSchema,
  value: Readonly<Record<string, unknown>>,
  context: Context,
): Iterable<Validity> {
  const names = Object.keys(value);
  yield names.length >= (schema.minProperties ?? 0) &&
    names.length <= (schema.maxProperties ?? Number.POSITIVE_INFINITY);
  for (const name of schema.required) yield Object.hasOwn(value, name) || context.unsent.has(name);
  for (const [name, needed] of schema.dependentRequired) {
    if (Object.hasOwn(value, name)) yield [...needed].every((other) => Object.hasOwn(value, other));
  }
  for (const name of names) {
    if (context.unsent.has(name) && schema.properties.has(name)) yield false;
    if (schema.propertyNames) yield validateNested(schema.propertyNames, name, context);
    for (const location of namedSchemas(schema, name)) yield validateNested(location, value[name], context);
  }
  for (const [name, location] of schema.dependentSchemas) {
    if (Object.hasOwn(value, name)) yield validate(location, value, context);
  }
  if (schema.unevaluatedProperties) yield undefined;
}

/** Validates a nested value, with hidden properties of its own. */
function validateNested(location: SchemaLocation, value: unknown, context: Context): Validity {
  return validate(location, value, { direction: context.direction, unsent: new Set(), depth: 0 });
}

function* choiceChecks(schema: NormalSchema, value: unknown, context: Context): Iterable<Validity> {
  const { anyOf, oneOf, not, conditional, allOf } = schema;
  const here = (location: SchemaLocation) => validate(location, value, context);
  for (const location of allOf) yield here(location);
  if (anyOf) yield some(anyOf.map(here));
  if (oneOf) {
    const validities = oneOf.map(here);
    const definite = validities.filter((validity) => validity === true).length;
    if (definite > 1) yield false;
    else yield validities.includes(undefined) ? undefined : definite === 1;
  }
  if (not) yield negate(here(not));
  if (conditional) {
    const condition = here(conditional.if);
    const branches = { true: conditional.holds, false: conditional.fails };
    if (condition !== undefined) {
      const branch = branches[`${condition}`];
      if (branch) yield here(branch);
    } else yield undefined;
  }
}
