// Schemas that no operation leads to. Nobody can say in which direction they go; often they describe webhooks in words only.
import type { Cursor } from '../load/document.ts';
import { equal, isObject } from '../model/json.ts';
import type { Comparison, Pair } from './comparison.ts';

/**
 * Notes schemas that changed and that neither document uses. What is used is judged where it is used, and one that only came or
 * went may have been left out by whoever put the document into one piece.
 */
export function compareUnused(comparison: Comparison, top: Pair): void {
  const [old, now] = [top.base, top.revised].map((side) => side?.at('components')?.at('schemas'));
  for (const name of namesOf(old)) {
    const pair = top.below(old?.raw(name), now?.raw(name), `schema ${name}`);
    if (!pair.both || equal(pair.base?.value, pair.revised?.value)) continue;
    if (comparison.reach.leadsTo(pair.revised!.pointer)) continue;
    comparison.report('unused-schema-changed', pair, 'changed, and no operation uses it');
  }
}

const namesOf = (schemas: Cursor | undefined): string[] => (isObject(schemas?.value) ? Object.keys(schemas.value) : []);
