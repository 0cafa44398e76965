// Schema changes that no specific rule covers.

import { equal } from '../../model/json.ts';
import type { NormalSchema, SchemaLocation } from '../../schema/index.ts';
import type { Comparison } from '../comparison.ts';
import { isSameReference, type SchemaPair } from './schema-pair.ts';

/** Changed keywords without a specific rule. */
export function uncoveredChanges(comparison: Comparison, { before, after }: SchemaPair): string[] {
  const changed: string[] = [];
  const alike = (x: SchemaLocation | undefined, y: SchemaLocation | undefined) =>
    x === y || (x !== undefined && y !== undefined && comparison.sameness.alike(x, y));
  const alikeMaps = (x: ReadonlyMap<string, SchemaLocation>, y: ReadonlyMap<string, SchemaLocation>) =>
    x.size === y.size && [...x].every(([name, location]) => alike(location, y.get(name)));
  const alikeLists = (x: readonly SchemaLocation[], y: readonly SchemaLocation[]) =>
    x.length === y.length && x.every((location, index) => alike(location, y[index]));
  const single = ['propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'not'] as const;
  for (const keyword of single) if (!alike(before[keyword], after[keyword])) changed.push(keyword);
  if (!alikeMaps(before.dependentSchemas, after.dependentSchemas)) changed.push('dependentSchemas');
  if ([...before.patternProperties.keys()].sort().join('\n') !== [...after.patternProperties.keys()].sort().join('\n'))
    changed.push('patternProperties');
  for (const keyword of ['if', 'holds', 'fails'] as const)
    if (!alike(before.conditional?.[keyword], after.conditional?.[keyword]))
      changed.push(keyword === 'if' ? 'if' : keyword === 'holds' ? 'then' : 'else');
  if (!alikeLists(before.allOf, after.allOf)) changed.push('allOf');
  if (before.prefixItems.length !== after.prefixItems.length) changed.push('prefixItems');
  for (const keyword of ['anyOf', 'oneOf'] as const) if (!before[keyword] !== !after[keyword]) changed.push(keyword);
  const plain = ({ dependentRequired }: NormalSchema) =>
    Object.fromEntries([...dependentRequired].map(([name, needed]) => [name, [...needed].sort()]));
  if (!equal(plain(before), plain(after))) changed.push('dependentRequired');
  const [old, now] = [before.contains, after.contains];
  if (!alike(old?.schema, now?.schema) || old?.min !== now?.min || old?.max !== now?.max) changed.push('contains');
  return changed;
}

/** Whether the schemas differ in keywords of their own, so that different keywords may allow the same values. */
export function differItself(comparison: Comparison, schemas: SchemaPair): boolean {
  const { before, after } = schemas;
  if (own(before) !== own(after) || uncoveredChanges(comparison, schemas).length > 0) return true;
  return (['anyOf', 'oneOf'] as const).some((keyword) => {
    const [old, now] = [before[keyword] ?? [], after[keyword] ?? []];
    const same = (x: SchemaLocation, y: SchemaLocation | undefined) =>
      y !== undefined && (isSameReference(x, y) || comparison.sameness.alike(x, y));
    return old.length !== now.length || old.some((location, index) => !same(location, now[index]));
  });
}

/** The keywords without subschemas, and the names of subschemas. */
const own = (schema: NormalSchema): string =>
  JSON.stringify([
    ...[schema.types, schema.required, schema.properties.keys()].map((names) => [...names].sort()),
    ...[schema.enum, schema.patterns, schema.uniqueItems, schema.minimum, schema.maximum, schema.multipleOf],
    ...[schema.minLength, schema.maxLength, schema.minItems, schema.maxItems, schema.minProperties],
    ...[schema.maxProperties, !schema.items, !schema.additionalProperties],
  ]);
