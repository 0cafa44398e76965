// Searches for a value that demonstrates a "no": one schema accepts it, the other rejects it, confirmed with Ajv.
//
// An objection identifies the affected part of the instance, so the search starts there, and then embeds the part in a whole
// instance. Only whole instances confirmed by Ajv are reported.

import { resolveSchema } from '../normal-form/normalize.ts';
import { someStrings } from '../patterns.ts';
import { compilePattern, conjunction, fragment } from '../place.ts';
import type { Judge, Objection, Step } from '../subset/judge.ts';
import { elementAt } from '../subset/rules-arrays.ts';
import { asSent, propertyOf } from '../subset/rules-objects.ts';
import type { NormalSchema, Sampler, SchemaPlace } from '../types.ts';
import { firstDistinct, isObject } from '../values.ts';
import { acceptsEach } from './check.ts';
import { createSampler } from './sample.ts';
import { namesOf } from './sample-names.ts';
import { violations } from './violations.ts';

const mostKept = 6;
/** Maximum number of candidates per location, and of those checked with Ajv. */
const mostTried = 160;
const mostChecked = 16;
const mostBroken = 40;
/** Depth limit of the search. */
const deepest = 40;

/** A witness with its objection; without one if found by trial. */
export interface Shown {
  readonly witness: unknown;
  readonly objection?: Objection;
}

export interface Witnesses {
  /** An instance of `a` that is not one of `b`. */
  find(a: SchemaPlace, b: SchemaPlace): Shown | undefined;
}

export function createWitnesses(judge: Judge): Witnesses {
  const sampler = createSampler(judge);
  const found = new Map<string, readonly Shown[]>();

  function find(a: SchemaPlace, b: SchemaPlace, depth = 0): readonly Shown[] {
    const key = `${judge.identity(a)} ${judge.identity(b)}`;
    const known = found.get(key);
    if (known) return known;
    // A recursive pair is demonstrated by its other parts.
    found.set(key, []);
    const result = depth > deepest ? [] : search(a, b, depth);
    found.set(key, result);
    return result;
  }

  function search(a: SchemaPlace, b: SchemaPlace, depth: number): readonly Shown[] {
    const given = asSent(resolveSchema(a), judge.direction);
    const objections = [...judge.objections(a, b)].sort(certainFirst);
    for (const objection of objections) {
      const { via, values = [] } = objection;
      const parts = via ? find(via.a, via.b, depth + 1).map(({ witness }) => witness) : [];
      const wholes = via?.step
        ? parts.flatMap((part) => around(given, resolveSchema(b), via.step as Step, part))
        : parts;
      const shown = confirmed(a, b, [...values, ...wholes]);
      if (shown.length > 0) return shown.map((witness) => ({ witness, objection }));
    }
    const tried = tryOut(a, b, depth === 0 ? 1 : mostKept);
    return tried.map((witness) => ({ witness, objection: objections.find(({ via }) => !via?.step) ?? objections[0] }));
  }

  /** Up to this many witnesses from likely instances: cheap candidates first, all others only if these fail. */
  function tryOut(a: SchemaPlace, b: SchemaPlace, wanted: number): readonly unknown[] {
    const found: unknown[] = [];
    for (const values of candidates(a, b)) {
      found.push(...confirmed(a, b, values));
      if (found.length >= wanted) break;
    }
    return found.slice(0, wanted);
  }

  /** Candidates that Ajv accepts for `a` and rejects for `b`. */
  function confirmed(a: SchemaPlace, b: SchemaPlace, values: readonly unknown[]): readonly unknown[] {
    const tried = firstDistinct(values, mostTried);
    if (tried.length === 0) return [];
    const likely = tried.filter((value) => judge.accepts(b, value) !== true && judge.accepts(a, value) !== false);
    const chosen = likely.slice(0, mostChecked);
    if (chosen.length === 0) return [];
    const refused = acceptsEach(b, chosen, judge.direction);
    const accepted = acceptsEach(a, chosen, judge.direction);
    return chosen.filter((_, index) => refused[index] === false && accepted[index] === true).slice(0, mostKept);
  }

  /** Instances of `a`, starting with those that violate a keyword of `b`. */
  function* candidates(a: SchemaPlace, b: SchemaPlace): Generator<readonly unknown[]> {
    const given = asSent(resolveSchema(a), judge.direction);
    // Skip parts where `a` is as strict: its instances can't violate them.
    const loose = (place: SchemaPlace, at: { name: string } | { index: number }) =>
      !judge.within('name' in at ? propertyOf(given, at.name) : elementAt(given, at.index), place);
    const broken = violations(asSent(resolveSchema(b), judge.direction), loose)
      .slice(0, mostBroken)
      .map((one) => conjunction([a, one]));
    for (const one of broken) yield sampler.plain(one).slice(0, 5);
    yield broken.flatMap((one) => sampler.samples(one).slice(0, 5));
    yield sampler.samples(a);
  }

  /** Embeds a part in whole instances: the smallest one, and a fuller one. */
  function around(a: NormalSchema, b: NormalSchema, step: Step, part: unknown): unknown[] {
    const type = step.kind === 'element' ? 'array' : 'object';
    const base = fragment({ ...a, types: new Set([type]) });
    if (step.kind === 'element') return aroundElement(a, base, step.index, part, sampler);
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
      sampler.renew();
      return find(a, b)[0];
    },
  };
}

/** Embeds an element in arrays that are long enough. */
function aroundElement(a: NormalSchema, base: SchemaPlace, index: number, part: unknown, sampler: Sampler): unknown[] {
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

function certainFirst(one: Objection, other: Objection): number {
  return Number(one.answer === 'unknown') - Number(other.answer === 'unknown');
}

function namesFor(step: Exclude<Step, { kind: 'element' | 'name' }>, a: NormalSchema, b: NormalSchema): string[] {
  if (step.kind === 'property') return [step.name];
  if (step.kind === 'matching') return [...someStrings({ patterns: [step.pattern] }, 4)];
  const taken = (name: string) =>
    b.properties.has(name) || [...b.patternProperties.keys()].some((pattern) => compilePattern(pattern)?.test(name));
  return namesOf({ ...a, properties: new Map(), patternProperties: new Map() })
    .filter((name) => !taken(name) && !a.properties.has(name))
    .slice(0, 3);
}
