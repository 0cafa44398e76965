// The subset relation between schemas: pairs.ts finds objections, witness.ts searches for example values.

import { documentsOf } from './location.ts';
import type { Mismatch } from './subset/checker.ts';
import { Pairs } from './subset/pairs.ts';
import type { Direction, Relation, SchemaLocation, Verdict } from './types.ts';
import { createWitnesses, type Witnesses } from './witness/witness.ts';

/**
 * A new relation with an empty cache.
 * @param direction determines which properties exist on both sides
 * @param options `witnesses: false` skips the search for counterexamples: faster, but more often "unknown"
 */
export function createRelation(direction: Direction, options: { readonly witnesses?: boolean } = {}): Relation {
  let pairs = new Pairs(direction, []);
  let witnesses = createWitnesses(pairs);
  return {
    checkSubset(a, b) {
      const documents = [...documentsOf(a), ...documentsOf(b)];
      if (!documents.every((document) => pairs.knows(document))) {
        pairs = new Pairs(direction, [...pairs.documents, ...documents]);
        witnesses = createWitnesses(pairs);
      }
      pairs.resetBudget();
      return verdict(pairs.mismatches(a, b), options.witnesses === false ? undefined : witnesses, a, b);
    },
  };
}

function verdict(
  mismatches: readonly Mismatch[],
  witnesses: Witnesses | undefined,
  a: SchemaLocation,
  b: SchemaLocation,
): Verdict {
  const first = mismatches.find(({ answer }) => answer === 'no') ?? mismatches[0];
  if (!first) return { answer: 'yes' };
  const counterexample = witnesses?.find(a, b);
  if (!counterexample) return { answer: first.answer, keyword: first.keyword, path: first.path };
  const { keyword, path } = counterexample.mismatch ?? first;
  return { answer: 'no', keyword, path, witness: counterexample.witness };
}
