// idempotency-key: every POST and PATCH under /v1 accepts an Idempotency-Key, or clients could not retry safely.

import { follow } from './schemas.ts';
import { type Context, isObject, type Visitor } from './types.ts';

export function idempotencyKey(): Visitor {
  let path = '';
  return {
    Paths: {
      PathItem: {
        enter(_item: unknown, context: Context) {
          path = String(context.key);
        },
        Operation(operation: { parameters?: unknown }, context: Context) {
          if (!acceptsIdempotencyKey(path, String(context.key))) return;
          if (parameterNames(operation, context).includes('Idempotency-Key')) return;
          const message = 'Add the parameter Idempotency-Key, from openapi/parameters/requests.yaml.';
          context.report({ message, location: context.location.key() });
        },
      },
    },
  };
}

export function acceptsIdempotencyKey(path: string, method: string): boolean {
  return path.startsWith('/v1/') && ['post', 'patch'].includes(method);
}

/** Names of an operation's own parameters, with references resolved; excludes path-level parameters. */
export function parameterNames(operation: { parameters?: unknown }, context: Context): string[] {
  const list = Array.isArray(operation.parameters) ? operation.parameters : [];
  return list.flatMap((each, index) => {
    const { node } = follow(each, context.location.child(['parameters', index]), context);
    return isObject(node) ? [String(node.name)] : [];
  });
}
