// Converts the keywords of a single node, without references, to the normal form.

import type {
  Bound,
  Conditional,
  Contains,
  Discriminator,
  NormalSchema,
  SchemaLocation,
  TypeName,
  Unevaluated,
} from '../types.ts';
import { isObject, type JsonObject, listedValues, notUnderstood } from '../values.ts';
import { allTypes } from './tidy.ts';

type At = (schema: unknown) => SchemaLocation;

const typeNames = new Set<unknown>([...allTypes, 'integer']);

/**
 * Reads a node.
 * @param at creates a location for a nested schema
 * @returns the keywords, whether all constraints were understood, and constraints on unevaluated parts
 */
export function localKeywords(
  node: JsonObject,
  at: At,
): { keywords: Partial<NormalSchema>; understood: boolean; unevaluated: Unevaluated } {
  const single = (keyword: string) => (isSchema(node[keyword]) ? at(node[keyword]) : undefined);
  const several = (keyword: string) => {
    const schemas = node[keyword];
    return Array.isArray(schemas) && schemas.length > 0 ? schemas.map(at) : undefined;
  };
  const named = (keyword: string): ReadonlyMap<string, SchemaLocation> =>
    new Map(entries(node[keyword]).map(([name, schema]) => [name, at(schema)]));
  const { types, understood } = typesOf(node);
  // Tuples in drafts 4 to 7 are an array of `items`.
  const tuple = Array.isArray(node.items) ? node.items.map(at) : undefined;
  return {
    understood: understood && !notUnderstood.some((keyword) => keyword in node),
    unevaluated: { properties: single('unevaluatedProperties'), items: single('unevaluatedItems') },
    keywords: {
      types,
      enum: valuesOf(node),
      minimum: bound(node.minimum, node.exclusiveMinimum, 1),
      maximum: bound(node.maximum, node.exclusiveMaximum, -1),
      multipleOf: number(node.multipleOf),
      minLength: limit(node.minLength),
      maxLength: number(node.maxLength),
      patterns: typeof node.pattern === 'string' ? [node.pattern] : [],
      // OpenAPI 3.1 writes the format `byte` of 3.0 as `contentEncoding: base64`.
      format: typeof node.format === 'string' ? node.format : node.contentEncoding === 'base64' ? 'byte' : undefined,
      properties: named('properties'),
      required: names(node.required),
      patternProperties: named('patternProperties'),
      additionalProperties: single('additionalProperties'),
      propertyNames: single('propertyNames'),
      minProperties: limit(node.minProperties),
      maxProperties: number(node.maxProperties),
      dependentRequired: new Map(entries(node.dependentRequired).map(([name, list]) => [name, names(list)])),
      dependentSchemas: named('dependentSchemas'),
      prefixItems: tuple ?? several('prefixItems') ?? [],
      items: tuple ? single('additionalItems') : single('items'),
      minItems: limit(node.minItems),
      maxItems: number(node.maxItems),
      uniqueItems: node.uniqueItems === true,
      contains: contains(node, at),
      anyOf: several('anyOf'),
      oneOf: several('oneOf'),
      not: single('not'),
      conditional: conditional(node, at),
      ...annotations(node),
    },
  };
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value);
}

function typesOf(node: JsonObject): { types: ReadonlySet<TypeName>; understood: boolean } {
  if (node.type === undefined || node.type === null) return { types: allTypes, understood: true };
  // An unquoted null in a YAML list means the type.
  const written = [node.type].flat().map((name) => (name === null ? 'null' : name));
  const types = new Set(written.filter((name): name is TypeName => typeNames.has(name)));
  if (types.size < new Set(written).size) return { types: allTypes, understood: false };
  if (types.has('number')) types.delete('integer');
  return { types, understood: true };
}

function valuesOf(node: JsonObject): readonly unknown[] | undefined {
  const values = listedValues(node);
  if (!('const' in node)) return values;
  const text = JSON.stringify(node.const);
  return values && !values.some((value) => JSON.stringify(value) === text) ? [] : [node.const];
}

/** 3.1 has a numeric exclusive bound, 3.0 a flag beside the inclusive one. */
function bound(inclusive: unknown, exclusive: unknown, sign: 1 | -1): Bound | undefined {
  const value = number(inclusive);
  if (exclusive === true) return value === undefined ? undefined : { value, exclusive: true };
  const other = number(exclusive);
  if (other === undefined) return value === undefined ? undefined : { value, exclusive: false };
  if (value !== undefined && sign * value > sign * other) return { value, exclusive: false };
  return { value: other, exclusive: true };
}

function contains(node: JsonObject, at: At): Contains | undefined {
  if (!isSchema(node.contains)) return undefined;
  const found = {
    schema: at(node.contains),
    min: number(node.minContains) ?? 1,
    max: number(node.maxContains) ?? Number.POSITIVE_INFINITY,
  };
  return found.min === 0 && found.max === Number.POSITIVE_INFINITY ? undefined : found;
}

/** `then` and `else` need an `if`, and vice versa. */
function conditional(node: JsonObject, at: At): Conditional | undefined {
  const part = (keyword: string) => (isSchema(node[keyword]) ? at(node[keyword]) : undefined);
  const [condition, holds, fails] = [part('if'), part('then'), part('else')];
  return condition && (holds || fails) ? { if: condition, holds, fails } : undefined;
}

function annotations(node: JsonObject): Partial<NormalSchema> {
  return {
    discriminator: discriminator(node.discriminator),
    readOnly: node.readOnly === true,
    writeOnly: node.writeOnly === true,
    deprecated: node.deprecated === true,
    title: typeof node.title === 'string' ? node.title : undefined,
    description: typeof node.description === 'string' ? node.description : undefined,
    default: node.default,
    hasDefault: 'default' in node,
    examples: [...('example' in node ? [node.example] : []), ...(Array.isArray(node.examples) ? node.examples : [])],
    extensions: new Map(Object.entries(node).filter(([name]) => name.startsWith('x-'))),
  };
}

function discriminator(value: unknown): Discriminator | undefined {
  if (!isObject(value) || typeof value.propertyName !== 'string') return undefined;
  const mapping = entries(value.mapping).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { propertyName: value.propertyName, mapping: new Map(mapping) };
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A lower limit of 0 is no limit. */
function limit(value: unknown): number | undefined {
  return number(value) || undefined;
}

function names(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []);
}

function entries(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
