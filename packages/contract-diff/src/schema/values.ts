// JSON values: their types, their equality, and one text for equal ones.

import { isObject, type JsonObject } from '../model/json.ts';
import type { TypeName } from './types.ts';

export { isObject, type JsonObject };

/**
 * The values that a schema lists, with null if its type names null: `nullable` in OpenAPI 3.0 means the same, and generators
 * read both alike.
 */
export function listedValues({ enum: values, type }: JsonObject): readonly unknown[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const hasNull = Array.isArray(type) && type.length > 1 && type.includes('null');
  return hasNull && !values.includes(null) ? [...values, null] : values;
}

/** Keywords that the loader couldn't resolve. */
export const notUnderstood = ['$dynamicRef', '$recursiveRef'];

/** The narrowest type of a value: 1.0 is an integer, as JSON Schema has it. */
export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

/** Whether values of the type `narrow` are among those of the types. */
export function hasType(types: ReadonlySet<TypeName>, narrow: TypeName): boolean {
  return types.has(narrow) || (narrow === 'integer' && types.has('number'));
}

/** A text that two values share exactly when JSON Schema calls them equal: the order of members is no part of it. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join(',')}}`;
  }
  // JSON has no negative zero of its own: it equals zero.
  return JSON.stringify(value === 0 ? 0 : value) ?? 'undefined';
}

/** The values without repetition, in their order. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [textOf(value), value])).values()];
}

/** The first so many, in a tenth of the time; objects that differ in the order of their members are two values. */
export function firstDistinct(values: Iterable<unknown>, most: number): unknown[] {
  const found = new Map<string | undefined, unknown>();
  for (const value of values) {
    const text = JSON.stringify(value);
    if (found.has(text)) continue;
    found.set(text, value);
    if (found.size >= most) break;
  }
  return [...found.values()];
}
