// operation-resource: the contract declares what {id} or {key} of a path refers to, in the field of EXTENSIONS.md. The server
// loads that resource before it calls the operation.

import type { Context, JsonObject, Visitor } from './types.ts';

const resources = [
  'collaborator',
  'webhook',
  'import',
  'export',
  'app',
  'directory',
  'sign_in_connection',
  'connection',
  'custom_field',
  'saved_view',
];

export function operationResource(): Visitor {
  let path = '';
  return {
    Paths: {
      PathItem: {
        enter(_item: unknown, context: Context) {
          path = String(context.key);
        },
        Operation(operation: JsonObject, context: Context) {
          const resource = operation['x-resource'];
          const location = context.location.child('x-resource');
          if (!/\{(id|key)\}/.test(path)) {
            const message = 'Remove x-resource: the path has neither {id} nor {key}.';
            if (resource !== undefined) context.report({ message, location });
          } else if (resource === undefined) {
            const message = `Say what the path names, x-resource: ${resources.join(' or ')}.`;
            context.report({ message, location: context.location.key() });
          } else if (!resources.includes(String(resource))) {
            const message = `Use a known x-resource: ${resources.join(', ')}. The server has a loader for each.`;
            context.report({ message, location });
          }
        },
      },
    },
  };
}
