// The subset relation between schemas: pairs.ts finds objections, witness.ts searches for example values.

import { documentsOf } from './place.ts';
import type { Objection } from './subset/judge.ts';
import { Pairs } from './subset/pairs.ts';
import type { Direction, Relation, SchemaPlace, Verdict } from './types.ts';
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
    sub(a, b) {
      const documents = [...documentsOf(a), ...documentsOf(b)];
      if (!documents.every((document) => pairs.knows(document))) {
        pairs = new Pairs(direction, [...pairs.documents, ...documents]);
        witnesses = createWitnesses(pairs);
      }
      pairs.renew();
      return verdict(pairs.objections(a, b), options.witnesses === false ? undefined : witnesses, a, b);
    },
  };
}

function verdict(
  objections: readonly Objection[],
  witnesses: Witnesses | undefined,
  a: SchemaPlace,
  b: SchemaPlace,
): Verdict {
  const first = objections.find(({ answer }) => answer === 'no') ?? objections[0];
  if (!first) return { answer: 'yes' };
  const shown = witnesses?.find(a, b);
  if (!shown) return { answer: first.answer, keyword: first.keyword, path: first.path };
  const { keyword, path } = shown.objection ?? first;
  return { answer: 'no', keyword, path, witness: shown.witness };
}
