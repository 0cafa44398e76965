// unevaluatedProperties and unevaluatedItems, said by additionalProperties and items.
//
// What a choice evaluates depends on which of its branches hold. So each way to choose becomes a schema of its own, in
// which everything is known, and the whole is "one of these": exact, but only for as many branches as can be written down.

import { conjunction, fragment, nothing } from './place.ts';
import type { NormalSchema, SchemaPlace, Unevaluated } from './types.ts';

/** With more branches, 2^n ways to choose would be too many. */
const mostBranches = 4;

/**
 * The schema, with what is asked of its unevaluated parts said by other keywords. Where that is not possible it stays in
 * `unevaluatedProperties` and `unevaluatedItems`.
 */
export function closeUnevaluated(schema: NormalSchema, unevaluated: Unevaluated): NormalSchema {
  let closed = schema;
  if (unevaluated.properties && !schema.additionalProperties && schema.types.has('object')) {
    closed = closeOne(closed, { properties: unevaluated.properties });
  }
  if (unevaluated.items && !schema.items && schema.types.has('array')) {
    closed = schema.contains
      ? { ...closed, unevaluatedItems: unevaluated.items }
      : closeOne(closed, { items: unevaluated.items });
  }
  return closed;
}

function closeOne(schema: NormalSchema, unevaluated: Unevaluated): NormalSchema {
  const ways = waysToHold(schema);
  if (ways === 'none') {
    const { properties, items } = unevaluated;
    return { ...schema, ...(properties ? { additionalProperties: properties } : { items }) };
  }
  if (ways === 'too many') {
    const { properties, items } = unevaluated;
    return { ...schema, ...(properties ? { unevaluatedProperties: properties } : { unevaluatedItems: items }) };
  }
  const anyOf = ways.map((members) => conjunction(members, unevaluated));
  return { ...schema, allOf: [...schema.allOf, fragment({ anyOf })] };
}

/** The first choice of the schema, resolved in every way: what then holds together, each without that choice. */
function waysToHold(schema: NormalSchema): SchemaPlace[][] | 'none' | 'too many' {
  if (schema.oneOf) {
    const base = fragment({ ...schema, oneOf: undefined });
    return schema.oneOf.map((branch) => [base, branch]);
  }
  if (schema.anyOf) {
    const base = fragment({ ...schema, anyOf: undefined });
    if (schema.anyOf.length > mostBranches) return 'too many';
    return subsets(schema.anyOf).map((branches) => [base, ...branches]);
  }
  if (schema.conditional) {
    const { if: condition, holds, fails } = schema.conditional;
    const base = fragment({ ...schema, conditional: undefined });
    return [
      [base, condition, ...(holds ? [holds] : [])],
      [base, fragment({ not: condition }), ...(fails ? [fails] : [])],
    ];
  }
  const [dependent] = schema.dependentSchemas;
  if (dependent) {
    const [name, place] = dependent;
    const others = new Map(schema.dependentSchemas);
    others.delete(name);
    const base = fragment({ ...schema, dependentSchemas: others });
    const absent = fragment({ properties: new Map([[name, nothing]]) });
    return [
      [base, absent],
      [base, fragment({ required: new Set([name]) }), place],
    ];
  }
  return schema.allOf.length > 0 || !schema.exact ? 'too many' : 'none';
}

/** Every choice of at least one. */
function subsets<Item>(items: readonly Item[]): Item[][] {
  const all = Array.from({ length: 2 ** items.length - 1 }, (_, index) => index + 1);
  return all.map((bits) => items.filter((_, index) => bits & (1 << index)));
}
