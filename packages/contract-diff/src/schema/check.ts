// Ajv 2020 as the judge of single values.

import type { Ajv2020 } from 'ajv/dist/2020.js';
import { makeAjv } from './ajv.ts';
import { spell } from './spell.ts';
import type { Direction, SchemaPlace } from './types.ts';

let made: Ajv2020 | undefined;

const validator = (): Ajv2020 => {
  made ??= makeAjv({
    validateSchema: false,
    addUsedSchema: false,
    // Each schema is compiled for a handful of values.
    code: { optimize: false },
    // Forgives what binary fractions do to a multiple of 0.01.
    multipleOfPrecision: 6,
  });
  return made;
};

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
