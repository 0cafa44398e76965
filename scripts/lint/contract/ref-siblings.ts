// ref-siblings: nothing stands beside a $ref.
//
// Tools disagree on what a keyword beside $ref means: some merge it, some drop it. allOf means the same everywhere.

import type { Context, Visitor } from './types.ts';

export function refSiblings(): Visitor {
  return {
    ref: {
      enter(node: { $ref: string }, context: Context) {
        const beside = Object.keys(node).filter((key) => key !== '$ref');
        if (beside.length === 0) return;
        const message = `Move ${beside.join(', ')} away from beside $ref: write "allOf: [{ $ref: … }]" and put ${beside.length === 1 ? 'it' : 'them'} beside allOf.`;
        context.report({ message });
      },
    },
  };
}
