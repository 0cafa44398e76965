// number-formats, plain-headers: formats that determine types in generated clients.

import { types } from './schemas.ts';
import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

const largestInt32 = 2_147_483_647;

/** Without a format, Go uses 32-bit numbers and Java 32-bit integers: 999,999,999.99 would lose its cents. */
export function numberFormats(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      if (types(schema).includes('number') && schema.format !== 'double') {
        context.report({ message: 'Give the number format: double.' });
      }
      const bounds = [schema.minimum, schema.maximum].filter((bound) => typeof bound === 'number');
      const large = bounds.some((bound) => Math.abs(bound) > largestInt32);
      if (types(schema).includes('integer') && large && schema.format !== 'int64') {
        context.report({ message: 'Give the integer format: int64, because 32 bits cannot hold it.' });
      }
    },
  };
}

/** openapi-python-client parses such a string into an object, which it can't send as a header. */
export function plainHeaders(): Visitor {
  const formats = ['uuid', 'date', 'date-time'];
  return {
    Parameter(parameter: { in?: unknown; schema?: unknown }, context: Context) {
      if (parameter.in !== 'header' || !isObject(parameter.schema)) return;
      if (!formats.includes(String(parameter.schema.format))) return;
      const message = 'Say with a pattern what the header looks like, instead of the format.';
      context.report({ message, location: context.location.child(['schema', 'format']) });
    },
  };
}
