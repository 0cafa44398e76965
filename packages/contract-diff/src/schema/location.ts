// Navigates between schemas of a document.

import { keysOf, member } from '../model/json.ts';
import type { SchemaDocument, SchemaLocation } from './types.ts';
import { Conjunction, Fragment } from './types.ts';
import { isObject } from './values.ts';

/** Fragments and conjunctions belong to no document; their parts have their own. */
const nowhere: SchemaDocument = { root: {}, dialect: '3.1' };

export function fragment(keywords: Fragment['keywords']): SchemaLocation {
  return { document: nowhere, schema: new Fragment(keywords) };
}

export const anything: SchemaLocation = { document: nowhere, schema: true };
export const nothing: SchemaLocation = { document: nowhere, schema: false };

export function conjunction(
  members: readonly SchemaLocation[],
  unevaluated: Conjunction['unevaluated'] = {},
): SchemaLocation {
  const first = members[0];
  if (members.length === 1 && first && !unevaluated.properties && !unevaluated.items) return first;
  return { document: nowhere, schema: new Conjunction(members, unevaluated) };
}

/** The conjunction of two schemas that may be missing. */
export function both(a: SchemaLocation | undefined, b: SchemaLocation | undefined): SchemaLocation | undefined {
  return a && b && a.schema !== b.schema ? conjunction([a, b]) : (a ?? b);
}

/** Target and name (last segment) of a `$ref`. @returns undefined for a dangling or external reference */
export function follow(document: SchemaDocument, ref: string): { location: SchemaLocation; name: string } | undefined {
  if (!ref.startsWith('#')) return undefined;
  const keys = keysOf(ref);
  const schema = keys.reduce<unknown>(member, document.root);
  return schema === undefined ? undefined : { location: { document, schema }, name: keys.at(-1) ?? '' };
}

export function documentsOf(location: SchemaLocation): SchemaDocument[] {
  const { schema } = location;
  if (schema instanceof Conjunction) return schema.members.flatMap(documentsOf);
  if (schema instanceof Fragment) return locationsIn(schema.keywords).flatMap(documentsOf);
  return [location.document];
}

function locationsIn(value: unknown): SchemaLocation[] {
  if (value instanceof Map || Array.isArray(value)) return [...value.values()].flatMap(locationsIn);
  if (!isObject(value) || value instanceof Set) return [];
  if ('document' in value && 'schema' in value) return [value as unknown as SchemaLocation];
  return Object.values(value).flatMap(locationsIn);
}

/** Compiles a pattern like Ajv; undefined if it is invalid. */
export function compilePattern(pattern: string): RegExp | undefined {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    try {
      compiled = new RegExp(pattern, 'u');
    } catch {
      compiled = null;
    }
    patterns.set(pattern, compiled);
  }
  return compiled ?? undefined;
}

const patterns = new Map<string, RegExp | null>();
