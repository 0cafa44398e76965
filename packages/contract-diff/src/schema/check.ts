// Ajv 2020 as the judge of single values.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { spell } from './spell.ts';
import type { Direction, SchemaPlace } from './types.ts';

// The package is CommonJS: its function is the default of the default.
const addFormats = addFormatsModule.default;
const ajv = addFormats(
  new Ajv2020({
    strict: false,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    // Each schema is compiled for a handful of values.
    code: { optimize: false },
    // Forgives what binary fractions do to a multiple of 0.01.
    multipleOfPrecision: 6,
  }),
);

/**
 * Whether each value is an instance of the place, in the same order.
 * @returns undefined for those where it can't be told, as when the schema is not one or refers to what is not there
 */
export function acceptsEach(
  place: SchemaPlace,
  values: readonly unknown[],
  direction: Direction,
): readonly (boolean | undefined)[] {
  const { schema, understood } = spell(place, values, direction);
  if (!understood) return values.map(() => undefined);
  try {
    const validate = ajv.compile(schema);
    return values.map((value) => validate(value) === true);
  } catch {
    return values.map(() => undefined);
  } finally {
    ajv.removeSchema(schema);
  }
}
