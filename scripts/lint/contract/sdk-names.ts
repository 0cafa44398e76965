// named-schemas, unique-components, plain-names: generated clients name types after components.

import { types } from './schemas.ts';
import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

/** Generators invent a name for an inline object, which may collide with another. */
export function namedSchemas(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      for (const [path, child] of inlineChildren(schema)) {
        if (!needsName(child)) continue;
        const message = 'Move this schema to openapi/schemas/ under a good name and refer to it with $ref.';
        context.report({ message, location: context.location.child(path) });
      }
    },
  };
}

/** Some generators share one namespace for schemas, parameters, bodies, and responses, and number duplicates. */
export function uniqueComponents(): Visitor {
  const kindsByName = new Map<string, string>();
  const visit = (kind: string) => (_node: unknown, context: Context) => {
    const name = componentName(context);
    if (name === undefined) return;
    const other = kindsByName.get(name);
    if (other === undefined) kindsByName.set(name, kind);
    else if (other !== kind) {
      context.report({ message: `Rename this ${kind}: there is a ${other} with the name ${name}.` });
    }
  };
  return {
    Schema: visit('schema'),
    Parameter: visit('parameter'),
    RequestBody: visit('request body'),
    Response: visit('response'),
  };
}

/** A schema named `Error` would shadow the built-in `Error` of TypeScript, Java, and others. */
export function plainNames(): Visitor {
  return {
    Schema(_schema: JsonObject, context: Context) {
      const name = componentName(context);
      if (name === undefined || !builtIn.has(name)) return;
      context.report({ message: `Rename "${name}": most languages have a type of this name.` });
    },
  };
}

const builtIn = new Set(
  'Array Boolean Class Date Enum Error Exception File Float Function Integer List Map Number Object Optional Promise Record Set String Type'.split(
    ' ',
  ),
);

/** Name of the component at this location, in the bundle or a components file; undefined inside a component. */
function componentName({ location }: Context): string | undefined {
  return /^#\/(?:components\/\w+\/)?([^/]+)$/.exec(location.pointer)?.[1];
}

function* inlineChildren(schema: JsonObject): Generator<[path: (string | number)[], child: JsonObject]> {
  for (const keyword of ['items', 'additionalProperties']) {
    if (isObject(schema[keyword])) yield [[keyword], schema[keyword]];
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = Array.isArray(schema[keyword]) ? schema[keyword] : [];
    for (const [index, child] of list.entries()) if (isObject(child)) yield [[keyword, index], child];
  }
  if (!isObject(schema.properties)) return;
  for (const [name, child] of Object.entries(schema.properties)) {
    if (isObject(child)) yield [['properties', name], child];
  }
}

function needsName(schema: JsonObject): boolean {
  if ('$ref' in schema) return false;
  return types(schema).includes('object') || 'properties' in schema || isObject(schema.additionalProperties);
}
