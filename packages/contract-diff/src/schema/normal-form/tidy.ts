// Removes contradictory and redundant keywords from a normal form, so that equal schemas look equal.

import type { Bound, NormalSchema, TypeName } from '../types.ts';
import { distinct, hasType, typeOf } from '../values.ts';

export const allTypes: ReadonlySet<TypeName> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);

/** Removes types without possible values, and limits of missing types. */
export function tidy(schema: NormalSchema): NormalSchema {
  const values = schema.enum && distinct(schema.enum.filter((value) => hasType(schema.types, typeOf(value))));
  const types = new Set(values ? typesOf(values) : schema.types);
  // A multiple of an integer is an integer.
  if (types.has('number') && schema.multipleOf !== undefined && Number.isInteger(schema.multipleOf)) {
    types.delete('number');
    types.add('integer');
  }
  const whole = types.has('integer');
  const minimum = whole ? wholeBound(schema.minimum, 1) : schema.minimum;
  const maximum = whole ? wholeBound(schema.maximum, -1) : schema.maximum;
  if (!values) {
    if (isEmptyRange(minimum, maximum)) for (const type of ['integer', 'number'] as const) types.delete(type);
    if ((schema.minLength ?? 0) > (schema.maxLength ?? Infinity)) types.delete('string');
    if ((schema.minItems ?? 0) > (schema.maxItems ?? Infinity)) types.delete('array');
    const properties = Math.max(schema.minProperties ?? 0, schema.required.size);
    if (properties > (schema.maxProperties ?? Infinity)) types.delete('object');
  }
  return withoutOthers({ ...schema, types, enum: values, minimum, maximum });
}

function typesOf(values: readonly unknown[]): Set<TypeName> {
  const types = new Set(values.map(typeOf));
  if (types.has('number')) types.delete('integer');
  return types;
}

function wholeBound(bound: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (!bound) return undefined;
  const inward = sign === 1 ? Math.ceil(bound.value) : Math.floor(bound.value);
  // Beyond 2^53, adjacent integers are indistinguishable.
  if (!Number.isSafeInteger(inward)) return bound;
  const excluded = bound.exclusive && inward === bound.value;
  return { value: excluded ? inward + sign : inward, exclusive: false };
}

function isEmptyRange(minimum: Bound | undefined, maximum: Bound | undefined): boolean {
  if (!minimum || !maximum) return false;
  return minimum.value > maximum.value || (minimum.value === maximum.value && (minimum.exclusive || maximum.exclusive));
}

/** Overrides that clear the keywords of a missing type. */
const nothingOf = {
  numbers: { minimum: undefined, maximum: undefined, multipleOf: undefined },
  strings: { minLength: undefined, maxLength: undefined, patterns: [] },
  formats: { format: undefined },
  arrays: {
    prefixItems: [],
    items: undefined,
    minItems: undefined,
    maxItems: undefined,
    uniqueItems: false,
    contains: undefined,
    unevaluatedItems: undefined,
  },
  objects: {
    properties: new Map(),
    required: new Set<string>(),
    patternProperties: new Map(),
    additionalProperties: undefined,
    propertyNames: undefined,
    minProperties: undefined,
    maxProperties: undefined,
    dependentRequired: new Map(),
    dependentSchemas: new Map(),
    unevaluatedProperties: undefined,
  },
} satisfies Record<string, Partial<NormalSchema>>;

/** Mutates the schema: most have one type, and this runs often. */
function withoutOthers(schema: { -readonly [Key in keyof NormalSchema]: NormalSchema[Key] }): NormalSchema {
  const { types } = schema;
  const numbers = hasType(types, 'integer');
  const strings = types.has('string');
  if (!numbers) Object.assign(schema, nothingOf.numbers);
  if (!strings) Object.assign(schema, nothingOf.strings);
  if (!numbers && !strings) Object.assign(schema, nothingOf.formats);
  if (!types.has('array')) Object.assign(schema, nothingOf.arrays);
  if (!types.has('object')) Object.assign(schema, nothingOf.objects);
  return schema;
}
