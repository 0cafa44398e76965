// What the rules of the relation share: the questions they may ask, and the form of their objections.

import type { Direction, NormalSchema, SchemaPlace } from './types.ts';

/** From an instance to a part of it. A name that is not given is any that no schema names. */
export type Step =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'matching'; readonly pattern: string }
  | { readonly kind: 'further' }
  | { readonly kind: 'name'; readonly pattern?: string }
  | { readonly kind: 'element'; readonly index: number; readonly only: boolean };

/**
 * Why an instance of A may be none of B. `via` is the narrower pair in which that was found: a part of the instance, or
 * without `step` the same instance. `values` are counter-examples that a rule found on its way, not yet checked.
 */
export interface Objection {
  readonly answer: 'no' | 'unknown';
  readonly keyword: string;
  readonly path: readonly string[];
  readonly via?: { readonly step?: Step; readonly a: SchemaPlace; readonly b: SchemaPlace };
  readonly values?: readonly unknown[];
}

/** The relation as its rules see it. */
export interface Judge {
  readonly direction: Direction;
  /** The objections to "every instance of a is one of b": none when it is proven. */
  objections(a: SchemaPlace, b: SchemaPlace, step?: Step): readonly Objection[];
  /** Whether every instance of a is proven to be one of b. */
  within(a: SchemaPlace, b: SchemaPlace, step?: Step): boolean;
  /** Whether it is proven that there is no instance. */
  isEmpty(place: SchemaPlace): boolean;
  /** Whether it is proven that no instance is one of both. */
  areDisjoint(a: SchemaPlace, b: SchemaPlace): boolean;
  /** Whether the value is an instance: undefined when that can't be told. */
  accepts(place: SchemaPlace, value: unknown): boolean | undefined;
  /** A number that equal schemas share. */
  identity(place: SchemaPlace): number;
  /** All values of the schema, when they are few. */
  values(place: SchemaPlace): readonly unknown[] | undefined;
}

/** A rule: its objections to "each instance of `a` meets what `b` says", `b` being read for some of its keywords only. */
export type Rule = (a: NormalSchema, b: NormalSchema, judge: Judge) => Objection[];

/** An objection at the place that is judged. */
export function objection(
  answer: Objection['answer'],
  keyword: string,
  more: Partial<Pick<Objection, 'path' | 'via' | 'values'>> = {},
): Objection {
  return { answer, keyword, path: [], ...more };
}

/**
 * The objections of a part, as the whole's.
 * @param certain false when it is not certain that instances have such a part
 */
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
