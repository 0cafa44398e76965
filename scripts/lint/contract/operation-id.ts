// operation-id: every operation has a unique, camelCase operationId: a known verb followed by a noun. It names the method in
// generated clients and the source file, so it can't change later.

import type { Context, Visitor } from './types.ts';

// A short list keeps the vocabulary consistent.
const verbs = [
  'activate',
  'assign',
  'bulk',
  'cancel',
  'answer',
  'commit',
  'confirm',
  'create',
  'deactivate',
  'delete',
  'end',
  'export',
  'get',
  'import',
  'list',
  'patch',
  'perform',
  'redeliver',
  'replay',
  'resend',
  'restore',
  'rotate',
  'send',
  'set',
  'test',
  'undo',
  'update',
  'upload',
  'verify',
];
// Verbs that need no noun, because they have only one possible object.
const complete = ['redeliver'];
const shape = new RegExp(`^(?:${verbs.join('|')})(?:[A-Z][a-z0-9]+)+$`);

export function operationId(): Visitor {
  const seenIds = new Set<string>();
  return {
    Paths: {
      PathItem: {
        Operation(operation: { operationId?: unknown }, context: Context) {
          const id = operation.operationId;
          if (typeof id !== 'string') {
            const message = 'Give the operation an operationId: camelCase, a verb and a noun, such as getCollaborator.';
            context.report({ message, location: context.location.key() });
            return;
          }
          const location = context.location.child('operationId');
          if (!shape.test(id) && !complete.includes(id)) {
            const message = `Rename "${id}" to a verb and a noun in camelCase, such as getCollaborator. Known verbs: ${verbs.join(', ')}.`;
            context.report({ message, location });
          }
          if (seenIds.has(id)) {
            context.report({ message: `Another operation is already called "${id}". Choose another name.`, location });
          }
          seenIds.add(id);
        },
      },
    },
  };
}
