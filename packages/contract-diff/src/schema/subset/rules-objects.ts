// Object rules: declared, pattern, and additional properties; their number and dependencies.

import { anything, both, compilePattern, conjunction, fragment, nothing } from '../location.ts';
import { namedSchemas } from '../normal-form/merge.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { areDisjoint, nonMatchingStrings } from '../patterns.ts';
import type { Direction, NormalSchema, SchemaLocation, TypeName } from '../types.ts';
import { type Mismatch, mismatch, partMismatches, type SubsetChecker } from './checker.ts';

const strings = fragment({ types: new Set<TypeName>(['string']) });

/** All object keywords. */
export function objectRule(a: NormalSchema, expected: NormalSchema, checker: SubsetChecker): Mismatch[] {
  if (!a.types.has('object')) return [];
  const b = receiverView(a, expected, checker.direction);
  return [
    ...requiredMismatches(a, b),
    ...namedMismatches(a, b, checker),
    ...patternMismatches(a, b, checker),
    ...additionalMismatches(a, b, checker),
    ...propertyNameMismatches(a, b, checker),
    ...countMismatches(a, b, checker),
    ...dependentMismatches(a, b, checker),
  ];
}

/** Properties that don't exist in this direction. */
export function unsentNames(schema: NormalSchema, direction: Direction): ReadonlySet<string> {
  if (direction === 'any' || schema.properties.size === 0) return noNames;
  const known = unsentBySchema[direction].get(schema);
  if (known) return known;
  const names = new Set<string>();
  for (const [name, location] of schema.properties) {
    const { readOnly, writeOnly } = resolveSchema(location);
    if (direction === 'accept' ? readOnly : writeOnly) names.add(name);
  }
  unsentBySchema[direction].set(schema, names);
  return names;
}

const noNames: ReadonlySet<string> = new Set();
const unsentBySchema = {
  accept: new WeakMap<NormalSchema, ReadonlySet<string>>(),
  emit: new WeakMap<NormalSchema, ReadonlySet<string>>(),
};

/** Sender's view: properties hidden in this direction are never present, so they can't be required. */
export function senderView(schema: NormalSchema, direction: Direction): NormalSchema {
  const unsent = unsentNames(schema, direction);
  if (unsent.size === 0) return schema;
  const properties = new Map(schema.properties);
  for (const name of unsent) properties.set(name, nothing);
  return { ...schema, properties, required: new Set([...schema.required].filter((name) => !unsent.has(name))) };
}

/** Receiver's view: hidden properties are rejected if the sender declares them; otherwise they are never sent. */
function receiverView(a: NormalSchema, b: NormalSchema, direction: Direction): NormalSchema {
  const unsent = unsentNames(b, direction);
  if (unsent.size === 0) return b;
  const properties = new Map(b.properties);
  for (const name of unsent) {
    if (a.properties.has(name)) properties.set(name, nothing);
    else properties.delete(name);
  }
  return { ...b, properties, required: new Set([...b.required].filter((name) => !unsent.has(name))) };
}

export function propertyOf(schema: NormalSchema, name: string): SchemaLocation {
  const declared = namedSchemas(schema, name);
  return declared.length === 0 ? anything : conjunction(declared);
}

function requiredMismatches(a: NormalSchema, b: NormalSchema): Mismatch[] {
  const present = presentProperties(a, a.required);
  const missing = [...b.required].filter((name) => !present.has(name));
  return missing.map((name) => mismatch('no', 'required', { path: [name] }));
}

/** Properties that must be present with these, by `dependentRequired`. */
function presentProperties(schema: NormalSchema, names: Iterable<string>): Set<string> {
  const present = new Set(names);
  // Iterating a set includes names added meanwhile.
  for (const name of present) for (const other of schema.dependentRequired.get(name) ?? []) present.add(other);
  return present;
}

/** The only possible property names, if known. */
function onlyNames(a: NormalSchema, checker: SubsetChecker): readonly string[] | undefined {
  const named = a.propertyNames && checker.values(conjunction([a.propertyNames, strings]));
  return named?.filter((name) => typeof name === 'string');
}

function namedMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const possible = onlyNames(a, checker);
  return [...b.properties].flatMap(([name, location]) => {
    if (possible && !possible.includes(name)) return [];
    return partMismatches(checker, propertyOf(a, name), location, { kind: 'property', name });
  });
}

function patternMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const possible = onlyNames(a, checker);
  return [...b.patternProperties].flatMap(([pattern, location]) => {
    const matches = (name: string) => compilePattern(pattern)?.test(name) ?? true;
    const found = [...(possible ?? a.properties.keys())]
      .filter(matches)
      .flatMap((name) => partMismatches(checker, propertyOf(a, name), location, { kind: 'property', name }));
    if (possible) return found;
    for (const [other, declared] of a.patternProperties) {
      if (other !== pattern && areDisjoint({ patterns: [other] }, { patterns: [pattern] })) continue;
      const certain = other === pattern && a.patternProperties.size === 1;
      found.push(...partMismatches(checker, declared, location, { kind: 'matching', pattern: other }, certain));
    }
    const covered = [...a.patternProperties.keys()].some(
      (other) => nonMatchingStrings({ patterns: [pattern] }, other)?.length === 0,
    );
    if (!covered) {
      const additional = a.additionalProperties ?? anything;
      const certain = a.propertyNames === undefined && a.patternProperties.size === 0;
      found.push(...partMismatches(checker, additional, location, { kind: 'matching', pattern }, certain));
    }
    return found;
  });
}

function additionalMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const allowed = b.additionalProperties;
  if (!allowed || allowed.schema === true) return [];
  const patterns = [...b.patternProperties.keys()];
  const named = (name: string) =>
    b.properties.has(name) || patterns.some((pattern) => compilePattern(pattern)?.test(name) ?? false);
  const possible = onlyNames(a, checker);
  const found = [...(possible ?? a.properties.keys())]
    .filter((name) => !named(name))
    .flatMap((name) => partMismatches(checker, propertyOf(a, name), allowed, { kind: 'property', name }));
  if (possible) return asAdditional(found);
  for (const [pattern, declared] of a.patternProperties) {
    if (patterns.some((other) => nonMatchingStrings({ patterns: [pattern] }, other)?.length === 0)) continue;
    const certain = patterns.length === 0 && a.propertyNames === undefined;
    found.push(...partMismatches(checker, declared, allowed, { kind: 'matching', pattern }, certain));
  }
  const additional = a.additionalProperties ?? anything;
  const names = patternsOfNames(a);
  // A name that matches a pattern of either side isn't additional.
  if (
    ![...patterns, ...a.patternProperties.keys()].some(
      (other) => nonMatchingStrings({ patterns: names }, other)?.length === 0,
    )
  ) {
    const certain = patterns.length === 0 && a.propertyNames === undefined && a.patternProperties.size === 0;
    found.push(...partMismatches(checker, additional, allowed, { kind: 'further' }, certain));
  }
  return asAdditional(found);
}

/** Blames the keyword that forbids additional properties, rather than its `false`. */
function asAdditional(mismatches: readonly Mismatch[]): Mismatch[] {
  return mismatches.map((one) => (one.path.length === 1 ? { ...one, keyword: 'additionalProperties' } : one));
}

function patternsOfNames(a: NormalSchema): readonly string[] {
  return a.propertyNames ? resolveSchema(a.propertyNames).patterns : [];
}

function propertyNameMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  if (!b.propertyNames) return [];
  const expected = b.propertyNames;
  const found: Mismatch[] = [];
  const possible = onlyNames(a, checker);
  for (const name of possible ?? a.properties.keys()) {
    const accepted = checker.accepts(expected, name);
    if (accepted || checker.isEmpty(propertyOf(a, name))) continue;
    const via = { step: { kind: 'property', name } as const, a: propertyOf(a, name), b: nothing };
    found.push(mismatch(accepted === false ? 'no' : 'unknown', 'propertyNames', { via }));
  }
  if (possible) return found;
  const names = (pattern?: string) => {
    const matching = pattern === undefined ? strings : fragment({ types: new Set(['string']), patterns: [pattern] });
    return both(matching, a.propertyNames) as SchemaLocation;
  };
  const checkNames = (pattern?: string) => {
    const step = { kind: 'name', pattern } as const;
    for (const one of partMismatches(checker, names(pattern), expected, step)) {
      found.push({ ...one, keyword: 'propertyNames', path: [] });
    }
  };
  for (const [pattern, declared] of a.patternProperties) if (!checker.isEmpty(declared)) checkNames(pattern);
  if (!checker.isEmpty(a.additionalProperties ?? anything)) checkNames();
  return found;
}

function countMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const minCount = Math.max(a.minProperties ?? 0, presentProperties(a, a.required).size);
  const found: Mismatch[] = [];
  if (minCount < (b.minProperties ?? 0)) found.push(mismatch('no', 'minProperties'));
  if (b.maxProperties !== undefined && maxPropertyCount(a, checker) > b.maxProperties) {
    found.push(mismatch('no', 'maxProperties'));
  }
  return found;
}

function maxPropertyCount(a: NormalSchema, checker: SubsetChecker): number {
  const limit = a.maxProperties ?? Number.POSITIVE_INFINITY;
  const possible = onlyNames(a, checker);
  const closed = possible ?? (isClosed(a, checker) ? [...a.properties.keys()] : undefined);
  if (!closed) return limit;
  return Math.min(limit, closed.filter((name) => !checker.isEmpty(propertyOf(a, name))).length);
}

function isClosed(a: NormalSchema, checker: SubsetChecker): boolean {
  const additional = [...a.patternProperties.values(), a.additionalProperties ?? anything];
  return additional.every((location) => checker.isEmpty(location));
}

function dependentMismatches(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): Mismatch[] {
  const found: Mismatch[] = [];
  const possible = (name: string) => !checker.isEmpty(propertyOf(a, name));
  for (const [name, needed] of b.dependentRequired) {
    const present = presentProperties(a, [...a.required, name]);
    const missing = [...needed].find((other) => !present.has(other));
    if (missing === undefined || !possible(name)) continue;
    found.push(mismatch('no', 'dependentRequired', { path: [missing] }));
  }
  for (const [name, location] of b.dependentSchemas) {
    if (!possible(name)) continue;
    const having = conjunction([fragment(a), fragment({ required: new Set([name]) })]);
    for (const one of checker.mismatches(having, location)) {
      found.push({ ...one, keyword: 'dependentSchemas', via: { a: having, b: location } });
    }
  }
  return found;
}
