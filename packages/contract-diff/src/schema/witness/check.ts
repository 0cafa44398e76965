// Validates single values with Ajv 2020.

import type { Ajv2020 } from 'ajv/dist/2020.js';
import { makeAjv } from '../ajv.ts';
import type { Direction, SchemaLocation } from '../types.ts';
import { toAjvSchema } from './ajv-schema.ts';

let cachedAjv: Ajv2020 | undefined;

const validator = (): Ajv2020 => {
  cachedAjv ??= makeAjv({
    validateSchema: false,
    addUsedSchema: false,
    // Each schema validates only a few values.
    code: { optimize: false },
    // Tolerates binary rounding of multiples of 0.01.
    multipleOfPrecision: 6,
  });
  return cachedAjv;
};

/**
 * Validates each value, in order.
 * @returns undefined where it can't be decided, such as for an invalid schema or a dangling reference
 */
export function acceptsEach(
  location: SchemaLocation,
  values: readonly unknown[],
  direction: Direction,
): readonly (boolean | undefined)[] {
  const { schema, understood } = toAjvSchema(location, values, direction);
  if (!understood) return values.map(() => undefined);
  const ajv = validator();
  try {
    const validate = ajv.compile(schema);
    return values.map((value) => validate(value) === true);
  } catch {
    return values.map(() => undefined);
  } finally {
    ajv.removeSchema(schema);
  }
}
