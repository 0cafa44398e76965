// Searches for a value that demonstrates a "no": one schema accepts it, the other rejects it, confirmed with Ajv.
//
// An objection identifies the affected part of the instance, so the search starts there, and then embeds the part in a whole
// instance. Only whole instances confirmed by Ajv are reported.

import { compilePattern, conjunction, fragment } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { someStrings } from '../patterns.ts';
import type { Mismatch, Step, SubsetChecker } from '../subset/checker.ts';
import { elementAt } from '../subset/rules-arrays.ts';
import { propertyOf, senderView } from '../subset/rules-objects.ts';
import type { NormalSchema, Sampler, SchemaLocation } from '../types.ts';
import { firstDistinct, isObject } from '../values.ts';
import { acceptsEach } from './check.ts';
import { createSampler } from './sample.ts';
import { namesOf } from './sample-names.ts';
import { violations } from './violations.ts';

const maxWitnesses = 6;
/** Maximum number of candidates per location, and of those checked with Ajv. */
const maxCandidates = 160;
const maxChecked = 16;
const maxViolations = 40;
/** Depth limit of the search. */
const maxDepth = 40;

/** A witness with its objection; without one if found by trial. */
export interface Counterexample {
  readonly witness: unknown;
  readonly mismatch?: Mismatch;
}

export interface Witnesses {
  /** An instance of `a` that is not one of `b`. */
  find(a: SchemaLocation, b: SchemaLocation): Counterexample | undefined;
}

export function createWitnesses(checker: SubsetChecker): Witnesses {
  const sampler = createSampler(checker);
  const found = new Map<string, readonly Counterexample[]>();

  function find(a: SchemaLocation, b: SchemaLocation, depth = 0): readonly Counterexample[] {
    const key = `${checker.identity(a)} ${checker.identity(b)}`;
    const known = found.get(key);
    if (known) return known;
    // A recursive pair is demonstrated by its other parts.
    found.set(key, []);
    const result = depth > maxDepth ? [] : search(a, b, depth);
    found.set(key, result);
    return result;
  }

  function search(a: SchemaLocation, b: SchemaLocation, depth: number): readonly Counterexample[] {
    const narrower = senderView(resolveSchema(a), checker.direction);
    const mismatches = [...checker.mismatches(a, b)].sort(byCertainty);
    for (const mismatch of mismatches) {
      const { via, values = [] } = mismatch;
      const parts = via ? find(via.a, via.b, depth + 1).map(({ witness }) => witness) : [];
      const wholes = via?.step
        ? parts.flatMap((part) => embedPart(narrower, resolveSchema(b), via.step as Step, part))
        : parts;
      const witnesses = confirmed(a, b, [...values, ...wholes]);
      if (witnesses.length > 0) return witnesses.map((witness) => ({ witness, mismatch }));
    }
    const tried = findByTrial(a, b, depth === 0 ? 1 : maxWitnesses);
    return tried.map((witness) => ({ witness, mismatch: mismatches.find(({ via }) => !via?.step) ?? mismatches[0] }));
  }

  /** Up to this many witnesses from likely instances: cheap candidates first, all others only if these fail. */
  function findByTrial(a: SchemaLocation, b: SchemaLocation, limit: number): readonly unknown[] {
    const found: unknown[] = [];
    for (const values of candidates(a, b)) {
      found.push(...confirmed(a, b, values));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Candidates that Ajv accepts for `a` and rejects for `b`. */
  function confirmed(a: SchemaLocation, b: SchemaLocation, values: readonly unknown[]): readonly unknown[] {
    const tried = firstDistinct(values, maxCandidates);
    if (tried.length === 0) return [];
    const likely = tried.filter((value) => checker.accepts(b, value) !== true && checker.accepts(a, value) !== false);
    const chosen = likely.slice(0, maxChecked);
    if (chosen.length === 0) return [];
    const validForB = acceptsEach(b, chosen, checker.direction);
    const validForA = acceptsEach(a, chosen, checker.direction);
    return chosen.filter((_, index) => validForB[index] === false && validForA[index] === true).slice(0, maxWitnesses);
  }

  /** Instances of `a`, starting with those that violate a keyword of `b`. */
  function* candidates(a: SchemaLocation, b: SchemaLocation): Generator<readonly unknown[]> {
    const narrower = senderView(resolveSchema(a), checker.direction);
    // Skip parts where `a` is as strict: its instances can't violate them.
    const canViolate = (location: SchemaLocation, at: { name: string } | { index: number }) =>
      !checker.isSubset('name' in at ? propertyOf(narrower, at.name) : elementAt(narrower, at.index), location);
    const violating = violations(senderView(resolveSchema(b), checker.direction), canViolate)
      .slice(0, maxViolations)
      .map((one) => conjunction([a, one]));
    for (const one of violating) yield sampler.plain(one).slice(0, 5);
    yield violating.flatMap((one) => sampler.samples(one).slice(0, 5));
    yield sampler.samples(a);
  }

  /** Embeds a part in whole instances: the smallest one, and a fuller one. */
  function embedPart(a: NormalSchema, b: NormalSchema, step: Step, part: unknown): unknown[] {
    const type = step.kind === 'element' ? 'array' : 'object';
    const base = fragment({ ...a, types: new Set([type]) });
    if (step.kind === 'element') return embedElement(a, base, step.index, part, sampler);
    const names = step.kind === 'name' ? [String(part)] : namesFor(step, a, b);
    return names.flatMap((name) => {
      const value = step.kind === 'name' ? sampler.plain(propertyOf(a, name))[0] : part;
      if (value === undefined) return [];
      const having = conjunction([base, fragment({ required: new Set([name]) })]);
      const objects = [...sampler.plain(having), ...sampler.plain(base)].filter(isObject).slice(0, 6);
      return (objects.length > 0 ? objects : [{}]).map((object) => ({ ...object, [name]: value }));
    });
  }

  return {
    find(a, b) {
      sampler.resetBudget();
      return find(a, b)[0];
    },
  };
}

/** Embeds an element in arrays that are long enough. */
function embedElement(
  a: NormalSchema,
  base: SchemaLocation,
  index: number,
  part: unknown,
  sampler: Sampler,
): unknown[] {
  const long = conjunction([base, fragment({ minItems: index + 1 })]);
  const arrays = [...sampler.plain(long), ...sampler.plain(base)].filter((one): one is unknown[] => Array.isArray(one));
  const padded = arrays.slice(0, 6).flatMap((array) => {
    const filled = [...array];
    for (let at = array.length; at < index; at += 1) filled.push(sampler.plain(elementAt(a, at))[0] ?? null);
    const replaced = filled.length > index ? [filled.with(index, part)] : [];
    return [...replaced, [...filled.slice(0, index), part]];
  });
  return padded;
}

function byCertainty(one: Mismatch, other: Mismatch): number {
  return Number(one.answer === 'unknown') - Number(other.answer === 'unknown');
}

function namesFor(step: Exclude<Step, { kind: 'element' | 'name' }>, a: NormalSchema, b: NormalSchema): string[] {
  if (step.kind === 'property') return [step.name];
  if (step.kind === 'matching') return [...someStrings({ patterns: [step.pattern] }, 4)];
  const isDeclared = (name: string) =>
    b.properties.has(name) || [...b.patternProperties.keys()].some((pattern) => compilePattern(pattern)?.test(name));
  return namesOf({ ...a, properties: new Map(), patternProperties: new Map() })
    .filter((name) => !isDeclared(name) && !a.properties.has(name))
    .slice(0, 3);
}
