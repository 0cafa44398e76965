// Array rules: elements by position, length, contained elements.

import { anything } from '../place.ts';
import type { Contains, NormalSchema, SchemaPlace } from '../types.ts';
import { type Judge, type Objection, objection, objectionsOfPart } from './judge.ts';

/** `prefixItems`, `items`, `minItems`, `maxItems`, `uniqueItems`, `contains`. */
export function arrayRule(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  if (!a.types.has('array')) return [];
  const found: Objection[] = [];
  const most = mostElements(a, judge);
  const least = Math.max(a.minItems ?? 0, a.contains?.min ?? 0);
  if (least < (b.minItems ?? 0)) found.push(objection('no', 'minItems'));
  if (most > (b.maxItems ?? Infinity)) found.push(objection('no', 'maxItems'));
  if (b.uniqueItems && !a.uniqueItems && most > 1) {
    found.push(objection(a.prefixItems.length > 0 ? 'unknown' : 'no', 'uniqueItems'));
  }
  const named = Math.max(a.prefixItems.length, b.prefixItems.length);
  for (let index = 0; index < Math.min(named, most); index += 1) {
    const step = { kind: 'element', index, only: true } as const;
    found.push(...objectionsOfPart(judge, elementAt(a, index), elementAt(b, index), step));
  }
  if (most > named && b.items) {
    const step = { kind: 'element', index: named, only: false } as const;
    found.push(...objectionsOfPart(judge, elementAt(a, named), b.items, step));
  }
  if (b.contains) found.push(...containsObjections(a, b.contains, most, judge));
  return found;
}

export function elementAt(schema: NormalSchema, index: number): SchemaPlace {
  return schema.prefixItems[index] ?? schema.items ?? anything;
}

/** Maximum length of an array: ends at the first position that allows no element. */
function mostElements(schema: NormalSchema, judge: Judge): number {
  const limit = schema.maxItems ?? Infinity;
  for (let index = 0; index <= schema.prefixItems.length && index < limit; index += 1) {
    if (judge.isEmpty(elementAt(schema, index))) return index;
  }
  return limit;
}

function containsObjections(a: NormalSchema, wanted: Contains, most: number, judge: Judge): Objection[] {
  const found: Objection[] = [];
  const element = { kind: 'element', index: 0, only: false } as const;
  const within = (one: SchemaPlace, other: SchemaPlace) => judge.within(one, other, element);
  const sure = () => {
    if (a.contains && within(a.contains.schema, wanted.schema) && a.contains.min >= wanted.min) return true;
    const present = Array.from({ length: Math.min(a.minItems ?? 0, wanted.min + a.prefixItems.length) });
    const counted = present.filter((_, index) => within(elementAt(a, index), wanted.schema));
    return counted.length >= wanted.min;
  };
  if (wanted.min > 0 && !sure()) found.push(objection('unknown', wanted.min === 1 ? 'contains' : 'minContains'));
  const few = () =>
    most <= wanted.max || (a.contains && a.contains.max <= wanted.max && within(wanted.schema, a.contains.schema));
  const never = () => {
    const positions = Array.from({ length: a.prefixItems.length + 1 }, (_, index) => elementAt(a, index));
    return (
      positions.filter((place) => !judge.areDisjoint(place, wanted.schema)).length <= wanted.max &&
      judge.areDisjoint(elementAt(a, a.prefixItems.length), wanted.schema)
    );
  };
  if (wanted.max < Infinity && !few() && !never()) found.push(objection('unknown', 'maxContains'));
  return found;
}
