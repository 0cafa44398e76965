// Helpers to traverse and compile schemas across files, shared by rules that look beyond a body's first level.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type Context, isObject, type JsonObject, type Location } from './types.ts';

// CommonJS interop: the function is the default export of the default export.
const addFormats = addFormatsModule.default;
// The precision tolerates binary rounding of multiples of 0.01.
const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, multipleOfPrecision: 4 });
addFormats(ajv);

const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapsOfSchemas = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const singleSchemas = [
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
];
const composing = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas']);

/** Resolves a node's reference, if it is one, with its actual location. */
export function follow(node: unknown, location: Location, context: Context): { node: unknown; location: Location } {
  if (!isObject(node) || typeof node.$ref !== 'string') return { node, location };
  const target = context.resolve({ $ref: node.$ref }, location.source.absoluteRef);
  // Redocly itself reports broken references.
  return { node: target.node ?? true, location: target.location ?? location };
}

function describesObjects(schema: JsonObject): boolean {
  return types(schema).includes('object') || isObject(schema.properties);
}

/** `type` as a list: OpenAPI 3.1 allows a single type or several. */
export function types(schema: JsonObject): unknown[] {
  if (Array.isArray(schema.type)) return schema.type;
  return schema.type === undefined ? [] : [schema.type];
}

/** Calls `visit` for every object schema of a body. `composedIn` has the enclosing schemas, which may close the object. */
export function eachObjectSchema(
  body: unknown,
  at: Location,
  context: Context,
  visit: (schema: JsonObject, location: Location, composedIn: JsonObject[]) => void,
): void {
  const visited = new Set<string>();
  walk(body, at, []);

  function walk(node: unknown, where: Location, composedIn: JsonObject[]): void {
    const { node: schema, location } = follow(node, where, context);
    if (!isObject(schema)) return;
    // The same schema can be closed by one context, and open in another.
    const visitKey = `${composedIn.length > 0} ${location.absolutePointer}`;
    if (visited.has(visitKey)) return;
    visited.add(visitKey);
    if (describesObjects(schema)) visit(schema, location, composedIn);
    for (const { keyword, child, path } of subschemas(schema)) {
      walk(child, location.child(path), composing.has(keyword) ? [...composedIn, schema] : []);
    }
  }
}

/** Returns a function that lists the errors of a value. References become $defs, which supports recursive schemas. */
export function compile(schema: unknown, at: Location, context: Context): (value: unknown) => string[] {
  const definitions = new Map<string, string>();
  const $defs: JsonObject = {};
  const root = gather(schema, at);
  const validate = compiled({ $defs, allOf: [root] });
  if (typeof validate === 'string') return () => [`the schema cannot be used: ${validate}`];
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath || 'the value'} ${error.message}`);
  };

  function gather(node: unknown, where: Location): JsonObject | boolean {
    if (typeof node === 'boolean') return node;
    if (!isObject(node)) return true;
    if (typeof node.$ref === 'string') {
      const target = follow(node, where, context);
      const pointer = target.location.absolutePointer;
      const known = definitions.get(pointer);
      if (known !== undefined) return { $ref: `#/$defs/${known}` };
      const name = String(definitions.size);
      definitions.set(pointer, name);
      $defs[name] = gather(target.node, target.location);
      return { $ref: `#/$defs/${name}` };
    }
    const copy = structuredClone(node);
    // $id would change the meaning of the references; another rule forbids it.
    delete copy.$id;
    for (const { child, path } of subschemas(node)) {
      const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as JsonObject)[key], copy) as JsonObject;
      parent[path.at(-1) as string] = gather(child, where.child(path));
    }
    return copy;
  }
}

/** The validator, or the error message, for example for an invalid pattern. */
function compiled(schema: JsonObject): ValidateFunction | string {
  try {
    return ajv.compile(schema);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function* subschemas(schema: JsonObject): Generator<{ keyword: string; child: unknown; path: (string | number)[] }> {
  for (const keyword of singleSchemas) {
    if (keyword in schema) yield { keyword, child: schema[keyword], path: [keyword] };
  }
  for (const keyword of listsOfSchemas) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [index, child] of list.entries()) yield { keyword, child, path: [keyword, index] };
  }
  for (const keyword of mapsOfSchemas) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [name, child] of Object.entries(map)) yield { keyword, child, path: [keyword, name] };
  }
}
