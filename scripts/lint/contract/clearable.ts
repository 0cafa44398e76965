// clearable: x-clearable may only be `false`, and only where null is not allowed. The server responds to null with
// `not_clearable`, which a nullable type would never reach.

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
