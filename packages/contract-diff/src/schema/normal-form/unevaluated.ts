// Rewrites unevaluatedProperties and unevaluatedItems as additionalProperties and items.
//
// Which properties a choice evaluates depends on the matching branches. So each combination of branches becomes a separate
// schema, where everything is known, and the result is their union: exact, but limited to a few branches.

import { conjunction, fragment, nothing } from '../location.ts';
import type { NormalSchema, SchemaLocation, Unevaluated } from '../types.ts';

/** More branches would have too many combinations (2^n). */
const maxBranches = 4;

/** Rewrites constraints on unevaluated parts; keeps them in `unevaluated…` where that is impossible. */
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
  const combinations = branchCombinations(schema);
  if (combinations === 'none') {
    const { properties, items } = unevaluated;
    return { ...schema, ...(properties ? { additionalProperties: properties } : { items }) };
  }
  if (combinations === 'too many') {
    const { properties, items } = unevaluated;
    return { ...schema, ...(properties ? { unevaluatedProperties: properties } : { unevaluatedItems: items }) };
  }
  const anyOf = combinations.map((members) => conjunction(members, unevaluated));
  return { ...schema, allOf: [...schema.allOf, fragment({ anyOf })] };
}

/** Expands the schema's first choice into all combinations of branches, without the choice itself. */
function branchCombinations(schema: NormalSchema): SchemaLocation[][] | 'none' | 'too many' {
  if (schema.oneOf) {
    const base = fragment({ ...schema, oneOf: undefined });
    return schema.oneOf.map((branch) => [base, branch]);
  }
  if (schema.anyOf) {
    const base = fragment({ ...schema, anyOf: undefined });
    if (schema.anyOf.length > maxBranches) return 'too many';
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
    const [name, location] = dependent;
    const others = new Map(schema.dependentSchemas);
    others.delete(name);
    const base = fragment({ ...schema, dependentSchemas: others });
    const absent = fragment({ properties: new Map([[name, nothing]]) });
    return [
      [base, absent],
      [base, fragment({ required: new Set([name]) }), location],
    ];
  }
  return schema.allOf.length > 0 || !schema.exact ? 'too many' : 'none';
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  const all = Array.from({ length: 2 ** items.length - 1 }, (_, index) => index + 1);
  return all.map((bits) => items.filter((_, index) => bits & (1 << index)));
}
