// clearable: x-clearable says only `false`, and only where null is not allowed anyway.
//
// The server answers null there with `not_clearable`. A type that allows null would never get that far.

import { types } from './schemas.ts';
import type { Context, JsonObject, Visitor } from './types.ts';

export function clearable(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      if (!('x-clearable' in schema)) return;
      const location = context.location.child('x-clearable');
      if (schema['x-clearable'] !== false) {
        const message = 'Write x-clearable: false, or leave it out: what allows null can be cleared.';
        context.report({ message, location });
      } else if (types(schema).length === 0 || types(schema).includes('null')) {
        const message =
          'Give the field a type without null, because x-clearable: false says that it cannot be cleared.';
        context.report({ message, location });
      }
    },
  };
}
