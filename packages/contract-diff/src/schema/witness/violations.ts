// Schemas of values that violate a schema, one for each of its keywords.

import { anything, conjunction, fragment, nothing } from '../location.ts';
import { allTypes } from '../normal-form/tidy.ts';
import type { NormalSchema, SchemaLocation, TypeName } from '../types.ts';

/** Whether to violate the schema of a property or element. */
type ShouldViolate = (location: SchemaLocation, at: { readonly name: string } | { readonly index: number }) => boolean;

/**
 * Schemas whose instances violate one keyword of the given one, and are otherwise unrestricted.
 * @param parts whether, or for which parts, to violate nested schemas; default: only the schema's own keywords
 */
export function violations(schema: NormalSchema, parts: boolean | ShouldViolate): SchemaLocation[] {
  const plain = [
    ...valueViolations(schema),
    ...numberViolations(schema),
    ...stringViolations(schema),
    ...arrayViolations(schema),
    ...objectViolations(schema),
    ...(parts ? partViolations(schema, parts === true ? () => true : parts) : []),
  ];
  return [...plain.map(fragment), ...choiceViolations(schema)];
}

function typed(...types: TypeName[]): Pick<NormalSchema, 'types'> {
  return { types: new Set(types) };
}

function valueViolations({ types, enum: values }: NormalSchema): Partial<NormalSchema>[] {
  const found: Partial<NormalSchema>[] = [];
  for (const type of allTypes) if (!types.has(type)) found.push(typed(type));
  if (values) found.push({ not: fragment({ enum: values }) });
  return found;
}

function numberViolations({ minimum, maximum, multipleOf, format }: NormalSchema): Partial<NormalSchema>[] {
  const found: Partial<NormalSchema>[] = [];
  if (minimum) found.push({ ...typed('number'), maximum: { value: minimum.value, exclusive: !minimum.exclusive } });
  if (maximum) found.push({ ...typed('number'), minimum: { value: maximum.value, exclusive: !maximum.exclusive } });
  if (multipleOf !== undefined || format === 'int32' || format === 'int64') found.push(typed('number'));
  return found;
}

function stringViolations({ minLength, maxLength, patterns, format }: NormalSchema): Partial<NormalSchema>[] {
  const found: Partial<NormalSchema>[] = [];
  if (minLength !== undefined) found.push({ ...typed('string'), maxLength: minLength - 1 });
  if (maxLength !== undefined) found.push({ ...typed('string'), minLength: maxLength + 1 });
  if (patterns.length > 0 || format !== undefined) found.push(typed('string'));
  return found;
}

function arrayViolations(schema: NormalSchema): Partial<NormalSchema>[] {
  const { minItems, maxItems, contains } = schema;
  const found: Partial<NormalSchema>[] = [];
  if (minItems !== undefined) found.push({ ...typed('array'), maxItems: minItems - 1 });
  if (maxItems !== undefined) found.push({ ...typed('array'), minItems: maxItems + 1 });
  if (schema.uniqueItems) found.push({ ...typed('array'), minItems: 2 });
  if (contains) {
    const few = { items: fragment({ not: contains.schema }) };
    if (contains.min > 0) found.push({ ...typed('array'), ...few }, { ...typed('array'), maxItems: contains.min - 1 });
    if (contains.max < Number.POSITIVE_INFINITY) {
      found.push({ ...typed('array'), minItems: contains.max + 1, items: contains.schema });
    }
  }
  return found;
}

function objectViolations(schema: NormalSchema): Partial<NormalSchema>[] {
  const { required, minProperties, maxProperties } = schema;
  const object = typed('object');
  const found: Partial<NormalSchema>[] = [];
  for (const name of required) found.push({ ...object, ...one(name, nothing) });
  if (minProperties !== undefined) found.push({ ...object, maxProperties: minProperties - 1 });
  if (maxProperties !== undefined) found.push({ ...object, minProperties: maxProperties + 1 });
  for (const [name, needed] of schema.dependentRequired) {
    for (const other of needed) found.push({ ...object, required: new Set([name]), ...one(other, nothing) });
  }
  for (const [name, location] of schema.dependentSchemas) {
    found.push({ ...object, required: new Set([name]), not: location });
  }
  return found;
}

/** Violates the schema of a property or element. */
function partViolations(schema: NormalSchema, shouldViolate: ShouldViolate): Partial<NormalSchema>[] {
  const found: Partial<NormalSchema>[] = [];
  for (const [index, location] of [...schema.prefixItems, ...(schema.items ? [schema.items] : [])].entries()) {
    if (!shouldViolate(location, { index })) continue;
    const before = Array.from({ length: index }, (_, at) => schema.prefixItems[at] ?? anything);
    found.push({ ...typed('array'), minItems: index + 1, prefixItems: [...before, fragment({ not: location })] });
  }
  for (const [name, location] of schema.properties) {
    if (!shouldViolate(location, { name })) continue;
    found.push({ ...typed('object'), required: new Set([name]), ...one(name, fragment({ not: location })) });
  }
  return found;
}

/** Restricts a single property. */
function one(name: string, location: SchemaLocation): Pick<NormalSchema, 'properties'> {
  return { properties: new Map([[name, location]]) };
}

function choiceViolations({ anyOf, oneOf, not, conditional, allOf }: NormalSchema): SchemaLocation[] {
  const found: SchemaLocation[] = [];
  const none = (locations: readonly SchemaLocation[]) =>
    conjunction(locations.map((location) => fragment({ not: location })));
  if (anyOf) found.push(none(anyOf));
  if (oneOf) {
    for (const [index, one] of oneOf.entries()) {
      for (const other of oneOf.slice(index + 1)) found.push(conjunction([one, other]));
    }
    found.push(none(oneOf));
  }
  if (not) found.push(not);
  for (const location of allOf) found.push(fragment({ not: location }));
  if (conditional?.holds) found.push(conjunction([conditional.if, fragment({ not: conditional.holds })]));
  if (conditional?.fails) found.push(none([conditional.if, conditional.fails]));
  return found;
}
