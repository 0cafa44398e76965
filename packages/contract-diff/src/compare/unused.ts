// Schemas that no operation uses. Their direction is unknown; they often describe webhooks in prose only.
import type { Cursor } from '../load/document.ts';
import { equal, isObject } from '../model/json.ts';
import type { Comparison, Pair } from './comparison.ts';

/** Reports changed schemas that neither document uses. An added or removed one may be an artifact of bundling. */
export function compareUnused(comparison: Comparison, top: Pair): void {
  const [old, now] = [top.base, top.revised].map((side) => side?.at('components')?.at('schemas'));
  for (const name of namesOf(old)) {
    const pair = top.below(old?.raw(name), now?.raw(name), `schema ${name}`);
    if (!pair.both || equal(pair.base?.value, pair.revised?.value)) continue;
    if (comparison.reach.hasUsers(pair.revised!.pointer)) continue;
    comparison.report('unused-schema-changed', pair, 'changed, and no operation uses it');
  }
}

const namesOf = (schemas: Cursor | undefined): string[] => (isObject(schemas?.value) ? Object.keys(schemas.value) : []);
