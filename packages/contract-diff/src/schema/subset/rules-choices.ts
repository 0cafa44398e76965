// Rules for combinators: anyOf, oneOf, not, if, and anything that could not be merged or understood.

import { conjunction, fragment } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import type { NormalSchema, SchemaLocation } from '../types.ts';
import { type Mismatch, mismatch, type SubsetChecker } from './checker.ts';

/** `anyOf`, `oneOf`, `not`, `if`, and the remaining `allOf` of the normal form. */
export function choiceRule(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const whole = fragment(a);
  const same = (one?: readonly SchemaLocation[], other?: readonly SchemaLocation[]) =>
    one !== undefined && other !== undefined && identities(one, checker) === identities(other, checker);
  const found: Mismatch[] = [];
  if (!b.exact) found.push(mismatch('unknown', '$ref'));
  if (b.anyOf && !same(a.anyOf, b.anyOf)) found.push(...someOf(whole, b.anyOf, 'anyOf', checker));
  if (b.oneOf && !same(a.oneOf, b.oneOf)) found.push(...exactlyOneOf(whole, b.oneOf, checker));
  const presentIds = new Set(a.allOf.map((part) => checker.identity(part)));
  for (const location of b.allOf) {
    if (presentIds.has(checker.identity(location))) continue;
    found.push(...checker.mismatches(whole, location).map((one) => ({ ...one, via: { a: whole, b: location } })));
  }
  if (b.not && !(a.not && checker.isSubset(b.not, a.not)) && !checker.areDisjoint(whole, b.not)) {
    found.push(mismatch('unknown', 'not'));
  }
  if (b.conditional) found.push(...conditionalMismatches(whole, b.conditional, checker));
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const) {
    const expected = b[keyword];
    const type = keyword === 'unevaluatedItems' ? 'array' : 'object';
    if (expected && a.types.has(type)) found.push(mismatch('unknown', keyword));
  }
  return found;
}

function identities(locations: readonly SchemaLocation[], checker: SubsetChecker): string {
  return String(locations.map((location) => checker.identity(location)).sort((one, other) => one - other));
}

/** Objections to "each instance matches at least one branch", without splitting the instances further. */
function someOf(
  a: SchemaLocation,
  branches: readonly SchemaLocation[],
  keyword: string,
  checker: SubsetChecker,
): Mismatch[] {
  const narrower = resolveSchema(a);
  // Split by the instances' own choice first: each kind then finds its branch.
  if (narrower.anyOf ?? narrower.oneOf) return [mismatch('unknown', keyword)];
  // Check the branch with the same name first, because it is the most likely match.
  const sameName = (branch: SchemaLocation) =>
    narrower.refName !== undefined && resolveSchema(branch).refName === narrower.refName;
  const ordered = [...branches.filter(sameName), ...branches.filter((branch) => !sameName(branch))];
  if (ordered.some((branch) => checker.isSubset(a, branch))) return [];
  const possible = branches.filter((branch) => !checker.areDisjoint(a, branch));
  const [only, ...others] = possible;
  if (!only) return [mismatch('no', keyword)];
  // If only one branch can match, its objections apply.
  if (others.length === 0) return checker.mismatches(a, only).map((one) => ({ ...one, via: { a, b: only } }));
  return [mismatch('unknown', keyword)];
}

function exactlyOneOf(a: SchemaLocation, branches: readonly SchemaLocation[], checker: SubsetChecker): Mismatch[] {
  const found = someOf(a, branches, 'oneOf', checker);
  if (found.length > 0) return found;
  const chosen = branches.findIndex((branch) => checker.isSubset(a, branch));
  const others = branches.filter((_, index) => index !== chosen);
  const second = others.find((branch) => !checker.areDisjoint(a, branch));
  return second ? [mismatch('unknown', 'oneOf')] : [];
}

function conditionalMismatches(
  a: SchemaLocation,
  { if: condition, holds, fails }: NonNullable<NormalSchema['conditional']>,
  checker: SubsetChecker,
): Mismatch[] {
  const found: Mismatch[] = [];
  const check = (when: SchemaLocation, expected: SchemaLocation | undefined, keyword: string) => {
    if (!expected) return;
    const matching = conjunction([a, when]);
    for (const one of checker.mismatches(matching, expected)) {
      found.push({ ...one, keyword: one.path.length === 0 ? keyword : one.keyword, via: { a: matching, b: expected } });
    }
  };
  check(condition, holds, 'then');
  check(fragment({ not: condition }), fails, 'else');
  return found;
}
