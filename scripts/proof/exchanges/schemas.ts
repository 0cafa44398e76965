// Compiles the contract's schemas with @hyperjump/json-schema, which is independent of the service's validator.
import {
  registerSchema,
  type SchemaObject,
  setShouldValidateFormat,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';
import '@hyperjump/json-schema/formats';

export type JsonObject = { [name: string]: unknown };

/** The library's `BASIC` output format. */
interface Found {
  valid: boolean;
  errors?: { keyword: string; instanceLocation: string }[];
}

/** @returns errors, by location and keyword */
export type Check = (value: unknown) => string[];

export interface Schemas {
  /** Resolves a reference; returns anything else unchanged. */
  resolve(node: JsonObject): JsonObject;
  check(schema: JsonObject): Promise<Check>;
}

const base = 'https://contract.example/';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

export async function createSchemas(document: JsonObject): Promise<Schemas> {
  setShouldValidateFormat(true);
  const { schemas } = document.components as { schemas: JsonObject };
  registerSchema({ $defs: asJsonSchema(schemas) } as SchemaObject, `${base}components`, dialect);
  const known = new Map<string, Promise<Check>>();

  const resolve = (node: JsonObject): JsonObject => {
    if (typeof node.$ref !== 'string') return node;
    const parts = node.$ref.slice(2).split('/');
    return resolve(parts.reduce((at: unknown, part) => (at as JsonObject)[part], document) as JsonObject);
  };
  const compile = async (schema: JsonObject, address: string): Promise<Check> => {
    registerSchema(asJsonSchema(schema) as SchemaObject, address, dialect);
    const compiled = await validate(address);
    return (value) => {
      const { valid, errors = [] } = compiled(value as never, 'BASIC') as Found;
      if (valid) return [];
      const found = errors.filter(({ keyword, instanceLocation }) => {
        return wordOf(keyword) !== 'multipleOf' || !hasCents(valueAt(value, instanceLocation));
      });
      return [
        ...new Set(
          found.map(({ keyword, instanceLocation }) => `${wordOf(keyword)} at ${locationOf(instanceLocation)}`),
        ),
      ];
    };
  };
  return {
    resolve,
    check(schema) {
      const key = JSON.stringify(schema);
      const found = known.get(key) ?? compile(schema, `${base}${known.size}`);
      known.set(key, found);
      return found;
    },
  };
}

/** Rewrites references to work without the document, and leaves items open that the operation validates itself. */
function asJsonSchema(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(asJsonSchema);
  const entries = Object.entries(node).map(([name, value]) => {
    if (name === '$ref' && typeof value === 'string')
      return [name, value.replace('#/components/schemas/', `${base}components#/$defs/`)];
    if (name === 'items' && 'x-checked-apart' in node) return [name, { type: 'object' }];
    return [name, asJsonSchema(value)];
  });
  return Object.fromEntries(entries);
}

/** The library divides, but 0.01 is not exact in binary: count decimal places instead. */
function hasCents(value: unknown): boolean {
  return typeof value === 'number' && /^-?\d+(\.\d\d?)?$/.test(String(value));
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.replace(/^#/, '').split('/').slice(1).map(decodeURIComponent);
  return names.reduce((at: unknown, name) => (at as JsonObject | undefined)?.[name], value);
}

function wordOf(keyword: string): string {
  const word = keyword.split('/').at(-1)!;
  return word === 'validate' ? 'not allowed' : word; // a value for the schema `false`
}

/** Drops array indexes, so that the same error in many items counts once. */
function locationOf(pointer: string): string {
  return pointer.replace(/^#/, '').replaceAll(/\/\d+(?=\/|$)/g, '/*') || 'the whole';
}
