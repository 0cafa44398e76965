// Two schemas side by side, and what is asked of every such pair.

import { type NormalSchema, resolveSchema, type SchemaPlace, type Verdict } from '../schema/index.ts';
import { Conjunction } from '../schema/types.ts';
import type { Comparison, Pair } from './comparison.ts';

/** Two schemas at the same place, as they were merged. */
export interface SchemaPair {
  readonly pair: Pair;
  readonly a: SchemaPlace;
  readonly b: SchemaPlace;
  readonly before: NormalSchema;
  readonly after: NormalSchema;
  /** Whether there always is a value, so that no default takes its place. */
  readonly always: boolean;
}

/** The walk through two schemas, for who compares a part of them and has it go on from there. */
export interface Walk {
  /**
   * Compares two schemas and all within.
   *
   * @param always whether there always is a value, so that no default takes its place
   * @returns how many changes of the allowed values were reported; those of a place that is being compared count as none
   */
  compare(pair: Pair, a: SchemaPlace, b: SchemaPlace, always: boolean): number;
  /**
   * The same for a part that may be missing on one side, where it then allows anything.
   *
   * @param key what it is to the schema around it, such as `items` or `properties/name`
   */
  part(schemas: SchemaPair, key: string, x: SchemaPlace | undefined, y: SchemaPlace | undefined, where: string): number;
}

/** Does the new schema allow all that the old one did, and the other way round? */
export function verdicts(
  comparison: Comparison,
  { traffic }: Pair,
  a: SchemaPlace,
  b: SchemaPlace,
): { forth: Verdict; back: Verdict } {
  const relation = comparison.relation(traffic.direction);
  return { forth: relation.sub(a, b), back: relation.sub(b, a) };
}

/** Asks for a value that shows the break: of the old schema in what is accepted, of the new one in what is emitted. */
export function probeOf(comparison: Comparison, { pair: { traffic }, a, b }: SchemaPair): () => Verdict {
  const relation = comparison.witnesses(traffic.direction);
  return () => (traffic.direction === 'accept' ? relation.sub(a, b) : relation.sub(b, a));
}

/** Whether it is written in one place, and not put together. */
export const isPlain = ({ schema }: SchemaPlace): boolean => !(schema instanceof Conjunction);

/** Does this schema allow nothing? */
export const isNever = (place: SchemaPlace | undefined): boolean =>
  place !== undefined && resolveSchema(place).types.size === 0;
