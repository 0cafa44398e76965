// Rewrites `not` with other keywords where that is exact.

import { anything, fragment, nothing } from '../location.ts';
import type { NormalSchema, SchemaLocation, TypeName } from '../types.ts';
import { merge } from './merge.ts';
import { restrictions, unrestricted } from './normal.ts';
import { allTypes } from './tidy.ts';

type Resolve = (location: SchemaLocation) => NormalSchema;

/** Replaces `not` with other keywords as far as possible. */
export function applyNot(schema: NormalSchema, resolve: Resolve): NormalSchema {
  if (!schema.not) return schema;
  const { not, ...rest } = schema;
  return complement(not, resolve).reduce<NormalSchema>(
    (result, part) => merge(result, { ...unrestricted, ...part }),
    rest,
  );
}

/** The complement of a schema: several constraints that must all hold. */
function complement(location: SchemaLocation, resolve: Resolve): Partial<NormalSchema>[] {
  const negated = resolve(location);
  const restricting = restrictions(negated);
  const only = (...keywords: (keyof NormalSchema)[]) => restricting.every((keyword) => keywords.includes(keyword));
  if (only('types')) return [withoutTypes(negated.types, location)];
  if (only('types', 'anyOf') && negated.anyOf && coversTypes(negated, resolve)) {
    return negated.anyOf.flatMap((branch) => complement(branch, resolve));
  }
  if (only('not') && negated.not) return [resolve(negated.not)];
  const [name, ...more] = negated.required;
  if (only('types', 'required') && name !== undefined && more.length === 0) {
    const lacks = { properties: new Map([[name, nothing]]) };
    if (negated.types.size === 1) return [lacks];
    if (negated.types.size === allTypes.size) return [{ ...lacks, types: new Set<TypeName>(['object']) }];
  }
  return [{ not: location }];
}

/** Whether the types come only from the branches, and so add no constraint. */
function coversTypes(schema: NormalSchema, resolve: Resolve): boolean {
  const branches = schema.anyOf?.flatMap((branch) => [...resolve(branch).types]) ?? [];
  return branches.every((type) => schema.types.has(type) || (type === 'integer' && schema.types.has('number')));
}

function withoutTypes(negated: ReadonlySet<TypeName>, location: SchemaLocation): Partial<NormalSchema> {
  const types = new Set(allTypes);
  for (const type of negated) types.delete(type);
  // There is no type for non-integer numbers.
  if (!negated.has('integer')) return { types };
  const fractions = { not: fragment({ types: new Set<TypeName>(['integer']) }) };
  return location.schema === anything.schema ? { types } : { types, ...fractions };
}
