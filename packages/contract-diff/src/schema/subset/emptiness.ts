// Emptiness check: two schemas are disjoint if their conjunction has no instances.

import { fragment } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import type { NormalSchema, SchemaLocation, TypeName } from '../types.ts';
import type { SubsetChecker } from './checker.ts';
import { elementAt } from './rules-arrays.ts';
import { propertyOf, senderView } from './rules-objects.ts';
import { formatsClash, hasNoString } from './rules-scalars.ts';
import { splitByOwnChoice } from './split.ts';

/** Whether the schema provably has no instances. */
export function hasNoInstances(location: SchemaLocation, checker: SubsetChecker): boolean {
  const schema = senderView(resolveSchema(location), checker.direction);
  if (schema.types.size === 0 || schema.enum?.length === 0) return true;
  const values = checker.values(location);
  if (values) return values.length === 0;
  if ([...schema.types].every((type) => hasNoneOfType(schema, type, checker))) return true;
  if (schema.not && checker.isSubset(fragment({ ...schema, not: undefined }), schema.not)) return true;
  return splitByOwnChoice(schema, checker)?.every((alternative) => checker.isEmpty(alternative)) ?? false;
}

function hasNoneOfType(schema: NormalSchema, type: TypeName, checker: SubsetChecker): boolean {
  if (type === 'string') return hasNoString(schema) || formatsClash([schema, ...schema.allOf.map(resolveSchema)]);
  if (type === 'object') return [...schema.required].some((name) => checker.isEmpty(propertyOf(schema, name)));
  if (type === 'array') {
    const positions = Array.from({ length: Math.min(schema.minItems ?? 0, schema.prefixItems.length + 1) });
    return positions.some((_, index) => checker.isEmpty(elementAt(schema, index)));
  }
  return false;
}
