// Array rules: elements by position, length, contained elements.

import { anything } from '../location.ts';
import type { Contains, NormalSchema, SchemaLocation } from '../types.ts';
import { type Mismatch, mismatch, partMismatches, type SubsetChecker } from './checker.ts';

/** `prefixItems`, `items`, `minItems`, `maxItems`, `uniqueItems`, `contains`. */
export function arrayRule(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  if (!a.types.has('array')) return [];
  const found: Mismatch[] = [];
  const maxLength = maxElements(a, checker);
  const minLength = Math.max(a.minItems ?? 0, a.contains?.min ?? 0);
  if (minLength < (b.minItems ?? 0)) found.push(mismatch('no', 'minItems'));
  if (maxLength > (b.maxItems ?? Infinity)) found.push(mismatch('no', 'maxItems'));
  if (b.uniqueItems && !a.uniqueItems && maxLength > 1) {
    found.push(mismatch(a.prefixItems.length > 0 ? 'unknown' : 'no', 'uniqueItems'));
  }
  const prefixLength = Math.max(a.prefixItems.length, b.prefixItems.length);
  for (let index = 0; index < Math.min(prefixLength, maxLength); index += 1) {
    const step = { kind: 'element', index, only: true } as const;
    found.push(...partMismatches(checker, elementAt(a, index), elementAt(b, index), step));
  }
  if (maxLength > prefixLength && b.items) {
    const step = { kind: 'element', index: prefixLength, only: false } as const;
    found.push(...partMismatches(checker, elementAt(a, prefixLength), b.items, step));
  }
  if (b.contains) found.push(...containsMismatches(a, b.contains, maxLength, checker));
  return found;
}

export function elementAt(schema: NormalSchema, index: number): SchemaLocation {
  return schema.prefixItems[index] ?? schema.items ?? anything;
}

/** Maximum length of an array: ends at the first position that allows no element. */
function maxElements(schema: NormalSchema, checker: SubsetChecker): number {
  const limit = schema.maxItems ?? Infinity;
  for (let index = 0; index <= schema.prefixItems.length && index < limit; index += 1) {
    if (checker.isEmpty(elementAt(schema, index))) return index;
  }
  return limit;
}

function containsMismatches(
  a: NormalSchema,
  expected: Contains,
  maxLength: number,
  checker: SubsetChecker,
): Mismatch[] {
  const found: Mismatch[] = [];
  const element = { kind: 'element', index: 0, only: false } as const;
  const isSubset = (one: SchemaLocation, other: SchemaLocation) => checker.isSubset(one, other, element);
  const hasEnough = () => {
    if (a.contains && isSubset(a.contains.schema, expected.schema) && a.contains.min >= expected.min) return true;
    const present = Array.from({ length: Math.min(a.minItems ?? 0, expected.min + a.prefixItems.length) });
    const counted = present.filter((_, index) => isSubset(elementAt(a, index), expected.schema));
    return counted.length >= expected.min;
  };
  if (expected.min > 0 && !hasEnough())
    found.push(mismatch('unknown', expected.min === 1 ? 'contains' : 'minContains'));
  const isLimited = () =>
    maxLength <= expected.max ||
    (a.contains && a.contains.max <= expected.max && isSubset(expected.schema, a.contains.schema));
  const cannotExceed = () => {
    const positions = Array.from({ length: a.prefixItems.length + 1 }, (_, index) => elementAt(a, index));
    return (
      positions.filter((location) => !checker.areDisjoint(location, expected.schema)).length <= expected.max &&
      checker.areDisjoint(elementAt(a, a.prefixItems.length), expected.schema)
    );
  };
  if (expected.max < Infinity && !isLimited() && !cannotExceed()) found.push(mismatch('unknown', 'maxContains'));
  return found;
}
