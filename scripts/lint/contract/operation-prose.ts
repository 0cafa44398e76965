// operation-prose: every operation has a description, and a summary short enough for a menu.

import type { Context, Visitor } from './types.ts';

const maxSummaryCharacters = 60;

export function operationProse(): Visitor {
  return {
    Operation(operation: { summary?: unknown; description?: unknown }, context: Context) {
      const summary = text(operation.summary);
      if (!summary) {
        const message = 'Give the operation a summary: a few words, such as "Get a collaborator".';
        context.report({ message, location: context.location.key() });
      } else if (summary.length > maxSummaryCharacters || summary.endsWith('.')) {
        const message = `Shorten the summary to at most ${maxSummaryCharacters} characters without a full stop; the rest belongs in the description.`;
        context.report({ message, location: context.location.child('summary') });
      }
      if (!text(operation.description)) {
        const message =
          'Give the operation a description: what it does, what changes, and what is particular about it.';
        context.report({ message, location: context.location.key() });
      }
    },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
