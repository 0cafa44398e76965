// Interface between the subset relation and its rules.

import type { Direction, NormalSchema, SchemaPlace } from '../types.ts';

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
export interface Objection {
  readonly answer: 'no' | 'unknown';
  readonly keyword: string;
  readonly path: readonly string[];
  readonly via?: { readonly step?: Step; readonly a: SchemaPlace; readonly b: SchemaPlace };
  readonly values?: readonly unknown[];
}

export interface Judge {
  readonly direction: Direction;
  /** Objections to "A is a subset of B"; none if it is proven. */
  objections(a: SchemaPlace, b: SchemaPlace, step?: Step): readonly Objection[];
  within(a: SchemaPlace, b: SchemaPlace, step?: Step): boolean;
  isEmpty(place: SchemaPlace): boolean;
  areDisjoint(a: SchemaPlace, b: SchemaPlace): boolean;
  /** Whether a value is valid; undefined if unknown. */
  accepts(place: SchemaPlace, value: unknown): boolean | undefined;
  /** Number shared by equal schemas. */
  identity(place: SchemaPlace): number;
  /** All values of the schema, if there are few. */
  values(place: SchemaPlace): readonly unknown[] | undefined;
}

/** A rule: objections to "every instance of `a` satisfies certain keywords of `b`". */
export type Rule = (a: NormalSchema, b: NormalSchema, judge: Judge) => Objection[];

/** An objection at the current location. */
export function objection(
  answer: Objection['answer'],
  keyword: string,
  more: Partial<Pick<Objection, 'path' | 'via' | 'values'>> = {},
): Objection {
  return { answer, keyword, path: [], ...more };
}

/** Objections of a part, as those of the whole. @param certain whether instances certainly have this part */
export function objectionsOfPart(
  judge: Judge,
  a: SchemaPlace,
  b: SchemaPlace,
  step: Step,
  certain = true,
): Objection[] {
  return judge.objections(a, b, step).map(({ answer, keyword, path }) => ({
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
