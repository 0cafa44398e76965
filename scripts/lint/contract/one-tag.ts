// one-tag: every operation has exactly one declared tag, because generated clients have a class per tag.

import type { Context, Visitor } from './types.ts';

export function oneTag(): Visitor {
  let declared: unknown[] = [];
  return {
    Root(root: { tags?: { name?: unknown }[] }) {
      declared = (root.tags ?? []).map((tag) => tag.name);
    },
    Operation(operation: { tags?: unknown[] }, context: Context) {
      const tags = operation.tags ?? [];
      if (tags.length !== 1) {
        const message = `Give the operation exactly one tag. It has ${tags.length}.`;
        context.report({ message, location: context.location.key() });
        return;
      }
      if (!declared.includes(tags[0])) {
        const message = `Declare the tag "${tags[0]}" with a description under "tags" in openapi.yaml, or use a declared one: ${declared.join(', ')}.`;
        context.report({ message, location: context.location.child(['tags', 0]) });
      }
    },
  };
}
