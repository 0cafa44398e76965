// Validates a value against a normalized schema. Used thousands of times per comparison, where compiling each schema with Ajv
// would dominate; reported values are confirmed with Ajv.

import { hasFormat } from '../formats.ts';
import { namedSchemas } from '../normal-form/merge.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { isMultiple } from '../numbers.ts';
import { compilePattern } from '../place.ts';
import type { Direction, NormalSchema, SchemaPlace } from '../types.ts';
import { hasType, isObject, textOf, typeOf } from '../values.ts';
import { unsentNames } from './rules-objects.ts';

/** Valid, invalid, or unknown. */
type Answer = boolean | undefined;

/** Recursion limit at one location, for schemas that refer to themselves there. */
const deepest = 60;

/** Whether a value is valid; undefined if unknown. */
export function accepts(place: SchemaPlace, value: unknown, direction: Direction): Answer {
  return holds(place, value, { direction, unsent: new Set(), depth: 0 });
}

interface Context {
  readonly direction: Direction;
  /** Properties hidden in this direction, from all schemas that apply at this location. */
  readonly unsent: ReadonlySet<string>;
  readonly depth: number;
}

function holds(place: SchemaPlace, value: unknown, context: Context): Answer {
  if (context.depth > deepest) return undefined;
  const schema = resolveSchema(place);
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
  return all([schema.exact || undefined, ...ofType(schema, value, here), ...ofChoices(schema, value, here)]);
}

function all(answers: Iterable<Answer>): Answer {
  let result: Answer = true;
  for (const answer of answers) {
    if (answer === false) return false;
    if (answer === undefined) result = undefined;
  }
  return result;
}

function some(answers: readonly Answer[]): Answer {
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

function opposite(answer: Answer): Answer {
  return answer === undefined ? undefined : !answer;
}

function ofType(schema: NormalSchema, value: unknown, context: Context): Iterable<Answer> {
  if (typeof value === 'number') return ofNumber(schema, value);
  if (typeof value === 'string') return ofString(schema, value);
  if (Array.isArray(value)) return ofArray(schema, value, context);
  return isObject(value) ? ofObject(schema, value, context) : [];
}

function* ofNumber({ minimum, maximum, multipleOf, format }: NormalSchema, value: number): Iterable<Answer> {
  if (minimum) yield minimum.exclusive ? value > minimum.value : value >= minimum.value;
  if (maximum) yield maximum.exclusive ? value < maximum.value : value <= maximum.value;
  if (multipleOf !== undefined) yield isMultiple(value, multipleOf);
  yield hasFormat(value, format);
}

function* ofString(schema: NormalSchema, value: string): Iterable<Answer> {
  const length = [...value].length;
  yield length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
  for (const pattern of schema.patterns) yield compilePattern(pattern)?.test(value);
  yield hasFormat(value, schema.format);
}

function* ofArray(schema: NormalSchema, value: readonly unknown[], context: Context): Iterable<Answer> {
  const { prefixItems, items, contains } = schema;
  yield value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  if (schema.uniqueItems) yield new Set(value.map(textOf)).size === value.length;
  for (const [index, element] of value.entries()) {
    const place = prefixItems[index] ?? items;
    if (place) yield below(place, element, context);
  }
  if (contains) {
    const found = value.map((element) => below(contains.schema, element, context));
    const sure = found.filter((answer) => answer === true).length;
    const possible = sure + found.filter((answer) => answer === undefined).length;
    if (possible < contains.min || sure > contains.max) yield false;
    else yield (sure >= contains.min && possible <= contains.max) || undefined;
  }
  if (schema.unevaluatedItems) yield undefined;
}

function* ofObject(schema: NormalSchema, value: Readonly<Record<string, unknown>>, context: Context): Iterable<Answer> {
  const names = Object.keys(value);
  yield names.length >= (schema.minProperties ?? 0) &&
    names.length <= (schema.maxProperties ?? Number.POSITIVE_INFINITY);
  for (const name of schema.required) yield Object.hasOwn(value, name) || context.unsent.has(name);
  for (const [name, needed] of schema.dependentRequired) {
    if (Object.hasOwn(value, name)) yield [...needed].every((other) => Object.hasOwn(value, other));
  }
  for (const name of names) {
    if (context.unsent.has(name) && schema.properties.has(name)) yield false;
    if (schema.propertyNames) yield below(schema.propertyNames, name, context);
    for (const place of namedSchemas(schema, name)) yield below(place, value[name], context);
  }
  for (const [name, place] of schema.dependentSchemas) {
    if (Object.hasOwn(value, name)) yield holds(place, value, context);
  }
  if (schema.unevaluatedProperties) yield undefined;
}

/** Validates a nested value, with hidden properties of its own. */
function below(place: SchemaPlace, value: unknown, context: Context): Answer {
  return holds(place, value, { direction: context.direction, unsent: new Set(), depth: 0 });
}

function* ofChoices(schema: NormalSchema, value: unknown, context: Context): Iterable<Answer> {
  const { anyOf, oneOf, not, conditional, allOf } = schema;
  const here = (place: SchemaPlace) => holds(place, value, context);
  for (const place of allOf) yield here(place);
  if (anyOf) yield some(anyOf.map(here));
  if (oneOf) {
    const answers = oneOf.map(here);
    const sure = answers.filter((answer) => answer === true).length;
    if (sure > 1) yield false;
    else yield answers.includes(undefined) ? undefined : sure === 1;
  }
  if (not) yield opposite(here(not));
  if (conditional) {
    const condition = here(conditional.if);
    const branches = { true: conditional.holds, false: conditional.fails };
    if (condition !== undefined) {
      const branch = branches[`${condition}`];
      if (branch) yield here(branch);
    } else yield undefined;
  }
}
