// Interface between the subset relation and its rules.

import type { Direction, NormalSchema, SchemaLocation } from '../types.ts';

/** Step from an instance to a part of it. Without a name, it means any undeclared property. */
export type Step =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'matching'; readonly pattern: string }
  | { readonly kind: 'further' }
  | { readonly kind: 'name'; readonly pattern?: string }
  | { readonly kind: 'element'; readonly index: number; readonly only: boolean };

/**
 * Why an instance of A may not be one of B. `via` is the narrower pair that caused it: for a part of the instance, or without
 * `step`, for the same instance. `values` are unverified counterexamples.
 */
export interface Mismatch {
  readonly answer: 'no' | 'unknown';
  readonly keyword: string;
  readonly path: readonly string[];
  readonly via?: { readonly step?: Step; readonly a: SchemaLocation; readonly b: SchemaLocation };
  readonly values?: readonly unknown[];
}

export interface SubsetChecker {
  readonly direction: Direction;
  /** Objections to "A is a subset of B"; none if it is proven. */
  mismatches(a: SchemaLocation, b: SchemaLocation, step?: Step): readonly Mismatch[];
  isSubset(a: SchemaLocation, b: SchemaLocation, step?: Step): boolean;
  isEmpty(location: SchemaLocation): boolean;
  areDisjoint(a: SchemaLocation, b: SchemaLocation): boolean;
  /** Whether a value is valid; undefined if unknown. */
  accepts(location: SchemaLocation, value: unknown): boolean | undefined;
  /** Number shared by equal schemas. */
  identity(location: SchemaLocation): number;
  /** All values of the schema, if there are few. */
  values(location: SchemaLocation): readonly unknown[] | undefined;
}

/** A rule: objections to "every instance of `a` satisfies certain keywords of `b`". */
export type Rule = (a: NormalSchema, b: NormalSchema, checker: SubsetChecker) => Mismatch[];

/** An objection at the current location. */
export function mismatch(
  answer: Mismatch['answer'],
  keyword: string,
  more: Partial<Pick<Mismatch, 'path' | 'via' | 'values'>> = {},
): Mismatch {
  return { answer, keyword, path: [], ...more };
}

/** Objections of a part, as those of the whole. @param certain whether instances certainly have this part */
export function partMismatches(
  checker: SubsetChecker,
  a: SchemaLocation,
  b: SchemaLocation,
  step: Step,
  certain = true,
): Mismatch[] {
  return checker.mismatches(a, b, step).map(({ answer, keyword, path }) => ({
    answer: certain ? answer : 'unknown',
    keyword,
    path: [nameOf(step), ...path],
    via: { step, a, b },
  }));
}

function nameOf(step: Step): string {
  if (step.kind === 'property') return step.name;
  if (step.kind === 'element') return step.only ? String(step.index) : '[]';
  return '{}';
}
