// ref-siblings: a $ref has no sibling keywords. Tools disagree on them: some merge, some drop. allOf means the same everywhere.

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
