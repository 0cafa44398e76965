// Rules for combinators: anyOf, oneOf, not, if, and anything that could not be merged or understood.

import { resolveSchema } from '../normal-form/normalize.ts';
import { conjunction, fragment } from '../place.ts';
import type { NormalSchema, SchemaPlace } from '../types.ts';
import { type Judge, type Objection, objection } from './judge.ts';

/** `anyOf`, `oneOf`, `not`, `if`, and the remaining `allOf` of the normal form. */
export function choiceRule(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const whole = fragment(a);
  const same = (one?: readonly SchemaPlace[], other?: readonly SchemaPlace[]) =>
    one !== undefined && other !== undefined && identities(one, judge) === identities(other, judge);
  const found: Objection[] = [];
  if (!b.exact) found.push(objection('unknown', '$ref'));
  if (b.anyOf && !same(a.anyOf, b.anyOf)) found.push(...someOf(whole, b.anyOf, 'anyOf', judge));
  if (b.oneOf && !same(a.oneOf, b.oneOf)) found.push(...exactlyOneOf(whole, b.oneOf, judge));
  const held = new Set(a.allOf.map((part) => judge.identity(part)));
  for (const place of b.allOf) {
    if (held.has(judge.identity(place))) continue;
    found.push(...judge.objections(whole, place).map((one) => ({ ...one, via: { a: whole, b: place } })));
  }
  if (b.not && !(a.not && judge.within(b.not, a.not)) && !judge.areDisjoint(whole, b.not)) {
    found.push(objection('unknown', 'not'));
  }
  if (b.conditional) found.push(...conditionalObjections(whole, b.conditional, judge));
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const) {
    const wanted = b[keyword];
    const type = keyword === 'unevaluatedItems' ? 'array' : 'object';
    if (wanted && a.types.has(type)) found.push(objection('unknown', keyword));
  }
  return found;
}

function identities(places: readonly SchemaPlace[], judge: Judge): string {
  return String(places.map((place) => judge.identity(place)).sort((one, other) => one - other));
}

/** Objections to "each instance matches at least one branch", without splitting the instances further. */
function someOf(a: SchemaPlace, branches: readonly SchemaPlace[], keyword: string, judge: Judge): Objection[] {
  const given = resolveSchema(a);
  // Split by the instances' own choice first: each kind then finds its branch.
  if (given.anyOf ?? given.oneOf) return [objection('unknown', keyword)];
  // Check the branch with the same name first, because it is the most likely match.
  const sameName = (branch: SchemaPlace) =>
    given.refName !== undefined && resolveSchema(branch).refName === given.refName;
  const ordered = [...branches.filter(sameName), ...branches.filter((branch) => !sameName(branch))];
  if (ordered.some((branch) => judge.within(a, branch))) return [];
  const possible = branches.filter((branch) => !judge.areDisjoint(a, branch));
  const [only, ...others] = possible;
  if (!only) return [objection('no', keyword)];
  // If only one branch can match, its objections apply.
  if (others.length === 0) return judge.objections(a, only).map((one) => ({ ...one, via: { a, b: only } }));
  return [objection('unknown', keyword)];
}

function exactlyOneOf(a: SchemaPlace, branches: readonly SchemaPlace[], judge: Judge): Objection[] {
  const found = someOf(a, branches, 'oneOf', judge);
  if (found.length > 0) return found;
  const chosen = branches.findIndex((branch) => judge.within(a, branch));
  const others = branches.filter((_, index) => index !== chosen);
  const second = others.find((branch) => !judge.areDisjoint(a, branch));
  return second ? [objection('unknown', 'oneOf')] : [];
}

function conditionalObjections(
  a: SchemaPlace,
  { if: condition, holds, fails }: NonNullable<NormalSchema['conditional']>,
  judge: Judge,
): Objection[] {
  const found: Objection[] = [];
  const check = (when: SchemaPlace, wanted: SchemaPlace | undefined, keyword: string) => {
    if (!wanted) return;
    const those = conjunction([a, when]);
    for (const one of judge.objections(those, wanted)) {
      found.push({ ...one, keyword: one.path.length === 0 ? keyword : one.keyword, via: { a: those, b: wanted } });
    }
  };
  check(condition, holds, 'then');
  check(fragment({ not: condition }), fails, 'else');
  return found;
}
