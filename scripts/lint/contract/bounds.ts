// bounds: every schema has a type, and strings, arrays, and numbers have limits, or oversized values fail in production.

import { types } from './schemas.ts';
import type { Context, JsonObject, Visitor } from './types.ts';

const typeKeywords = ['type', 'allOf', 'anyOf', 'oneOf', 'const', 'enum', 'if', 'x-any-value'];

export function bounds(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      if (!typeKeywords.some((keyword) => keyword in schema)) {
        context.report({ message: 'Give the schema a type. Without one it accepts everything.' });
        return;
      }
      const has = (...keywords: string[]) => keywords.some((keyword) => keyword in schema);
      if (has('enum', 'const')) return;
      const type = types(schema);
      // The operation limits a file part, in bytes rather than characters.
      if (type.includes('string') && schema.format !== 'binary' && !has('maxLength')) {
        context.report({ message: 'Give the string a maxLength.' });
      }
      if (type.includes('array') && !has('maxItems')) {
        context.report({ message: 'Give the array maxItems.' });
      }
      if (type.includes('number') || type.includes('integer')) {
        if (!has('minimum', 'exclusiveMinimum')) context.report({ message: 'Give the number a minimum.' });
        if (!has('maximum', 'exclusiveMaximum')) context.report({ message: 'Give the number a maximum.' });
      }
    },
  };
}
