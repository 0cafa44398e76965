// A pair of schemas, and common queries on it.

import { isObject } from '../../model/json.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation, type Verdict } from '../../schema/index.ts';
import { Conjunction } from '../../schema/types.ts';
import type { Comparison, Pair } from '../comparison.ts';

export interface SchemaPair {
  readonly pair: Pair;
  readonly a: SchemaLocation;
  readonly b: SchemaLocation;
  readonly before: NormalSchema;
  readonly after: NormalSchema;
  /** Whether the value is always present, so that the default never applies. */
  readonly always: boolean;
}

/** The schema traversal, for rules that compare a part and let the traversal continue from there. */
export interface Walk {
  /**
   * Compares two schemas and everything within.
   * @param always whether the value is always present, so that the default never applies
   * @returns the number of reported changes of the allowed values; 0 for a pair that is being compared already
   */
  compare(pair: Pair, a: SchemaLocation, b: SchemaLocation, always: boolean): number;
  /**
   * Compares a part that may be missing on one side, where it then allows anything.
   * @param key its key in the parent, such as `items` or `properties/name`
   */
  part(
    schemas: SchemaPair,
    key: string,
    x: SchemaLocation | undefined,
    y: SchemaLocation | undefined,
    where: string,
  ): number;
}

/** Whether the new schema allows everything the old one did, and vice versa. */
export function verdicts(
  comparison: Comparison,
  { traffic }: Pair,
  a: SchemaLocation,
  b: SchemaLocation,
): { forward: Verdict; backward: Verdict } {
  const relation = comparison.relation(traffic.direction);
  return { forward: relation.checkSubset(a, b), backward: relation.checkSubset(b, a) };
}

/** Proves that both allow the same values, or that the change breaks nobody. @returns undefined if neither can be proven */
export function proofOf(
  comparison: Comparison,
  pair: Pair,
  a: SchemaLocation,
  b: SchemaLocation,
): 'equal' | 'compatible' | undefined {
  const relation = comparison.relation(pair.traffic.direction);
  const [from, to] = pair.traffic.direction === 'accept' ? [a, b] : [b, a];
  if (relation.checkSubset(from, to).answer !== 'yes') return undefined;
  return relation.checkSubset(to, from).answer === 'yes' ? 'equal' : 'compatible';
}

/** Searches for a value that demonstrates the break: of the old schema for accepted values, of the new one for emitted values. */
export function probeOf(comparison: Comparison, { pair: { traffic }, a, b }: SchemaPair): () => Verdict {
  const relation = comparison.witnesses(traffic.direction);
  return () => (traffic.direction === 'accept' ? relation.checkSubset(a, b) : relation.checkSubset(b, a));
}

/** Whether it is written in one place rather than merged. */
export const isPlain = ({ schema }: SchemaLocation): boolean => !(schema instanceof Conjunction);

export const isSameReference = ({ schema: a }: SchemaLocation, { schema: b }: SchemaLocation): boolean =>
  isObject(a) && isObject(b) && a.$ref !== undefined && a.$ref === b.$ref;

/** Whether it allows no value. */
export const isNever = (location: SchemaLocation | undefined): boolean =>
  location !== undefined && resolveSchema(location).types.size === 0;
