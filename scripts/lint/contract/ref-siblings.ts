// ref-siblings: a $ref has no sibling keywords. Tools disagree on them: some merge, some drop. allOf means the same everywhere.

import type { Context, Visitor } from './types.ts';

export function refSiblings(): Visitor {
  return {
    ref: {
      enter(node: { $ref: string }, context: Context) {
        const siblings = Object.keys(node).filter((key) => key !== '$ref');
        if (siblings.length === 0) return;
        const message = `Move ${siblings.join(', ')} away from beside $ref: write "allOf: [{ $ref: … }]" and put ${siblings.length === 1 ? 'it' : 'them'} beside allOf.`;
        context.report({ message });
      },
    },
  };
}
