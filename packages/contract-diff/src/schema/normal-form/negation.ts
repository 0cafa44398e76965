// Rewrites `not` with other keywords where that is exact.

import { anything, fragment, nothing } from '../place.ts';
import type { NormalSchema, SchemaPlace, TypeName } from '../types.ts';
import { merge } from './merge.ts';
import { restrictions, unrestricted } from './normal.ts';
import { allTypes } from './tidy.ts';

type Resolve = (place: SchemaPlace) => NormalSchema;

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
function complement(place: SchemaPlace, resolve: Resolve): Partial<NormalSchema>[] {
  const refused = resolve(place);
  const said = restrictions(refused);
  const only = (...keywords: (keyof NormalSchema)[]) => said.every((keyword) => keywords.includes(keyword));
  if (only('types')) return [withoutTypes(refused.types, place)];
  if (only('types', 'anyOf') && refused.anyOf && coversTypes(refused, resolve)) {
    return refused.anyOf.flatMap((branch) => complement(branch, resolve));
  }
  if (only('not') && refused.not) return [resolve(refused.not)];
  const [name, ...more] = refused.required;
  if (only('types', 'required') && name !== undefined && more.length === 0) {
    const lacks = { properties: new Map([[name, nothing]]) };
    if (refused.types.size === 1) return [lacks];
    if (refused.types.size === allTypes.size) return [{ ...lacks, types: new Set<TypeName>(['object']) }];
  }
  return [{ not: place }];
}

/** Whether the types come only from the branches, and so add no constraint. */
function coversTypes(schema: NormalSchema, resolve: Resolve): boolean {
  const branches = schema.anyOf?.flatMap((branch) => [...resolve(branch).types]) ?? [];
  return branches.every((type) => schema.types.has(type) || (type === 'integer' && schema.types.has('number')));
}

function withoutTypes(refused: ReadonlySet<TypeName>, place: SchemaPlace): Partial<NormalSchema> {
  const types = new Set(allTypes);
  for (const type of refused) types.delete(type);
  // There is no type for non-integer numbers.
  if (!refused.has('integer')) return { types };
  const fractions = { not: fragment({ types: new Set<TypeName>(['integer']) }) };
  return place.schema === anything.schema ? { types } : { types, ...fractions };
}
