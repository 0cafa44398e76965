// Emptiness check: two schemas are disjoint if their conjunction has no instances.

import { resolveSchema } from '../normal-form/normalize.ts';
import { fragment } from '../place.ts';
import type { NormalSchema, SchemaPlace, TypeName } from '../types.ts';
import type { Judge } from './judge.ts';
import { elementAt } from './rules-arrays.ts';
import { asSent, propertyOf } from './rules-objects.ts';
import { formatsClash, hasNoString } from './rules-scalars.ts';
import { byOwnChoice } from './split.ts';

/** Whether the schema provably has no instances. */
export function isVoid(place: SchemaPlace, judge: Judge): boolean {
  const schema = asSent(resolveSchema(place), judge.direction);
  if (schema.types.size === 0 || schema.enum?.length === 0) return true;
  const values = judge.values(place);
  if (values) return values.length === 0;
  if ([...schema.types].every((type) => hasNone(schema, type, judge))) return true;
  if (schema.not && judge.within(fragment({ ...schema, not: undefined }), schema.not)) return true;
  return byOwnChoice(schema, judge)?.every((way) => judge.isEmpty(way)) ?? false;
}

function hasNone(schema: NormalSchema, type: TypeName, judge: Judge): boolean {
  if (type === 'string') return hasNoString(schema) || formatsClash([schema, ...schema.allOf.map(resolveSchema)]);
  if (type === 'object') return [...schema.required].some((name) => judge.isEmpty(propertyOf(schema, name)));
  if (type === 'array') {
    const positions = Array.from({ length: Math.min(schema.minItems ?? 0, schema.prefixItems.length + 1) });
    return positions.some((_, index) => judge.isEmpty(elementAt(schema, index)));
  }
  return false;
}
